// The file that a name in another file means: by its path, or by its own name alone.

import { effect } from '@preact/signals';
import { names } from './names';
import { ancestry } from './route';

/** The paths of each root by the names of files, in lower case. */
const indices = new Map<string, ReadonlyMap<string, readonly string[]>>();

effect(() => {
  if (names.value) indices.clear();
});

function indexOf(root: string): ReadonlyMap<string, readonly string[]> {
  const known = indices.get(root);
  if (known) return known;
  const byName = new Map<string, string[]>();
  for (const folder of names.peek()?.folders ?? []) {
    if (folder.path !== root && !folder.path.startsWith(`${root}/`)) continue;
    for (const name of folder.names) {
      const key = name.toLowerCase();
      byName.set(key, [...(byName.get(key) ?? []), `${folder.path}/${name}`]);
    }
  }
  indices.set(root, byName);
  return byName;
}

/** How many names two paths have in common, from the end on. */
function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

/** How many folders two paths have in common, from the root on. */
function commonStart(a: string, b: string): number {
  const [first, second] = [a.split('/'), b.split('/')];
  let count = 0;
  while (count < first.length && first[count] === second[count]) count += 1;
  return count;
}

/** The file of the same game that fits a name best, seen from a file; null where there is none. Letter case does not matter. */
export function lookUp(name: string, from: string): string | null {
  names.value;
  const [root = ''] = ancestry(from);
  const parts = name
    .toLowerCase()
    .split(/[\\/]/)
    .filter(part => part !== '');
  const own = parts[parts.length - 1];
  if (own === undefined) return null;
  const found = indexOf(root).get(own) ?? [];
  const worth = (path: string) => commonEnd(path.toLowerCase().split('/'), parts) * 100 + commonStart(path, from);
  return found.reduce<string | null>((best, path) => (best !== null && worth(best) >= worth(path) ? best : path), null);
}
