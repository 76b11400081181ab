// A virtualized hex grid. The grid element keeps the focus.

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { span, useRows } from '../../list/use-rows';
import { copy, notify } from '../../state/announce';
import { hovered } from '../../state/hover';
import { patch } from '../../state/route';
import { counted, hex } from '../../text/number';
import type { SelectedField } from '../fields/selected-field';
import { HexRow } from './hex-row';
import type { BytePages } from './pages';

const ROW = 20;
/** Width in pixels below which rows have eight bytes. */
const NARROW_WIDTH = 560;
const MAX_COPIED = 1 << 20;

interface HexGridProps {
  pages: BytePages;
  cursor: number;
  /** Whether the cursor was requested, so that it must be scrolled into view. */
  isRequested: boolean;
  chosen: SelectedField | null;
  onCursor(offset: number): void;
  onPoint(offset: number | null): void;
}

export function HexGrid({ pages, cursor, isRequested, chosen, onCursor, onPoint }: HexGridProps) {
  const [width, setWidth] = useState(16);
  const count = Math.ceil(pages.length / width);
  const rows = useRows(count, ROW, { overscan: 4 });
  const id = useId();
  const [anchor, setAnchor] = useState<number | null>(null);
  const isDragging = useRef(false);
  const digits = Math.max(6, hex(Math.max(0, pages.length - 1)).length);
  useEffect(() => {
    if (rows.width > 0) setWidth(rows.width < NARROW_WIDTH ? 8 : 16);
  }, [rows.width]);
  useEffect(
    () => pages.ensureLoaded(rows.first * width, rows.end * width),
    [pages, rows.first, rows.end, width, pages.version.value],
  );
  useEffect(() => {
    if (isRequested && !isDragging.current) rows.reveal(Math.floor(cursor / width), 'center');
  }, [cursor, width, isRequested, chosen?.path]);

  const selectStart = anchor === null ? cursor : Math.min(anchor, cursor);
  const selectEnd = anchor === null ? cursor + 1 : Math.max(anchor, cursor) + 1;
  const moveTo = (offset: number, isExtending: boolean) => {
    const next = Math.max(0, Math.min(pages.length - 1, offset));
    setAnchor(isExtending ? (anchor ?? cursor) : null);
    onCursor(next);
    rows.reveal(Math.floor(next / width));
  };
  const showField = (offset: number) => {
    const field = pages.spanAt(offset);
    patch({ offset: String(offset), ...(field ? { at: field.path === '' ? null : field.path } : {}) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey;
    const moves: Record<string, number> = {
      ArrowRight: cursor + 1,
      ArrowLeft: cursor - 1,
      ArrowDown: cursor + width,
      ArrowUp: cursor - width,
      PageDown: cursor + width * rows.page,
      PageUp: cursor - width * rows.page,
      Home: isCommand ? 0 : cursor - (cursor % width),
      End: isCommand ? pages.length - 1 : cursor - (cursor % width) + width - 1,
    };
    if (event.altKey) return;
    const target = moves[event.key];
    if (target !== undefined) {
      // At the ends of the file, keep the column.
      if ((event.key === 'ArrowUp' && target < 0) || (event.key === 'ArrowDown' && target >= pages.length))
        return event.preventDefault();
      moveTo(target, event.shiftKey);
    } else if (isCommand && event.key === 'c') void copyBytes(pages, selectStart, selectEnd);
    else if (isCommand && event.key === 'a') {
      setAnchor(0);
      onCursor(pages.length - 1);
    } else if (event.key.toLowerCase() === 'g' && isCommand) document.getElementById('go-to-offset')?.focus();
    else if (event.key === 'Enter') showField(cursor);
    else return;
    event.preventDefault();
  };
  const offsetOf = (target: EventTarget | null): number | null => {
    const text = target instanceof HTMLElement ? target.dataset.at : undefined;
    const offset = Number(text ?? 'NaN');
    return offset < pages.length ? offset : null;
  };
  const shown = span(rows.first, rows.end);
  const cursorRow = Math.floor(cursor / width);
  const fieldStart = chosen?.start ?? -1;
  const fieldEnd = chosen?.start == null ? -1 : (chosen.end ?? -1);
  const over = hovered.value;
  return (
    <div
      ref={rows.host}
      class={`scroll hex mono is-${width}`}
      role="grid"
      aria-label={`Bytes, ${counted(pages.length, 'byte')}`}
      aria-rowcount={count}
      aria-readonly="true"
      aria-activedescendant={shown.includes(cursorRow) ? `${id}-cursor` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={event => {
        const offset = offsetOf(event.target);
        // A touch may start a scroll.
        if (offset === null || event.button !== 0 || event.pointerType === 'touch') return;
        isDragging.current = true;
        setAnchor(event.shiftKey ? (anchor ?? cursor) : offset);
        if (event.shiftKey) onCursor(offset);
        else showField(offset);
      }}
      onPointerMove={event => {
        const offset = offsetOf(event.target);
        onPoint(offset);
        if (isDragging.current && offset !== null && event.buttons === 1 && offset !== cursor) onCursor(offset);
      }}
      onPointerUp={() => {
        isDragging.current = false;
      }}
      onClick={event => {
        const offset = offsetOf(event.target);
        if (offset === null || !isTouch(event)) return;
        setAnchor(offset);
        showField(offset);
      }}
      onPointerLeave={() => onPoint(null)}
    >
      <div class="rows" role="presentation" style={{ height: `${rows.total}px` }}>
        {shown.map(row => {
          const offset = row * width;
          const end = offset + width;
          const within = (at: number) => Math.max(offset, Math.min(end, at));
          return (
            <div
              key={row}
              class="row hex-row"
              role="row"
              aria-rowindex={row + 1}
              style={{ transform: `translateY(${rows.top(row)}px)` }}
            >
              <HexRow
                pages={pages}
                version={pages.version.value}
                id={id}
                offset={offset}
                width={width}
                digits={digits}
                cursor={row === cursorRow ? cursor : -1}
                fieldStart={within(fieldStart)}
                fieldEnd={within(fieldEnd)}
                hoverStart={within(over?.start ?? -1)}
                hoverEnd={within(over?.end ?? -1)}
                selectStart={within(selectStart)}
                selectEnd={within(selectEnd)}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

async function copyBytes(pages: BytePages, start: number, end: number): Promise<void> {
  if (end - start > MAX_COPIED) {
    notify('Cannot copy more than 1 MiB. Save the file instead.');
    return;
  }
  const bytes = await pages.read(start, end);
  await copy([...bytes].map(byte => hex(byte, 2)).join(' '), counted(bytes.length, 'byte'));
}

/** Whether a click was a tap. */
function isTouch(event: MouseEvent): boolean {
  return event instanceof PointerEvent && event.pointerType === 'touch';
}
