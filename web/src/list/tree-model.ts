// A tree whose branches are loaded page by page as rows become visible.

import { signal } from '@preact/signals';
import { errorMessage, isAbort } from '../api/request';

export interface Page<T> {
  total: number;
  from: number;
  items: T[];
}

export interface TreeSource<T> {
  pageSize: number;
  /** Branches with at most this many children are loaded completely, page after page, so that scrolling never waits. */
  eagerLimit?: number;
  /** Loads children of an item; the empty key is the root. */
  load(key: string, from: number, signal: AbortSignal): Promise<Page<T>>;
  keyOf(item: T): string;
  isExpandable(item: T): boolean;
}

interface Branch<T> {
  items: (T | undefined)[];
  total: number | null;
  requests: Map<number, Promise<void>>;
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
      isExpandable: boolean;
      open: boolean;
      parent: string;
    }
  | { state: 'waiting'; depth: number; index: number; parent: string }
  | { state: 'failed'; depth: number; parent: string; message: string }
  | { state: 'empty'; depth: number; parent: string };

export class TreeModel<T> {
  /** Incremented whenever the rows change. */
  readonly version = signal(0);
  private readonly branches = new Map<string, Branch<T>>();
  private readonly opened = new Set<string>();
  private readonly controller = new AbortController();
  private cached: { version: number; rows: TreeRow<T>[] } | null = null;

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

  /** The number of children of a branch; null until known. */
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

  /** Loads the page that contains a child, unless it is loaded or being loaded. */
  ensure(key: string, index: number): Promise<void> {
    const branch = this.branch(key);
    const page = Math.floor(index / this.source.pageSize);
    const pending = branch.requests.get(page);
    if (pending) return pending;
    const request = this.fetch(key, branch, page * this.source.pageSize).catch((reason: unknown) => {
      if (isAbort(reason)) return;
      branch.failure = errorMessage(reason);
      this.change();
    });
    branch.requests.set(page, request);
    return request;
  }

  /** Expands all ancestors of a key; `steps` lists them from the root, followed by the key. */
  async reveal(steps: readonly string[]): Promise<void> {
    let parent = '';
    for (const [depth, key] of steps.entries()) {
      if (!(await this.find(parent, key))) return;
      if (depth < steps.length - 1) await this.open(key);
      parent = key;
    }
  }

  rows(): TreeRow<T>[] {
    if (this.cached?.version !== this.version.value) {
      const rows: TreeRow<T>[] = [];
      this.flatten('', 0, rows);
      this.cached = { version: this.version.value, rows };
    }
    return this.cached.rows;
  }

  private async find(parent: string, key: string): Promise<boolean> {
    // The index of an array element determines its page; other children are searched in order.
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
      branch = { items: [], total: null, requests: new Map(), failure: null };
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
    if (page.total <= (this.source.eagerLimit ?? 0)) this.loadNextPage(key, branch);
  }

  private loadNextPage(key: string, branch: Branch<T>): void {
    for (let from = 0; from < (branch.total ?? 0); from += this.source.pageSize) {
      if (branch.requests.has(from / this.source.pageSize)) continue;
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
      const isExpandable = this.source.isExpandable(item);
      const open = isExpandable && this.opened.has(itemKey);
      rows.push({ state: 'item', item, key: itemKey, depth, index, siblings: total, isExpandable, open, parent: key });
      if (open) this.flatten(itemKey, depth + 1, rows);
    }
  }

  private change(): void {
    this.version.value += 1;
  }
}
