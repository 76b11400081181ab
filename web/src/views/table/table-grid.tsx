// A virtualized table grid. The grid element keeps the focus.

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
  /** Index of a row to scroll to and select. */
  requestedRow: number | null;
  onSelect(range: RowRange | null): void;
  onCopy(range: RowRange): void;
  onSort(column: string): void;
}

const ROW = 28;
const HEAD = 30;

export function TableGrid(props: TableGridProps) {
  const { rows, columns, sort, order, selected } = props;
  const total = rows.total ?? 0;
  const viewport = useRows(total, ROW, { head: HEAD });
  const id = useId();
  const [at, setAt] = useState(0);
  const anchor = useRef(0);
  const sounds = rows.sounds.value;
  const rowSounds = useRowSounds(sounds, columns[0]);
  const isFirstLoaded = rows.at(0) !== undefined;
  const cachedWidths = useRef('');
  const widths = useMemo(() => {
    if (isFirstLoaded) cachedWidths.current = columnWidths(rows, columns, total);
    return cachedWidths.current;
  }, [rows, columns, isFirstLoaded]);
  useEffect(() => rows.ensureLoaded(viewport.first, viewport.end));
  useEffect(() => {
    if (props.requestedRow === null) return;
    setAt(props.requestedRow);
    anchor.current = props.requestedRow;
    viewport.reveal(props.requestedRow, 'center');
    props.onSelect({ start: props.requestedRow, end: props.requestedRow + 1 });
  }, [props.requestedRow]);

  const move = (index: number, isExtending: boolean) => {
    const next = Math.max(0, Math.min(total - 1, index));
    setAt(next);
    viewport.reveal(next);
    if (!isExtending) anchor.current = next;
    props.onSelect({ start: Math.min(anchor.current, next), end: Math.max(anchor.current, next) + 1 });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey;
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + viewport.page,
      PageUp: at - viewport.page,
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
  const shown = span(viewport.first, viewport.end);
  const template = `${sounds === null ? '' : '40px '}${widths}`;
  return (
    <div
      ref={viewport.host}
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
            <span class="visually-hidden">Play</span>
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
      <div class="rows" role="rowgroup" style={{ height: `${viewport.total}px` }}>
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
                transform: `translateY(${viewport.top(index)}px)`,
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
              {columns.map((column, columnIndex) => (
                <CellText key={column} cell={row?.[columnIndex]} />
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Formats a cell; fractions are rounded to six digits for display, but copied exactly. */
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

/** Column widths by the longest text in the first rows, constant while scrolling. */
function columnWidths(rows: TableRows, columns: readonly string[], total: number): string {
  return columns
    .map((column, columnIndex) => {
      let longest = column.length + 2;
      for (let index = 0; index < Math.min(total, 200); index++) {
        const cell = rows.at(index)?.[columnIndex];
        longest = Math.max(longest, shownCell(cell).length);
      }
      const least = Math.max(6, Math.min(64, longest));
      const width = `calc(${least}ch + 20px)`;
      return longest > 24 ? `minmax(${width}, 1fr)` : width;
    })
    .join(' ');
}
