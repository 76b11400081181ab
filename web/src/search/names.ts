// The searching worker, seen from the page.

import { effect, signal } from '@preact/signals';
import { onChecked } from '../state/checks';
import { extensionRanks } from '../state/kinds';
import { kinds, loadKinds, loadNames, names } from '../state/names';
import { session } from '../state/session';
import type { Answer, Filter, Request } from './messages';

/** Milliseconds. */
const AGAIN = 200;

export const nameMatches = signal<Answer | null>(null);

let worker: Worker | null = null;
let last = 0;
let wanted: { query: string; filter: Filter } | null = null;

function tell(request: Request): void {
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
    tell({
      type: 'names',
      folders: names.value.folders,
      roots: open.roots.map(({ name, game }) => ({ name, game })),
      ranks: extensionRanks.value,
    });
    ask();
  });
  effect(() => {
    const open = session.value;
    if (!kinds.value || !open) return;
    tell({
      type: 'kinds',
      folders: kinds.value.folders,
      formats: open.formats.map(({ id, game, views }) => ({ id, game, views })),
    });
    ask();
  });
  onChecked((folder, files) => {
    tell({ type: 'states', folder, files: files.map(({ name, state }) => ({ name, state })) });
    if (wanted && needsChecks(wanted.filter)) askLater();
  });
}

let isScheduled = false;

/** Asks again with what is known by then, not more often than one can look. */
function askLater(): void {
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(() => {
    isScheduled = false;
    ask();
  }, AGAIN);
}

/** Whether a filter depends on what `check` finds in the files. */
export function needsChecks(filter: Filter): boolean {
  return filter.state === 'error' || filter.state === 'warning';
}

/** Whether a filter depends on the formats of the files. */
export function needsKinds(filter: Filter): boolean {
  return filter.format !== '' || filter.view !== '' || filter.state === 'known' || filter.state === 'unknown';
}

function ask(): void {
  if (!wanted || !names.peek()) return;
  last += 1;
  tell({ type: 'search', id: last, ...wanted });
}

export function searchNames(query: string, filter: Filter): void {
  if (!worker) start();
  if (needsKinds(filter)) void loadKinds();
  wanted = { query, filter };
  ask();
}
