// File kinds in the player's terms: rooms, characters, maps, models, sounds. Derived from names, without opening files.

import { computed } from '@preact/signals';
import type { FileKind } from '../api/types';
import { names } from './names';
import { session } from './session';

/** The kind of all other files. */
export const OTHER = 'other';

interface Rule {
  kind: string;
  game: string | null;
  folder: string | null;
  view: string | null;
}

/** A file of a kind. */
export interface KindFile {
  path: string;
  name: string;
  /** The view that shows the content of this kind. */
  view: string | null;
}

const ANY_NUMBER = '###';

const rules = computed(() => {
  const byExtension = new Map<string, Rule[]>();
  for (const { id, rules: ownRules } of session.value?.kinds ?? []) {
    for (const { extensions, game, folder, view } of ownRules) {
      for (const extension of extensions) {
        const list = byExtension.get(extension) ?? [];
        list.push({ kind: id, game, folder, view });
        byExtension.set(extension, list);
      }
    }
  }
  return byExtension;
});

const games = computed(() => new Map((session.value?.roots ?? []).map(root => [root.name, root.game])));

export const kindLabels = computed(() => {
  const labels = new Map((session.value?.kinds ?? []).map(({ id, label }: FileKind) => [id, label]));
  labels.set(OTHER, 'Other files');
  return labels;
});

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  const extension = dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
  return /^\d+$/.test(extension) ? ANY_NUMBER : extension;
}

function gameOf(path: string): string | null {
  const slash = path.indexOf('/');
  return games.value.get(slash < 0 ? path : path.slice(0, slash)) ?? null;
}

/** The rules of a file: the first matching rule without a view, and all matching rules with a view. */
function rulesFor(folder: string, name: string): readonly Rule[] {
  const all = rules.value.get(extensionOf(name));
  if (!all) return NONE;
  const game = gameOf(folder);
  const inFolder = `/${folder.toLowerCase()}/`;
  const matching = all.filter(
    rule =>
      (rule.game === null || game === null || rule.game === game) &&
      (rule.folder === null || inFolder.includes(`/${rule.folder}/`)),
  );
  const main = matching.find(rule => rule.view === null);
  return matching.filter(rule => rule === main || rule.view !== null);
}

const NONE: readonly Rule[] = [];

/** The primary kind of a file. */
export function kindOfPath(path: string): string {
  const slash = path.lastIndexOf('/');
  return (
    rulesFor(path.slice(0, Math.max(0, slash)), path.slice(slash + 1)).find(rule => rule.view === null)?.kind ?? OTHER
  );
}

/** Groups the files of a folder and its subfolders by kind. */
function groupByKind(folder: string): Map<string, KindFile[]> {
  const byKind = new Map<string, KindFile[]>([...kindLabels.value.keys()].map(id => [id, []]));
  for (const { path, names: fileNames } of names.value?.folders ?? []) {
    if (path !== folder && !path.startsWith(`${folder}/`)) continue;
    for (const name of fileNames) {
      const matching = rulesFor(path, name);
      const file = (view: string | null): KindFile => ({ path: `${path}/${name}`, name, view });
      for (const rule of matching) byKind.get(rule.kind)?.push(file(rule.view));
      if (!matching.some(rule => rule.view === null)) byKind.get(OTHER)?.push(file(null));
    }
  }
  for (const [kind, files] of byKind) if (files.length === 0) byKind.delete(kind);
  return byKind;
}

let cache: { folder: string; of: unknown; kinds: Map<string, KindFile[]> }[] = [];
const CACHE_SIZE = 8;

/** The files of each kind in a folder and its subfolders, cached for recent folders. */
export function kindsIn(folder: string): Map<string, KindFile[]> {
  const of = names.value;
  cache = cache.filter(entry => entry.of === of);
  const known = cache.find(entry => entry.folder === folder);
  if (known) return known.kinds;
  const kinds = groupByKind(folder);
  cache = [{ folder, of, kinds }, ...cache].slice(0, CACHE_SIZE);
  return kinds;
}

/** Kinds in search order: rooms first, sounds last. */
const KIND_ORDER = [
  'rooms',
  'maps',
  'characters',
  'models',
  'scripts',
  'texts',
  'images',
  'fonts',
  'settings',
  'archives',
  OTHER,
  'sounds',
];

export function kindRank(kind: string): number {
  const at = KIND_ORDER.indexOf(kind);
  return at < 0 ? KIND_ORDER.length : at;
}

/** The rank of each extension, for the search worker. */
export const extensionRanks = computed(() => {
  const ranks: Record<string, number> = {};
  for (const [extension, [first]] of rules.value) if (first) ranks[extension] = kindRank(first.kind);
  return ranks;
});
