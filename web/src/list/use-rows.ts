// Virtualized rows of equal height.
//
// Browsers limit the height of an element to some ten million pixels. For longer lists, the scroll position is scaled and the wheel
// is handled here, so that one notch always scrolls by the same number of rows.

import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const MAX_HEIGHT = 12_000_000;

export interface Rows {
  host: RefObject<HTMLDivElement | null>;
  /** Range of rendered rows; `end` is exclusive. */
  first: number;
  end: number;
  /** Layout height of all rows, in pixels. */
  total: number;
  /** The vertical position of a row, in pixels. */
  top(index: number): number;
  /** Number of fully visible rows. */
  page: number;
  width: number;
  /** Scrolls a row into view. */
  reveal(index: number, align?: 'nearest' | 'center' | 'start'): void;
}

/** Virtualizes `count` rows. `head` is the height of a sticky header in the same host. */
export function useRows(count: number, rowHeight: number, { overscan = 6, head = 0 } = {}): Rows {
  const host = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState({ position: 0, scroll: 0, height: 0, width: 0 });
  const real = count * rowHeight;
  const total = Math.min(real, MAX_HEIGHT);
  const exactPosition = useRef({ position: 0, scroll: 0 });
  const sizes = useRef({ real, total });
  sizes.current = { real, total };

  const scrollScale = useCallback((height: number) => {
    const { real, total } = sizes.current;
    return total > height ? (real - height) / (total - height) : 1;
  }, []);

  const read = useCallback(() => {
    const element = host.current;
    if (!element) return;
    const scroll = element.scrollTop;
    const { real, total } = sizes.current;
    if (real === total) exactPosition.current = { position: scroll, scroll };
    else if (Math.abs(scroll - exactPosition.current.scroll) > 1)
      exactPosition.current = { position: scroll * scrollScale(element.clientHeight - head), scroll };
    const next = { ...exactPosition.current, scroll, height: element.clientHeight - head, width: element.clientWidth };
    setViewport(before =>
      before.position === next.position &&
      before.scroll === next.scroll &&
      before.height === next.height &&
      before.width === next.width
        ? before
        : next,
    );
  }, [scrollScale, head]);

  const moveTo = useCallback(
    (position: number) => {
      const element = host.current;
      if (!element) return;
      const height = element.clientHeight - head;
      const clamped = Math.max(0, Math.min(position, sizes.current.real - height));
      element.scrollTop = clamped / scrollScale(height);
      exactPosition.current = { position: clamped, scroll: element.scrollTop };
      read();
    },
    [read, scrollScale, head],
  );

  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const wheel = (event: WheelEvent) => {
      const { real, total } = sizes.current;
      if (real === total || event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      moveTo(exactPosition.current.position + event.deltaY * (event.deltaMode === 1 ? rowHeight : 1));
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

  // With fewer rows, the scroll position may be past the end.
  useEffect(read, [count, rowHeight]);

  const first = Math.max(0, Math.floor(viewport.position / rowHeight) - overscan);
  const end = Math.min(count, Math.ceil((viewport.position + viewport.height) / rowHeight) + overscan);
  const reveal = useCallback(
    (index: number, align: 'nearest' | 'center' | 'start' = 'nearest') => {
      const element = host.current;
      if (!element) return;
      const top = index * rowHeight;
      const { position } = exactPosition.current;
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
    top: index => viewport.scroll + index * rowHeight - viewport.position,
    page: Math.max(1, Math.floor(viewport.height / rowHeight) - 1),
    width: viewport.width,
    reveal,
  };
}

/** The integers from `first` up to, but not including, `end`. */
export function span(first: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
}
