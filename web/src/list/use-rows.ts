// Rows of one height, of which only those in sight exist.
//
// A browser cannot lay out more than some ten million pixels. Beyond that the scroll bar stands for a longer list, and the wheel is
// handled here, so that one notch is the same few rows in any file.

import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const TALLEST = 12_000_000;

export interface Rows {
  host: RefObject<HTMLDivElement | null>;
  /** The first row that exists, and the one behind the last. */
  first: number;
  end: number;
  /** The height of all rows, as laid out. */
  total: number;
  /** Where a row stands within them. */
  top(index: number): number;
  /** Whole rows in sight. */
  page: number;
  width: number;
  /** Scrolls until a row can be seen. */
  reveal(index: number, align?: 'nearest' | 'center' | 'start'): void;
}

/** `head` is the height of a head that stays above the rows, within the same host. */
export function useRows(count: number, rowHeight: number, { overscan = 6, head = 0 } = {}): Rows {
  const host = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ position: 0, scroll: 0, height: 0, width: 0 });
  const real = count * rowHeight;
  const total = Math.min(real, TALLEST);
  const exact = useRef({ position: 0, scroll: 0 });
  const now = useRef({ real, total });
  now.current = { real, total };

  const stretch = useCallback((height: number) => {
    const { real, total } = now.current;
    return total > height ? (real - height) / (total - height) : 1;
  }, []);

  const read = useCallback(() => {
    const element = host.current;
    if (!element) return;
    const scroll = element.scrollTop;
    const { real, total } = now.current;
    if (real === total) exact.current = { position: scroll, scroll };
    else if (Math.abs(scroll - exact.current.scroll) > 1)
      exact.current = { position: scroll * stretch(element.clientHeight - head), scroll };
    const next = { ...exact.current, scroll, height: element.clientHeight - head, width: element.clientWidth };
    setSeen(before =>
      before.position === next.position &&
      before.scroll === next.scroll &&
      before.height === next.height &&
      before.width === next.width
        ? before
        : next,
    );
  }, [stretch, head]);

  const moveTo = useCallback(
    (position: number) => {
      const element = host.current;
      if (!element) return;
      const height = element.clientHeight - head;
      const clamped = Math.max(0, Math.min(position, now.current.real - height));
      element.scrollTop = clamped / stretch(height);
      exact.current = { position: clamped, scroll: element.scrollTop };
      read();
    },
    [read, stretch, head],
  );

  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const wheel = (event: WheelEvent) => {
      const { real, total } = now.current;
      if (real === total || event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      moveTo(exact.current.position + event.deltaY * (event.deltaMode === 1 ? rowHeight : 1));
    };
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    element.addEventListener('wheel', wheel, { passive: false });
    read();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
      element.removeEventListener('wheel', wheel);
    };
  }, [rowHeight]);

  // Fewer rows than before may leave the place where one was beyond the end.
  useEffect(read, [count, rowHeight]);

  const first = Math.max(0, Math.floor(seen.position / rowHeight) - overscan);
  const end = Math.min(count, Math.ceil((seen.position + seen.height) / rowHeight) + overscan);
  const reveal = useCallback(
    (index: number, align: 'nearest' | 'center' | 'start' = 'nearest') => {
      const element = host.current;
      if (!element) return;
      const top = index * rowHeight;
      const { position } = exact.current;
      const height = element.clientHeight - head;
      const inside = top >= position && top + rowHeight <= position + height;
      if (align === 'start') moveTo(top);
      else if (inside) return;
      else if (align === 'center') moveTo(top - (height - rowHeight) / 2);
      else moveTo(top < position ? top : top + rowHeight - height);
    },
    [rowHeight, head, moveTo],
  );

  return {
    host,
    first: Math.min(first, end),
    end,
    total,
    top: index => seen.scroll + index * rowHeight - seen.position,
    page: Math.max(1, Math.floor(seen.height / rowHeight) - 1),
    width: seen.width,
    reveal,
  };
}

/** The numbers from `first` to before `end`. */
export function span(first: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
}
