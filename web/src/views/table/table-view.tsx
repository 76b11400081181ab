// A table of any length, sorted and filtered by the program, with copying as CSV.

import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage, getJson, type Query, viewUrl } from '../../api/request';
import type { Cell, TablePage } from '../../api/types';
import { useRequest } from '../../api/use-request';
import { copy, notify } from '../../state/announce';
import { choices } from '../../state/options';
import { patch, route } from '../../state/route';
import { count, counted } from '../../text/number';
import { Icon } from '../../ui/icon';
import { Empty, Failure, Loading } from '../../ui/state';
import type { ViewProps } from '../view-panel';
import { toCsv } from './csv';
import { type TableRows, useTableRows } from './rows';
import { type RowRange, TableGrid } from './table-grid';

const DELAY_MS = 200;
/** Maximum number of copied rows. */
const MAX_COPIED = 200_000;

export function TableView({ asset, item }: ViewProps) {
  const { query } = route.value;
  const sort = query.column ?? null;
  const order = query.order === 'down' ? 'down' : 'up';
  const filter = query.filter ?? '';
  const rows = useTableRows(asset.path, { item, ...choices.value, sort, order: sort === null ? null : order, filter });
  const [selected, setSelected] = useState<RowRange | null>(null);
  // Keep the columns while another order or filter is loading, to avoid layout shifts.
  const columns = useRef<string[] | null>(null);
  columns.current = rows.columns.value ?? columns.current;
  useEffect(() => setSelected(null), [rows]);
  const requestedRow = useRequestedRow(asset.path, {
    item,
    ...choices.value,
    sort,
    order: sort === null ? null : order,
    filter,
  });
  const { total } = rows;
  if (rows.failure !== null && columns.current === null)
    return <Failure reason={rows.failure} retry={() => rows.retry()} />;
  if (columns.current === null) return <Loading what="Reading the table…" />;
  const names = columns.current;
  return (
    <div class="is-filled">
      <div class="toolbar">
        <FilterBox value={filter} />
        <span class="faint" role="status">
          {rows.failure ?? (total === null ? 'Reading…' : counted(total, 'row'))}
          {selected && `, ${count(selected.end - selected.start)} selected`}
        </span>
        <div class="toolbar-end group">
          {selected && (
            <button
              type="button"
              class="button"
              onClick={() => void copyRows(rows, names, selected.start, selected.end)}
            >
              Copy selection
            </button>
          )}
          <button
            type="button"
            class="button"
            disabled={!total}
            onClick={() => void copyRows(rows, names, 0, total ?? 0)}
          >
            <Icon name="copy" />
            Copy as CSV
          </button>
        </div>
      </div>
      {total === 0 ? (
        <Empty>{filter === '' ? 'This table has no rows.' : 'No rows match the filter.'}</Empty>
      ) : (
        <TableGrid
          rows={rows}
          columns={names}
          sort={sort}
          order={order}
          selected={selected}
          requestedRow={requestedRow}
          onSelect={setSelected}
          onCopy={range => void copyRows(rows, names, range.start, range.end)}
          onSort={column => {
            if (column !== sort) patch({ column, order: null });
            else if (order === 'up') patch({ order: 'down' });
            else patch({ column: null, order: null });
          }}
        />
      )}
    </div>
  );
}

/** The index of the row selected in the URL by the text of a cell, once the program has found it. */
function useRequestedRow(path: string, query: Query): number | null {
  const text = route.value.query.row ?? '';
  const url = viewUrl(path, 'table', { ...query, find: text, from: 0, count: 1 });
  const answer = useRequest(text === '' ? '' : url, async signal =>
    text === '' ? null : (await getJson<TablePage>(url, signal)).found,
  );
  return answer.state === 'ready' ? answer.value : null;
}

function FilterBox({ value }: { value: string }) {
  const [text, setText] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => patch({ filter: text === '' ? null : text }), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="field-with-icon">
      <Icon name="search" />
      <input
        class="input"
        type="search"
        aria-label="Filter rows"
        placeholder="Filter rows"
        spellcheck={false}
        value={text}
        onInput={event => setText(event.currentTarget.value)}
      />
    </div>
  );
}

async function copyRows(rows: TableRows, columns: readonly string[], start: number, end: number): Promise<void> {
  try {
    const copied: Cell[][] = await rows.read(start, Math.min(end, start + MAX_COPIED));
    await copy(toCsv(columns, copied), counted(copied.length, 'row'));
  } catch (reason) {
    notify(errorMessage(reason));
  }
}
