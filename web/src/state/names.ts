// All names of all roots, and the format of each: what the search looks through.

import { signal } from '@preact/signals';
import { address, getJson, sentence } from '../api/request';
import type { Kinds, Names } from '../api/types';
import { nameOf, parentOf } from './route';

export const names = signal<Names | null>(null);
export const namesFailure = signal<string | null>(null);
export const kinds = signal<Kinds | null>(null);
export const kindsFailure = signal<string | null>(null);

let folders: Map<string, Set<string>> | null = null;
let asked: Promise<void> | null = null;
let askedKinds: Promise<void> | null = null;

export function loadNames(): Promise<void> {
  asked ??= getJson<Names>(address('names', null)).then(
    answer => {
      names.value = answer;
      namesFailure.value = null;
    },
    (reason: unknown) => {
      namesFailure.value = sentence(reason);
      // The next who wants them may have more luck.
      asked = null;
    },
  );
  return asked;
}

/** Reads the beginning of every file, so it is asked only when somebody wants to filter. */
export function loadKinds(): Promise<void> {
  askedKinds ??= getJson<Kinds>(address('kinds', null)).then(
    answer => {
      kinds.value = answer;
      kindsFailure.value = null;
    },
    (reason: unknown) => {
      kindsFailure.value = sentence(reason);
      askedKinds = null;
    },
  );
  return askedKinds;
}

/** Whether a path is a file, where all names are known. */
export function isFile(path: string): boolean {
  if (!folders && names.value)
    folders = new Map(names.value.folders.map(folder => [folder.path, new Set(folder.names)]));
  return folders?.get(parentOf(path))?.has(nameOf(path)) ?? false;
}

export function isFolder(path: string): boolean {
  if (path === '') return true;
  if (!names.value) return false;
  return names.value.folders.some(folder => folder.path === path || folder.path.startsWith(`${path}/`));
}
