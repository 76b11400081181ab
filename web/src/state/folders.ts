// The folders of all roots, shared by the file tree and the folder pages.

import { getJson, requestUrl } from '../api/request';
import type { Entry, TreePage } from '../api/types';
import { TreeModel } from '../list/tree-model';
import { limits, session } from './session';

export const PAGE = 500;

function roots(): Entry[] {
  return (session.value?.roots ?? []).map(root => ({
    name: root.name,
    path: root.name,
    kind: 'folder',
    length: null,
    format: null,
  }));
}

export const folders = new TreeModel<Entry>({
  pageSize: PAGE,
  eagerLimit: 50_000,
  async load(key, from, signal) {
    if (key === '') return { total: roots().length, from: 0, items: roots() };
    const count = Math.min(PAGE, limits().count);
    const page = await getJson<TreePage>(requestUrl('tree', null, { at: key, from, count }), signal);
    return { total: page.total, from: page.from, items: page.entries };
  },
  keyOf: entry => entry.path,
  isExpandable: entry => entry.kind !== 'file',
});

/** The entry of a path, if the tree has loaded it. */
export function knownEntry(path: string): Entry | null {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const total = folders.total(parent) ?? 0;
  for (let index = 0; index < total; index++) {
    const entry = folders.child(parent, index);
    if (entry?.path === path) return entry;
  }
  return null;
}
