// The grid of a table. Only the rows in sight exist; the grid keeps the focus.

import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { Cell } from '../../api/types';
import { span, useRows } from '../../list/use-rows';
import { visible } from '../../text/visible';
import { SortHead } from '../../ui/sort-head';
import { PlayCell, useRowSounds } from './play-cell';
import type { TableRows } from './rows';

export interface RowRange {
  start: number;
  end: number;
}

interface TableGridProps {
  rows: TableRows;
  columns: readonly string[];
  sort: string | null;
  order: 'up' | 'down';
  selected: RowRange | null;
  /** A row that is to be shown. */
  sought: number | null;
  onSelect(range: RowRange | null): void;
  onCopy(range: RowRange): void;
  onSort(column: string): void;
}

const ROW = 28;
const HEAD = 30;

export function TableGrid(props: TableGridProps) {
  const { rows, columns, sort, order, selected } = props;
  const total = rows.total ?? 0;
  const sight = useRows(total, ROW, { head: HEAD });
  const id = useId();
  const [at, setAt] = useState(0);
  const anchor = useRef(0);
  const sounds = rows.sounds.value;
  const rowSounds = useRowSounds(sounds, columns[0]);
  const isFirstThere = rows.at(0) !== undefined;
  const kept = useRef('');
  const widths = useMemo(() => {
    if (isFirstThere) kept.current = columnWidths(rows, columns, total);
    return kept.current;
  }, [rows, columns, isFirstThere]);
  useEffect(() => rows.see(sight.first, sight.end));
  useEffect(() => {
    if (props.sought === null) return;
    setAt(props.sought);
    anchor.current = props.sought;
    sight.reveal(props.sought, 'center');
    props.onSelect({ start: props.sought, end: props.sought + 1 });
  }, [props.sought]);

  const move = (index: number, extends_: boolean) => {
    const next = Math.max(0, Math.min(total - 1, index));
    setAt(next);
    sight.reveal(next);
    if (!extends_) anchor.current = next;
    props.onSelect({ start: Math.min(anchor.current, next), end: Math.max(anchor.current, next) + 1 });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey;
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + sight.page,
      PageUp: at - sight.page,
      Home: 0,
      End: total - 1,
    };
    const target = moves[event.key];
    if (event.altKey) return;
    if (target !== undefined) move(target, event.shiftKey);
    else if (isCommand && event.key === 'a') props.onSelect({ start: 0, end: total });
    else if (isCommand && event.key === 'c' && selected && getSelection()?.isCollapsed !== false)
      props.onCopy(selected);
    else if (event.key === 'Escape' && selected) props.onSelect(null);
    else return;
    event.preventDefault();
  };
  const shown = span(sight.first, sight.end);
  const template = `${sounds === null ? '' : '40px '}${widths}`;
  return (
    <div
      ref={sight.host}
      class="scroll grid table"
      role="grid"
      aria-label="Table"
      aria-rowcount={total + 1}
      aria-multiselectable="true"
      aria-activedescendant={shown.includes(at) ? `${id}-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div class="grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        {sounds !== null && (
          <div class="cell" role="columnheader">
            <span class="unseen">Play</span>
          </div>
        )}
        {columns.map(column => (
          <SortHead
            key={column}
            label={column}
            order={column === sort ? order : null}
            onSort={() => props.onSort(column)}
          />
        ))}
      </div>
      <div class="rows" role="rowgroup" style={{ height: `${sight.total}px` }}>
        {shown.map(index => {
          const row = rows.at(index);
          const isSelected = selected !== null && index >= selected.start && index < selected.end;
          return (
            <div
              key={index}
              id={`${id}-${index}`}
              class={`row grid-row${index === at ? ' is-focused' : ''}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={isSelected}
              style={{
                transform: `translateY(${sight.top(index)}px)`,
                height: `${ROW}px`,
                gridTemplateColumns: template,
              }}
              onClick={event => move(index, event.shiftKey)}
            >
              {sounds !== null && (
                <div class="cell" role="gridcell">
                  {row && <PlayCell path={sounds} row={row} sounds={rowSounds} />}
                </div>
              )}
              {columns.map((column, place) => (
                <CellText key={column} cell={row?.[place]} />
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Numbers as precise as one reads them; copying gives them whole. */
function shownCell(cell: Cell | undefined): string {
  if (cell === undefined || cell === null) return '';
  return typeof cell === 'number' && !Number.isInteger(cell) ? String(Number(cell.toPrecision(6))) : String(cell);
}

function CellText({ cell }: { cell: Cell | undefined }) {
  const text = visible(shownCell(cell));
  return (
    <div
      class={`cell ellipsis${typeof cell === 'number' ? ' is-number' : ''}`}
      role="gridcell"
      title={text.length > 24 ? text : undefined}
    >
      {text}
    </div>
  );
}

/** Widths by the longest text of the first rows; they do not change while one scrolls. */
function columnWidths(rows: TableRows, columns: readonly string[], total: number): string {
  return columns
    .map((column, place) => {
      let longest = column.length + 2;
      for (let index = 0; index < Math.min(total, 200); index++) {
        const cell = rows.at(index)?.[place];
        longest = Math.max(longest, shownCell(cell).length);
      }
      const least = Math.max(6, Math.min(64, longest));
      const width = `calc(${least}ch + 20px)`;
      return longest > 24 ? `minmax(${width}, 1fr)` : width;
    })
    .join(' ');
}
