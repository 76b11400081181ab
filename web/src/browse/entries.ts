// The entries of a folder in the order that was asked for.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Entry } from '../api/types';
import { checkOf, checksVersion } from '../state/checks';
import { folders, PAGE } from '../state/folders';
import { formatOf } from '../state/session';

export type SortKey = 'name' | 'length' | 'format';

/** More entries than this are not fetched only to sort them. */
export const SORTABLE = 20_000;

export interface Entries {
  /** How many are shown; null while that is not known. */
  total: number | null;
  /** How many the folder has, whatever is shown. */
  all: number | null;
  /** How many of the files are checked, and how many there are; only where states are asked for. */
  checked: number;
  files: number;
  failure: string | null;
  /** The entry at a place of the order, where it is loaded; `see` loads it. */
  at(index: number): Entry | undefined;
  see(first: number, end: number): void;
  /** Whether all entries are being fetched, to sort them. */
  sorting: boolean;
}

/** The entries in an order; only the files of a state, where one is given. */
export function useEntries(path: string, sort: SortKey, order: 'up' | 'down', only: string | null = null): Entries {
  const version = folders.version.value;
  const checks = only === null ? 0 : checksVersion.value;
  useEffect(() => {
    void folders.ensure(path, 0);
  }, [path]);
  const total = folders.total(path);
  const needsAll = (sort !== 'name' || order === 'down' || only !== null) && total !== null && total <= SORTABLE;
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
  const sorted = useMemo(
    () => (needsAll && complete ? sortEntries(path, total ?? 0, sort, order) : null),
    [needsAll, complete, sort, order, version],
  );
  const files = useMemo(
    () => (sorted && only !== null ? sorted.filter(entry => entry.kind !== 'folder') : []),
    [sorted, only],
  );
  const fitting = useMemo(
    () => (sorted && only !== null ? files.filter(entry => checkOf(entry.path)?.state === only) : sorted),
    [sorted, files, only, checks],
  );
  const isFiltered = only !== null && needsAll;
  return {
    total: isFiltered ? (fitting?.length ?? 0) : total,
    all: total,
    checked: isFiltered ? files.filter(entry => checkOf(entry.path) !== null).length : 0,
    files: files.length,
    failure: folders.failure(path),
    at: index => (fitting ? fitting[index] : isFiltered ? undefined : folders.child(path, index)),
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
