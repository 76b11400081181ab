// The page's interface to the search worker.

import { effect, signal } from '@preact/signals';
import { onChecked } from '../state/checks';
import { extensionRanks } from '../state/kinds';
import { kinds, loadKinds, loadNames, names } from '../state/names';
import { session } from '../state/session';
import type { Answer, Filter, Request } from './messages';

/** Minimum time between repeated searches, in milliseconds. */
const RETRY_MS = 200;

export const nameMatches = signal<Answer | null>(null);

let worker: Worker | null = null;
let last = 0;
let current: { query: string; filter: Filter } | null = null;

function post(request: Request): void {
  worker?.postMessage(request);
}

function start(): void {
  worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', (event: MessageEvent<Answer>) => {
    if (event.data.id === last) nameMatches.value = event.data;
  });
  void loadNames();
  effect(() => {
    const open = session.value;
    if (!names.value || !open) return;
    post({
      type: 'names',
      folders: names.value.folders,
      roots: open.roots.map(({ name, game }) => ({ name, game })),
      ranks: extensionRanks.value,
    });
    requestSearch();
  });
  effect(() => {
    const open = session.value;
    if (!kinds.value || !open) return;
    post({
      type: 'kinds',
      folders: kinds.value.folders,
      formats: open.formats.map(({ id, game, views }) => ({ id, game, views })),
    });
    requestSearch();
  });
  onChecked((folder, files) => {
    post({ type: 'states', folder, files: files.map(({ name, state }) => ({ name, state })) });
    if (current && needsChecks(current.filter)) scheduleSearch();
  });
}

let isScheduled = false;

/** Schedules a repeated search with the data available by then. */
function scheduleSearch(): void {
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(() => {
    isScheduled = false;
    requestSearch();
  }, RETRY_MS);
}

/** Whether a filter depends on what `check` finds in the files. */
export function needsChecks(filter: Filter): boolean {
  return filter.state === 'error' || filter.state === 'warning';
}

/** Whether a filter depends on the formats of the files. */
export function needsKinds(filter: Filter): boolean {
  return filter.format !== '' || filter.view !== '' || filter.state === 'known' || filter.state === 'unknown';
}

function requestSearch(): void {
  if (!current || !names.peek()) return;
  last += 1;
  post({ type: 'search', id: last, ...current });
}

export function searchNames(query: string, filter: Filter): void {
  if (!worker) start();
  if (needsKinds(filter)) void loadKinds();
  current = { query, filter };
  requestSearch();
}
