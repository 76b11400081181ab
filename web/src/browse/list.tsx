// Entries as a list with sortable columns.

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { entryIcon } from '../frame/tree';
import { nextWithPrefix, TypeAhead } from '../list/type-ahead';
import { span, useRows } from '../list/use-rows';
import { go, patch } from '../state/route';
import { fileSize } from '../text/number';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';
import { SortHead } from '../ui/sort-head';
import { StateMark } from '../ui/state-mark';
import { type Entries, formatLabel, type SortKey } from './entries';

const HEAD = 30;

const COLUMNS: readonly [SortKey, string][] = [
  ['name', 'Name'],
  ['format', 'Format'],
  ['length', 'Size'],
];

export function EntryList({ entries, sort, order }: { entries: Entries; sort: SortKey; order: 'up' | 'down' }) {
  const total = entries.total ?? 0;
  const rows = useRows(total, 30, { head: HEAD });
  const [at, setAt] = useState(0);
  const id = useId();
  const ahead = useRef(new TypeAhead());
  useEffect(() => entries.ensureLoaded(rows.first, rows.end));
  const move = (index: number) => {
    const next = Math.max(0, Math.min(total - 1, index));
    setAt(next);
    rows.reveal(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + rows.page,
      PageUp: at - rows.page,
      Home: 0,
      End: total - 1,
    };
    const typed = ahead.current.handle(event);
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = moves[event.key];
    if (target !== undefined) move(target);
    else if (event.key === 'Enter') {
      const entry = entries.at(at);
      if (entry) go(entry.path, { view: entry.view ?? null });
    } else {
      if (typed === null) return;
      const found = nextWithPrefix(typed, at, total, index => entries.at(index)?.name ?? null);
      if (found !== null) move(found);
    }
    event.preventDefault();
  };
  const shown = span(rows.first, rows.end);
  return (
    <div
      ref={rows.host}
      class="scroll grid entry-list"
      role="grid"
      aria-label="Entries of this folder"
      aria-rowcount={total + 1}
      aria-activedescendant={shown.includes(at) ? `${id}-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div class="grid-head" role="row" aria-rowindex={1}>
        {COLUMNS.map(([key, label]) => (
          <SortHead
            key={key}
            label={label}
            class={`is-${key}`}
            order={key === sort ? order : null}
            onSort={() =>
              patch({ sort: key === 'name' ? null : key, order: key === sort && order === 'up' ? 'down' : null })
            }
          />
        ))}
      </div>
      <div class="rows" role="rowgroup" style={{ height: `${rows.total}px` }}>
        {shown.map(index => {
          const entry = entries.at(index);
          return (
            <div
              key={index}
              id={`${id}-${index}`}
              class={`row grid-row${index === at ? ' is-focused' : ''}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === at}
              style={{ transform: `translateY(${rows.top(index)}px)`, height: '30px' }}
              onClick={() => {
                setAt(index);
                if (entry) go(entry.path, { view: entry.view ?? null });
              }}
            >
              <div class="cell is-name" role="gridcell">
                {entry && <Icon name={entryIcon(entry)} />}
                <span class="name ellipsis">{entry ? visible(entry.name) : ''}</span>
                {entry && <StateMark path={entry.path} />}
              </div>
              <div class="cell is-format ellipsis" role="gridcell">
                {entry ? formatLabel(entry) : ''}
              </div>
              <div class="cell is-length" role="gridcell">
                {entry && entry.length !== null ? fileSize(entry.length) : ''}
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}
