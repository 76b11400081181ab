// A virtualized tree with the keyboard interface of the ARIA tree pattern. The tree element keeps the focus.

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from '../ui/icon';
import type { TreeModel, TreeRow } from './tree-model';
import { nextWithPrefix, TypeAhead } from './type-ahead';
import { span, useRows } from './use-rows';

export interface TreeViewProps<T> {
  model: TreeModel<T>;
  label: string;
  rowHeight: number;
  selected: string | null;
  onSelect(key: string, item: T): void;
  /** Called for Enter and double clicks. */
  onActivate?(key: string, item: T): void;
  /** Called with the item under the pointer, or null. */
  onHover?(item: T | null): void;
  /** Key of the item hovered in another view. */
  hovered?: string | null;
  nameOf(item: T): string;
  row(item: T): ComponentChildren;
  empty: string;
  class?: string;
}

type ItemRow<T> = Extract<TreeRow<T>, { state: 'item' }>;

export function TreeView<T>(props: TreeViewProps<T>) {
  const { model, rowHeight } = props;
  model.version.value;
  const list = model.rows();
  const rows = useRows(list.length, rowHeight);
  const id = useId();
  const ahead = useRef(new TypeAhead());
  const [focused, setFocused] = useState<string | null>(props.selected);
  const shown = span(rows.first, rows.end);

  useEffect(() => {
    for (const index of shown) {
      const row = list[index];
      if (row?.state === 'waiting') void model.ensure(row.parent, row.index);
    }
  });
  const indexOf = (key: string | null) =>
    key === null ? -1 : list.findIndex(row => row.state === 'item' && row.key === key);
  const here = indexOf(focused);

  // Scroll an externally selected row into view once it is loaded.
  const pendingReveal = useRef<string | null>(null);
  useEffect(() => {
    setFocused(props.selected);
    pendingReveal.current = props.selected;
  }, [props.selected]);
  useEffect(() => {
    const index = indexOf(pendingReveal.current);
    if (index < 0) return;
    pendingReveal.current = null;
    rows.reveal(index, 'center');
  }, [props.selected, model.version.value]);

  const focus = (index: number) => {
    const step = index < Math.max(here, 0) ? -1 : 1;
    let at = Math.max(0, Math.min(list.length - 1, index));
    while (list[at] && list[at]?.state !== 'item' && list[at + step]) at += step;
    const row = list[at];
    rows.reveal(at);
    if (row?.state === 'item') setFocused(row.key);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = list[here];
    const item = row?.state === 'item' ? row : null;
    const typed = ahead.current.handle(event);
    if (act(event, item, here, typed)) event.preventDefault();
  };
  const act = (event: KeyboardEvent, row: ItemRow<T> | null, at: number, typed: string | null): boolean => {
    if (event.altKey || event.ctrlKey || event.metaKey) return false;
    switch (event.key) {
      case 'ArrowDown':
        focus(at + 1);
        return true;
      case 'ArrowUp':
        focus(at - 1);
        return true;
      case 'PageDown':
        focus(at + rows.page);
        return true;
      case 'PageUp':
        focus(at - rows.page);
        return true;
      case 'Home':
        focus(0);
        return true;
      case 'End':
        focus(list.length - 1);
        return true;
      case 'ArrowRight':
        if (row?.open) focus(at + 1);
        else if (row?.isExpandable) void model.open(row.key);
        return true;
      case 'ArrowLeft':
        if (row?.open) model.close(row.key);
        else if (row) focus(indexOf(row.parent));
        return true;
      case 'Enter':
      case ' ':
        if (row) props.onSelect(row.key, row.item);
        if (row && event.key === 'Enter') props.onActivate?.(row.key, row.item);
        return true;
      default: {
        if (typed === null) return false;
        const found = nextWithPrefix(typed, at, list.length, index => {
          const other = list[index];
          return other?.state === 'item' ? props.nameOf(other.item) : null;
        });
        if (found !== null) focus(found);
        return true;
      }
    }
  };
  const isBusy = list.length === 1 && list[0]?.state === 'waiting';
  const isPlaceholder = list.length === 1 && (list[0]?.state === 'empty' || list[0]?.state === 'failed');
  return (
    <div
      ref={rows.host}
      class={`scroll tree ${props.class ?? ''}`}
      role={isPlaceholder ? 'group' : 'tree'}
      aria-label={props.label}
      aria-busy={isBusy}
      aria-activedescendant={here >= rows.first && here < rows.end ? `${id}-${here}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={() => {
        if (here < 0) focus(0);
      }}
    >
      <div class="rows" role="presentation" style={{ height: `${rows.total}px` }}>
        {shown.map(index => {
          const row = list[index];
          if (!row) return null;
          const style = {
            transform: `translateY(${rows.top(index)}px)`,
            height: `${rowHeight}px`,
            '--depth': String(row.depth),
          };
          if (row.state !== 'item')
            return (
              <PlainRow key={index} row={row} style={style} empty={props.empty} retry={() => model.retry(row.parent)} />
            );
          return (
            <div
              key={index}
              id={`${id}-${index}`}
              class={`row tree-row${index === here ? ' is-focused' : ''}${row.key === props.hovered ? ' is-hovered' : ''}`}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-posinset={row.index + 1}
              aria-setsize={row.siblings}
              aria-selected={row.key === props.selected}
              aria-expanded={row.isExpandable ? row.open : undefined}
              style={style}
              onPointerEnter={props.onHover && (() => props.onHover?.(row.item))}
              onPointerLeave={props.onHover && (() => props.onHover?.(null))}
              onClick={() => {
                setFocused(row.key);
                props.onSelect(row.key, row.item);
              }}
              onDblClick={() => {
                if (props.onActivate) props.onActivate(row.key, row.item);
                else if (row.isExpandable) model.toggle(row.key);
              }}
            >
              <span
                class="twist"
                onClick={event => {
                  if (!row.isExpandable) return;
                  event.stopPropagation();
                  model.toggle(row.key);
                }}
                onDblClick={event => event.stopPropagation()}
              >
                {row.isExpandable && <Icon name={row.open ? 'down' : 'right'} />}
              </span>
              {props.row(row.item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface PlainRowProps {
  row: Exclude<TreeRow<unknown>, { state: 'item' }>;
  style: Record<string, string>;
  empty: string;
  retry(): void;
}

function PlainRow({ row, style, empty, retry }: PlainRowProps) {
  if (row.state === 'failed') {
    return (
      <div class="row tree-row is-failed" style={style} title={row.message}>
        <span class="twist" />
        <span class="grow ellipsis">{row.message}</span>
        <button type="button" class="button is-small" onClick={retry}>
          Try again
        </button>
      </div>
    );
  }
  return (
    <div class="row tree-row is-faint" style={style}>
      <span class="twist" />
      {row.state === 'empty' ? empty : <span class="skeleton" />}
    </div>
  );
}
