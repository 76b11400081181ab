// All file names of all roots and their formats, for the search.

import { signal } from '@preact/signals';
import { errorMessage, getJson, requestUrl } from '../api/request';
import type { Kinds, Names } from '../api/types';
import { nameOf, parentOf } from './route';

export const names = signal<Names | null>(null);
export const namesFailure = signal<string | null>(null);
export const kinds = signal<Kinds | null>(null);
export const kindsFailure = signal<string | null>(null);

let folders: Map<string, Set<string>> | null = null;
let namesRequest: Promise<void> | null = null;
let kindsRequest: Promise<void> | null = null;

export function loadNames(): Promise<void> {
  namesRequest ??= getJson<Names>(requestUrl('names', null)).then(
    answer => {
      names.value = answer;
      namesFailure.value = null;
    },
    (reason: unknown) => {
      namesFailure.value = errorMessage(reason);
      // Allow a retry.
      namesRequest = null;
    },
  );
  return namesRequest;
}

/** Loads the formats of all files. The program reads the start of every file, so this is only requested for filters. */
export function loadKinds(): Promise<void> {
  kindsRequest ??= getJson<Kinds>(requestUrl('kinds', null)).then(
    answer => {
      kinds.value = answer;
      kindsFailure.value = null;
    },
    (reason: unknown) => {
      kindsFailure.value = errorMessage(reason);
      kindsRequest = null;
    },
  );
  return kindsRequest;
}

/** Whether a path is a file, according to the loaded names. */
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
