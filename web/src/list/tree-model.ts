// A tree whose branches are loaded page by page, as they come into sight.

import { signal } from '@preact/signals';
import { isAbort, sentence } from '../api/request';

export interface Page<T> {
  total: number;
  from: number;
  items: T[];
}

export interface TreeSource<T> {
  pageSize: number;
  /** Branches with no more children than this are loaded whole, one page after the other, so that scrolling finds them there. */
  wholeUpTo?: number;
  /** The children of an item, or of the whole for the empty key. */
  load(key: string, from: number, signal: AbortSignal): Promise<Page<T>>;
  keyOf(item: T): string;
  opens(item: T): boolean;
}

interface Branch<T> {
  items: (T | undefined)[];
  total: number | null;
  asked: Map<number, Promise<void>>;
  failure: string | null;
}

export type TreeRow<T> =
  | {
      state: 'item';
      item: T;
      key: string;
      depth: number;
      index: number;
      siblings: number;
      opens: boolean;
      open: boolean;
      parent: string;
    }
  | { state: 'waiting'; depth: number; index: number; parent: string }
  | { state: 'failed'; depth: number; parent: string; message: string }
  | { state: 'empty'; depth: number; parent: string };

export class TreeModel<T> {
  /** Changes whenever the rows do. */
  readonly version = signal(0);
  private readonly branches = new Map<string, Branch<T>>();
  private readonly opened = new Set<string>();
  private readonly controller = new AbortController();
  private kept: { version: number; rows: TreeRow<T>[] } | null = null;

  constructor(private readonly source: TreeSource<T>) {}

  dispose(): void {
    this.controller.abort();
  }

  isOpen(key: string): boolean {
    return this.opened.has(key);
  }

  open(key: string): Promise<void> {
    if (!this.opened.has(key)) {
      this.opened.add(key);
      this.change();
    }
    return this.ensure(key, 0);
  }

  close(key: string): void {
    if (this.opened.delete(key)) this.change();
  }

  toggle(key: string): void {
    if (this.isOpen(key)) this.close(key);
    else void this.open(key);
  }

  /** How many children a branch has, where that is known. */
  total(key: string): number | null {
    return this.branches.get(key)?.total ?? null;
  }

  child(key: string, index: number): T | undefined {
    return this.branches.get(key)?.items[index];
  }

  failure(key: string): string | null {
    return this.branches.get(key)?.failure ?? null;
  }

  retry(key: string): void {
    this.branches.delete(key);
    this.change();
    void this.ensure(key, 0);
  }

  /** Loads the page that holds a child, unless it is there or on its way. */
  ensure(key: string, index: number): Promise<void> {
    const branch = this.branch(key);
    const page = Math.floor(index / this.source.pageSize);
    const asked = branch.asked.get(page);
    if (asked) return asked;
    const asking = this.fetch(key, branch, page * this.source.pageSize).catch((reason: unknown) => {
      if (isAbort(reason)) return;
      branch.failure = sentence(reason);
      this.change();
    });
    branch.asked.set(page, asking);
    return asking;
  }

  /** Opens a way down to a key; every step but the last becomes an open branch. */
  async reveal(steps: readonly string[]): Promise<void> {
    let parent = '';
    for (const [depth, key] of steps.entries()) {
      if (!(await this.find(parent, key))) return;
      if (depth < steps.length - 1) await this.open(key);
      parent = key;
    }
  }

  rows(): TreeRow<T>[] {
    if (this.kept?.version !== this.version.value) {
      const rows: TreeRow<T>[] = [];
      this.flatten('', 0, rows);
      this.kept = { version: this.version.value, rows };
    }
    return this.kept.rows;
  }

  private async find(parent: string, key: string): Promise<boolean> {
    // The last number of an array's element says in which page it is; other children are looked for in order.
    const hint = /\[(\d+)\]$/.exec(key)?.[1];
    if (hint !== undefined) await this.ensure(parent, Number(hint));
    else await this.ensure(parent, 0);
    const branch = this.branch(parent);
    const has = () => branch.items.some(item => item !== undefined && this.source.keyOf(item) === key);
    for (let from = 0; !has() && from < (branch.total ?? 0); from += this.source.pageSize)
      await this.ensure(parent, from);
    return has();
  }

  private branch(key: string): Branch<T> {
    let branch = this.branches.get(key);
    if (!branch) {
      branch = { items: [], total: null, asked: new Map(), failure: null };
      this.branches.set(key, branch);
    }
    return branch;
  }

  private async fetch(key: string, branch: Branch<T>, from: number): Promise<void> {
    const page = await this.source.load(key, from, this.controller.signal);
    branch.total = page.total;
    branch.items.length = page.total;
    for (const [index, item] of page.items.entries()) branch.items[page.from + index] = item;
    this.change();
    if (page.total <= (this.source.wholeUpTo ?? 0)) this.goOn(key, branch);
  }

  private goOn(key: string, branch: Branch<T>): void {
    for (let from = 0; from < (branch.total ?? 0); from += this.source.pageSize) {
      if (branch.asked.has(from / this.source.pageSize)) continue;
      void this.ensure(key, from);
      return;
    }
  }

  private flatten(key: string, depth: number, rows: TreeRow<T>[]): void {
    const branch = this.branches.get(key);
    if (!branch || (branch.total === null && branch.failure === null)) {
      rows.push({ state: 'waiting', depth, index: 0, parent: key });
      return;
    }
    if (branch.failure !== null) {
      rows.push({ state: 'failed', depth, parent: key, message: branch.failure });
      return;
    }
    const total = branch.total ?? 0;
    if (total === 0) rows.push({ state: 'empty', depth, parent: key });
    for (let index = 0; index < total; index++) {
      const item = branch.items[index];
      if (item === undefined) {
        rows.push({ state: 'waiting', depth, index, parent: key });
        continue;
      }
      const itemKey = this.source.keyOf(item);
      const opens = this.source.opens(item);
      const open = opens && this.opened.has(itemKey);
      rows.push({ state: 'item', item, key: itemKey, depth, index, siblings: total, opens, open, parent: key });
      if (open) this.flatten(itemKey, depth + 1, rows);
    }
  }

  private change(): void {
    this.version.value += 1;
  }
}
