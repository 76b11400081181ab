// What `check` finds in the files: the state of each, asked for a part of a folder at a time, and only while somebody wants it.

import { signal } from '@preact/signals';
import { address, getJson } from '../api/request';
import type { CheckedFile, StatePage } from '../api/types';
import { loadNames, names } from './names';
import { nameOf, parentOf } from './route';

/** Changes whenever more is known. */
export const checksVersion = signal(0);

/** How far the check of all files is; null while there is none. */
export const checkProgress = signal<{ checked: number; total: number } | null>(null);

type Listener = (folder: string, files: readonly CheckedFile[]) => void;

const folders = new Map<string, Map<string, CheckedFile>>();
/** Where the check of a folder goes on that was left; folders that are done are at null. */
const reached = new Map<string, number | null>();
const listeners: Listener[] = [];
/** One request after the other: what one opens must not wait behind many checks. */
let queue: Promise<void> = Promise.resolve();

export function checkOf(path: string): CheckedFile | null {
  return folders.get(parentOf(path))?.get(nameOf(path)) ?? null;
}

/** Tells of all that is known, and of what comes. */
export function onChecked(listener: Listener): void {
  for (const [folder, files] of folders) listener(folder, [...files.values()]);
  listeners.push(listener);
}

function keep(page: StatePage): void {
  const files = folders.get(page.path) ?? new Map<string, CheckedFile>();
  for (const file of page.files) files.set(file.name, file);
  folders.set(page.path, files);
  reached.set(page.path, page.next);
  for (const listener of listeners) listener(page.path, page.files);
  checksVersion.value += 1;
}

async function checkPart(folder: string, from: number, signal: AbortSignal): Promise<number | null> {
  const asked = queue.then(async () => {
    if (signal.aborted) return null;
    const page = await getJson<StatePage>(address('states', null, { at: folder, from }), signal);
    keep(page);
    return page.next;
  });
  queue = asked.then(
    () => undefined,
    () => undefined,
  );
  return asked;
}

/** Checks the files of a folder from the beginning: the program remembers those that have not changed. */
export async function checkFolder(folder: string, signal: AbortSignal): Promise<void> {
  try {
    for (let from: number | null = 0; from !== null && !signal.aborted; ) from = await checkPart(folder, from, signal);
  } catch {
    // Left, or the folder cannot be read: its page says so.
  }
}

/** Checks all files, from where that was left. */
export async function checkAll(signal: AbortSignal): Promise<void> {
  await loadNames();
  const all = names.value?.folders ?? [];
  const total = all.reduce((sum, folder) => sum + folder.names.length, 0);
  let checked = 0;
  for (const folder of all) {
    let from = reached.get(folder.path);
    if (from === undefined) from = 0;
    const before = checked;
    while (from !== null && !signal.aborted) {
      checkProgress.value = { checked: before + from, total };
      try {
        from = await checkPart(folder.path, from, signal);
      } catch {
        // A folder that cannot be read any more has nothing to be found in.
        from = null;
      }
    }
    if (signal.aborted) return;
    checked = before + folder.names.length;
    checkProgress.value = { checked, total };
  }
}
