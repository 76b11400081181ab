// Searching what is in the files, as `antiquary find` does. Each file is shown as soon as something is found in it.

import { useEffect, useState } from 'preact/hooks';
import { address, getLines, isAbort, sentence } from '../api/request';
import type { FoundLine, FoundPlace } from '../api/types';
import { count, counted } from '../text/number';
import type { Result } from './results';

const SHORTEST = 2;
const WAIT = 350;
/** Lines may come by hundreds a second; the list is drawn anew no more often than this, in milliseconds. */
const DRAWN = 100;

interface Found {
  query: string;
  results: readonly Result[];
  files: number;
  failed: number;
  truncated: boolean;
  warning: string;
  state: 'searching' | 'done' | { failure: string };
}

const nothing = (query: string): Found => ({
  query,
  results: [],
  files: 0,
  failed: 0,
  truncated: false,
  warning: '',
  state: 'searching',
});

export function useContents(query: string): { results: readonly Result[]; status: string } {
  const wanted = query.trim();
  const [found, setFound] = useState<Found>(() => nothing(''));
  useEffect(() => {
    if (wanted.length < SHORTEST) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => void search(wanted, controller.signal, setFound), WAIT);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [wanted]);
  if (wanted.length < SHORTEST) return { results: [], status: '' };
  if (found.query !== wanted) return { results: [], status: 'Searching in all files…' };
  return { results: found.results, status: statusOf(found) };
}

function statusOf({ results, files, failed, truncated, warning, state }: Found): string {
  if (typeof state === 'object') return state.failure;
  const places = `${counted(results.length, 'place')} in ${counted(files, 'file')}`;
  if (state === 'searching') return results.length === 0 ? 'Searching in all files…' : `${places} so far. Searching…`;
  const damaged =
    failed === 0 ? '' : ` ${count(failed)} damaged ${failed === 1 ? 'file' : 'files'} could not be searched.`;
  const notes = damaged + (warning && ` ${warning}.`);
  if (results.length === 0) return `Nothing in the files.${notes}`;
  return `${places}${truncated ? ', and more' : ''}.${notes}`;
}

/** Searches until it is done or aborted, and shows what there is from time to time. */
async function search(query: string, signal: AbortSignal, show: (found: Found) => void): Promise<void> {
  const found = nothing(query);
  const results: Result[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  const draw = () => {
    timer = null;
    if (!signal.aborted) show({ ...found, results: results.slice() });
  };
  draw();
  try {
    await getLines<FoundLine>(address('find', null, { q: query }), signal, lines => {
      for (const { path, places, error, truncated, warning } of lines) {
        if (truncated) found.truncated = true;
        if (error) found.failed += 1;
        if (warning) found.warning = warning;
        if (path === undefined || !places) continue;
        found.files += 1;
        // That a file is called so is what the search of names finds.
        for (const place of places) if (place.field || place.offset !== null) results.push(toResult(path, place));
      }
      timer ??= setTimeout(draw, results.length === 0 ? 0 : DRAWN);
    });
    found.state = 'done';
  } catch (reason) {
    if (isAbort(reason)) return;
    found.state = { failure: sentence(reason) };
  }
  if (timer !== null) clearTimeout(timer);
  draw();
}

/** The place is opened in the view that shows it best: a row of a table, a line of a script, a thing in its picture. */
function toResult(path: string, place: FoundPlace): Result {
  return {
    path,
    marks: [],
    found: { kind: place.kind, text: place.text, field: place.field },
    target: targetOf(place),
  };
}

function targetOf({ field, view, text, offset }: FoundPlace): Record<string, string> {
  if (view === 'table') return { view, row: text };
  if (field && view === 'script') {
    // A statement is no field: the record of the owner is.
    const statement = /\.script\[(0x[0-9a-f]+)\]$/i.exec(field)?.[1];
    return { view, at: field.slice(0, field.lastIndexOf('].') + 1), ...(statement === undefined ? {} : { statement }) };
  }
  if (field && view !== null) return { view, at: field };
  if (field) return { view: 'both', at: field };
  return offset === null ? {} : { view: 'bytes', offset: String(offset) };
}
