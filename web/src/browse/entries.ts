// The entries of a folder in the requested order.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Entry } from '../api/types';
import { checkOf, checksVersion } from '../state/checks';
import { folders, PAGE } from '../state/folders';
import { formatOf } from '../state/session';

export type SortKey = 'name' | 'length' | 'format';

/** The largest number of entries fetched for sorting or filtering. */
export const MAX_SORTED = 20_000;

export interface Entries {
  /** Number of entries shown; null until known. */
  total: number | null;
  /** Number of entries in the folder, ignoring filters; null until known. */
  all: number | null;
  /** Number of checked files and of all files, set only when filtering by state. */
  checked: number;
  files: number;
  failure: string | null;
  /** The entry at an index, if loaded; `ensureLoaded` loads a range. */
  at(index: number): Entry | undefined;
  ensureLoaded(first: number, end: number): void;
  /** Whether all entries are being fetched for sorting. */
  sorting: boolean;
}

/** The sorted entries of a folder, optionally only the files with a given state. */
export function useEntries(path: string, sort: SortKey, order: 'up' | 'down', only: string | null = null): Entries {
  const version = folders.version.value;
  const checks = only === null ? 0 : checksVersion.value;
  useEffect(() => {
    void folders.ensure(path, 0);
  }, [path]);
  const total = folders.total(path);
  const needsAll = (sort !== 'name' || order === 'down' || only !== null) && total !== null && total <= MAX_SORTED;
  const [complete, setComplete] = useState(false);
  useEffect(() => {
    if (!needsAll || total === null) return;
    let isCancelled = false;
    void (async () => {
      for (let from = 0; from < total && !isCancelled; from += PAGE) await folders.ensure(path, from);
      if (!isCancelled) setComplete(true);
    })();
    return () => {
      isCancelled = true;
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
  const matching = useMemo(
    () => (sorted && only !== null ? files.filter(entry => checkOf(entry.path)?.state === only) : sorted),
    [sorted, files, only, checks],
  );
  const isFiltered = only !== null && needsAll;
  return {
    total: isFiltered ? (matching?.length ?? 0) : total,
    all: total,
    checked: isFiltered ? files.filter(entry => checkOf(entry.path) !== null).length : 0,
    files: files.length,
    failure: folders.failure(path),
    at: index => (matching ? matching[index] : isFiltered ? undefined : folders.child(path, index)),
    ensureLoaded(first, end) {
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
