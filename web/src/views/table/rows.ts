// The rows of a table, loaded page by page with a sort order and filter.

import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { getJson, type Query, viewUrl } from '../../api/request';
import type { Cell, TablePage } from '../../api/types';
import { TreeModel } from '../../list/tree-model';
import { limits } from '../../state/session';

const ROOT = '';
const PAGE = 200;

export class TableRows {
  readonly columns = signal<string[] | null>(null);
  readonly sounds = signal<string | null>(null);
  private readonly size = Math.min(PAGE, limits().rows);
  private readonly model: TreeModel<Cell[]>;

  constructor(path: string, query: Query) {
    this.model = new TreeModel<Cell[]>({
      pageSize: this.size,
      load: async (_, from, cancel) => {
        const page = await getJson<TablePage>(viewUrl(path, 'table', { ...query, from, count: this.size }), cancel);
        this.columns.value = page.columns;
        this.sounds.value = page.sounds;
        return { total: page.total, from: page.from, items: page.rows };
      },
      keyOf: () => '',
      isExpandable: () => false,
    });
    void this.model.ensure(ROOT, 0);
  }

  get total(): number | null {
    this.model.version.value;
    return this.model.total(ROOT);
  }

  get failure(): string | null {
    return this.model.failure(ROOT);
  }

  retry(): void {
    this.model.retry(ROOT);
  }

  at(index: number): Cell[] | undefined {
    return this.model.child(ROOT, index);
  }

  ensureLoaded(first: number, end: number): void {
    for (let index = first; index < end; index++) if (!this.at(index)) void this.model.ensure(ROOT, index);
  }

  /** Loads and returns the rows from `first` up to, but not including, `end`. */
  async read(first: number, end: number): Promise<Cell[][]> {
    for (let index = first; index < end; index += this.size) await this.model.ensure(ROOT, index);
    if (end > first) await this.model.ensure(ROOT, end - 1);
    const rows: Cell[][] = [];
    for (let index = first; index < end; index++) {
      const row = this.at(index);
      if (!row) throw new Error(this.failure ?? 'Some rows could not be read.');
      rows.push(row);
    }
    return rows;
  }

  dispose(): void {
    this.model.dispose();
  }
}

export function useTableRows(path: string, query: Query): TableRows {
  const rows = useMemo(() => new TableRows(path, query), [path, JSON.stringify(query)]);
  useEffect(() => () => rows.dispose(), [rows]);
  return rows;
}
