// A virtualized list box with a single selection: arrow keys, Page Up and Down, Home, End and type-ahead.

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { nextWithPrefix, TypeAhead } from './type-ahead';
import { span, useRows } from './use-rows';

export interface ListBoxProps {
  label: string;
  count: number;
  rowHeight: number;
  selected: number;
  /** Called for arrow keys and clicks. */
  onSelect(index: number): void;
  /** Called for Enter, Space and double clicks. */
  onActivate?(index: number): void;
  nameAt(index: number): string | null;
  row(index: number): ComponentChildren;
  /** Called with the range of visible rows, so that they can be loaded. */
  onVisibleRange?(first: number, end: number): void;
}

export function ListBox(props: ListBoxProps) {
  const { count, rowHeight, selected } = props;
  const rows = useRows(count, rowHeight);
  const id = useId();
  const ahead = useRef(new TypeAhead());
  useEffect(() => rows.reveal(selected), [selected]);
  useEffect(() => props.onVisibleRange?.(rows.first, rows.end), [rows.first, rows.end, count]);

  const choose = (index: number) => {
    if (count > 0) props.onSelect(Math.max(0, Math.min(count - 1, index)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const typed = ahead.current.handle(event);
    const moves: Record<string, number> = {
      ArrowDown: selected + 1,
      ArrowUp: selected - 1,
      PageDown: selected + rows.page,
      PageUp: selected - rows.page,
      Home: 0,
      End: count - 1,
    };
    const move = moves[event.key];
    if (move !== undefined) choose(move);
    else if (event.key === 'Enter' || event.key === ' ') props.onActivate?.(selected);
    else {
      const found = typed === null ? null : nextWithPrefix(typed, selected, count, props.nameAt);
      if (typed === null) return;
      if (found !== null) choose(found);
    }
    event.preventDefault();
  };
  const shown = span(rows.first, rows.end);
  return (
    <div
      ref={rows.host}
      class="scroll list-box"
      role="listbox"
      aria-label={props.label}
      aria-activedescendant={shown.includes(selected) ? `${id}-${selected}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div class="rows" role="presentation" style={{ height: `${rows.total}px` }}>
        {shown.map(index => (
          <div
            key={index}
            id={`${id}-${index}`}
            class="row"
            role="option"
            aria-selected={index === selected}
            aria-posinset={index + 1}
            aria-setsize={count}
            style={{ transform: `translateY(${rows.top(index)}px)`, height: `${rowHeight}px` }}
            onClick={() => choose(index)}
            onDblClick={() => props.onActivate?.(index)}
          >
            {props.row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
