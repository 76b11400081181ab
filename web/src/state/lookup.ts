// Resolves file names that occur in other files, by path or by base name.

import { effect } from '@preact/signals';
import { names } from './names';
import { ancestry } from './route';

/** Paths by lowercase file name, for each root. */
const pathsByName = new Map<string, ReadonlyMap<string, readonly string[]>>();

effect(() => {
  if (names.value) pathsByName.clear();
});

function indexOf(root: string): ReadonlyMap<string, readonly string[]> {
  const cached = pathsByName.get(root);
  if (cached) return cached;
  const byName = new Map<string, string[]>();
  for (const folder of names.peek()?.folders ?? []) {
    if (folder.path !== root && !folder.path.startsWith(`${root}/`)) continue;
    for (const name of folder.names) {
      const key = name.toLowerCase();
      byName.set(key, [...(byName.get(key) ?? []), `${folder.path}/${name}`]);
    }
  }
  pathsByName.set(root, byName);
  return byName;
}

/** Number of common trailing path segments. */
function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

/** Number of common leading path segments. */
function commonStart(a: string, b: string): number {
  const [first, second] = [a.split('/'), b.split('/')];
  let count = 0;
  while (count < first.length && first[count] === second[count]) count += 1;
  return count;
}

/** The best match for a file name in the game of the file `from`, ignoring letter case; null if there is none. */
export function resolveFile(name: string, from: string): string | null {
  names.value;
  const [root = ''] = ancestry(from);
  const parts = name
    .toLowerCase()
    .split(/[\\/]/)
    .filter(part => part !== '');
  const fileName = parts[parts.length - 1];
  if (fileName === undefined) return null;
  const found = indexOf(root).get(fileName) ?? [];
  const score = (path: string) => commonEnd(path.toLowerCase().split('/'), parts) * 100 + commonStart(path, from);
  return found.reduce<string | null>((best, path) => (best !== null && score(best) >= score(path) ? best : path), null);
}
