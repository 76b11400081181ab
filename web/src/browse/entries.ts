// The entries of a folder in the order that was asked for.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Entry } from '../api/types';
import { folders, PAGE } from '../state/folders';
import { formatOf } from '../state/session';

export type SortKey = 'name' | 'length' | 'format';

/** More entries than this are not fetched only to sort them. */
export const SORTABLE = 20_000;

export interface Entries {
  total: number | null;
  failure: string | null;
  /** The entry at a place of the order, where it is loaded; `see` loads it. */
  at(index: number): Entry | undefined;
  see(first: number, end: number): void;
  /** Whether all entries are being fetched, to sort them. */
  sorting: boolean;
}

export function useEntries(path: string, sort: SortKey, order: 'up' | 'down'): Entries {
  const version = folders.version.value;
  useEffect(() => {
    void folders.ensure(path, 0);
  }, [path]);
  const total = folders.total(path);
  const needsAll = (sort !== 'name' || order === 'down') && total !== null && total <= SORTABLE;
  const [complete, setComplete] = useState(false);
  useEffect(() => {
    if (!needsAll || total === null) return;
    let left = false;
    void (async () => {
      for (let from = 0; from < total && !left; from += PAGE) await folders.ensure(path, from);
      if (!left) setComplete(true);
    })();
    return () => {
      left = true;
    };
  }, [needsAll, total, path]);
  const sorted = useMemo(() => (needsAll && complete ? sortEntries(path, total ?? 0, sort, order) : null), [needsAll, complete, sort, order, version]);
  return {
    total,
    failure: folders.failure(path),
    at: (index) => (sorted ? sorted[index] : folders.child(path, index)),
    see(first, end) {
      if (sorted || total === null) return;
      for (let index = first; index < end; index++) if (!folders.child(path, index)) void folders.ensure(path, index);
    },
    sorting: needsAll && !complete,
  };
}

function sortEntries(path: string, total: number, sort: SortKey, order: 'up' | 'down'): Entry[] {
  const entries: Entry[] = [];
  for (let index = 0; index < total; index++) {
    const entry = folders.child(path, index);
    if (entry) entries.push(entry);
  }
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const sign = order === 'up' ? 1 : -1;
  const rank = (entry: Entry) => (entry.kind === 'folder' ? 0 : 1);
  const compare = (a: Entry, b: Entry) => {
    if (sort === 'length') return (a.length ?? -1) - (b.length ?? -1);
    if (sort === 'format') return collator.compare(formatLabel(a), formatLabel(b));
    return 0;
  };
  return entries.sort((a, b) => rank(a) - rank(b) || sign * (compare(a, b) || collator.compare(a.name, b.name)));
}

export function formatLabel(entry: Entry): string {
  if (entry.kind === 'folder') return 'Folder';
  return formatOf(entry.format)?.name ?? (entry.kind === 'archive' ? 'Archive' : '');
}
