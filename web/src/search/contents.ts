// Searches file contents, like `antiquary find`. Matches are shown as they arrive.

import { useEffect, useState } from 'preact/hooks';
import { errorMessage, getLines, isAbort, requestUrl } from '../api/request';
import type { SearchHit, SearchLine } from '../api/types';
import { count, counted } from '../text/number';
import type { Result } from './results';

const MIN_LENGTH = 2;
const DELAY_MS = 350;
/** Minimum time between updates of the list, in milliseconds; hundreds of lines may arrive per second. */
const UPDATE_MS = 100;

interface Found {
  query: string;
  results: readonly Result[];
  files: number;
  failed: number;
  truncated: boolean;
  warning: string;
  state: 'searching' | 'done' | { failure: string };
}

const emptyResults = (query: string): Found => ({
  query,
  results: [],
  files: 0,
  failed: 0,
  truncated: false,
  warning: '',
  state: 'searching',
});

export function useContents(query: string): { results: readonly Result[]; status: string } {
  const trimmed = query.trim();
  const [found, setFound] = useState<Found>(() => emptyResults(''));
  useEffect(() => {
    if (trimmed.length < MIN_LENGTH) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => void search(trimmed, controller.signal, setFound), DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [trimmed]);
  if (trimmed.length < MIN_LENGTH) return { results: [], status: '' };
  if (found.query !== trimmed) return { results: [], status: 'Searching in all files…' };
  return { results: found.results, status: statusOf(found) };
}

function statusOf({ results, files, failed, truncated, warning, state }: Found): string {
  if (typeof state === 'object') return state.failure;
  const matches = `${counted(results.length, 'match', 'matches')} in ${counted(files, 'file')}`;
  if (state === 'searching') return results.length === 0 ? 'Searching in all files…' : `${matches} so far. Searching…`;
  const damaged =
    failed === 0 ? '' : ` ${count(failed)} damaged ${failed === 1 ? 'file' : 'files'} could not be searched.`;
  const notes = damaged + (warning && ` ${warning}.`);
  if (results.length === 0) return `No matches in file contents.${notes}`;
  return `${matches}${truncated ? ', and more' : ''}.${notes}`;
}

/** Searches until done or aborted, showing intermediate results. */
async function search(query: string, signal: AbortSignal, show: (found: Found) => void): Promise<void> {
  const found = emptyResults(query);
  const results: Result[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  const update = () => {
    timer = null;
    if (!signal.aborted) show({ ...found, results: results.slice() });
  };
  update();
  try {
    await getLines<SearchLine>(requestUrl('find', null, { q: query }), signal, lines => {
      for (const { path, places, error, truncated, warning } of lines) {
        if (truncated) found.truncated = true;
        if (error) found.failed += 1;
        if (warning) found.warning = warning;
        if (path === undefined || !places) continue;
        found.files += 1;
        // Matches of file names are found by the name search; the number of a world is not a part of the name of its map.
        for (const hit of places)
          if (hit.field || hit.offset !== null || hit.kind === 'world') results.push(toResult(path, hit));
      }
      timer ??= setTimeout(update, results.length === 0 ? 0 : UPDATE_MS);
    });
    found.state = 'done';
  } catch (reason) {
    if (isAbort(reason)) return;
    found.state = { failure: errorMessage(reason) };
  }
  if (timer !== null) clearTimeout(timer);
  update();
}

/** A search result that opens in the most suitable view: a table row, a script line or an object in a scene. */
function toResult(path: string, hit: SearchHit): Result {
  return {
    path,
    marks: [],
    found: { kind: hit.kind, text: hit.text, field: hit.field },
    target: targetOf(hit),
  };
}

function targetOf({ field, view, text, offset }: SearchHit): Record<string, string> {
  if (view === 'table') return { view, row: text };
  if (field && view === 'script') {
    // A statement is not a field; link to the record of its owner.
    const statement = /\.script\[(0x[0-9a-f]+)\]$/i.exec(field)?.[1];
    return { view, at: field.slice(0, field.lastIndexOf('].') + 1), ...(statement === undefined ? {} : { statement }) };
  }
  if (field && view !== null) return { view, at: field };
  if (field) return { view: 'both', at: field };
  return offset === null ? {} : { view: 'bytes', offset: String(offset) };
}
