// Check results of files, requested page by page and only while needed.

import { signal } from '@preact/signals';
import { getJson, requestUrl } from '../api/request';
import type { CheckedFile, StatePage } from '../api/types';
import { loadNames, names } from './names';
import { nameOf, parentOf } from './route';

/** Incremented whenever results arrive. */
export const checksVersion = signal(0);

/** Progress of checking all files; null if not started. */
export const checkProgress = signal<{ checked: number; total: number } | null>(null);

type Listener = (folder: string, files: readonly CheckedFile[]) => void;

const folders = new Map<string, Map<string, CheckedFile>>();
/** Offset at which the check of a folder continues; null when complete. */
const nextOffsets = new Map<string, number | null>();
const listeners: Listener[] = [];
/** Serializes requests, so that checks do not delay an opened file. */
let queue: Promise<void> = Promise.resolve();

export function checkOf(path: string): CheckedFile | null {
  return folders.get(parentOf(path))?.get(nameOf(path)) ?? null;
}

/** Calls a listener with all known results and with future ones. */
export function onChecked(listener: Listener): void {
  for (const [folder, files] of folders) listener(folder, [...files.values()]);
  listeners.push(listener);
}

function store(page: StatePage): void {
  const files = folders.get(page.path) ?? new Map<string, CheckedFile>();
  for (const file of page.files) files.set(file.name, file);
  folders.set(page.path, files);
  nextOffsets.set(page.path, page.next);
  for (const listener of listeners) listener(page.path, page.files);
  checksVersion.value += 1;
}

async function checkPage(folder: string, from: number, signal: AbortSignal): Promise<number | null> {
  const request = queue.then(async () => {
    if (signal.aborted) return null;
    const page = await getJson<StatePage>(requestUrl('states', null, { at: folder, from }), signal);
    store(page);
    return page.next;
  });
  queue = request.then(
    () => undefined,
    () => undefined,
  );
  return request;
}

/** Checks the files of a folder from the start; the program caches unchanged files. */
export async function checkFolder(folder: string, signal: AbortSignal): Promise<void> {
  try {
    for (let from: number | null = 0; from !== null && !signal.aborted; ) from = await checkPage(folder, from, signal);
  } catch {
    // Aborted, or the folder cannot be read, which its page reports.
  }
}

/** Checks all files, continuing an earlier check. */
export async function checkAll(signal: AbortSignal): Promise<void> {
  await loadNames();
  const all = names.value?.folders ?? [];
  const total = all.reduce((sum, folder) => sum + folder.names.length, 0);
  let checked = 0;
  for (const folder of all) {
    let from = nextOffsets.get(folder.path);
    if (from === undefined) from = 0;
    const before = checked;
    while (from !== null && !signal.aborted) {
      checkProgress.value = { checked: before + from, total };
      try {
        from = await checkPage(folder.path, from, signal);
      } catch {
        // Skip a folder that cannot be read.
        from = null;
      }
    }
    if (signal.aborted) return;
    checked = before + folder.names.length;
    checkProgress.value = { checked, total };
  }
}
