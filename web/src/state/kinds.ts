// What the files are to those who play: rooms, characters, maps, models, sounds. Told by names, so that no file is opened for it.

import { computed } from '@preact/signals';
import type { FileKind } from '../api/types';
import { names } from './names';
import { session } from './session';

/** Files of no other kind. */
export const OTHER = 'other';

interface Rule {
  kind: string;
  game: string | null;
  folder: string | null;
  view: string | null;
}

/** A file in a list of its kind. */
export interface KindFile {
  path: string;
  name: string;
  /** The view that shows what makes it one of the kind. */
  view: string | null;
}

const ANY_NUMBER = '###';

const rules = computed(() => {
  const byExtension = new Map<string, Rule[]>();
  for (const { id, rules: own } of session.value?.kinds ?? []) {
    for (const { extensions, game, folder, view } of own) {
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

/** The kinds of a file: the first that fits, and those whose view it has as well. */
function rulesFor(folder: string, name: string): readonly Rule[] {
  const all = rules.value.get(extensionOf(name));
  if (!all) return NONE;
  const game = gameOf(folder);
  const inFolder = `/${folder.toLowerCase()}/`;
  const fitting = all.filter(
    rule =>
      (rule.game === null || game === null || rule.game === game) &&
      (rule.folder === null || inFolder.includes(`/${rule.folder}/`)),
  );
  const main = fitting.find(rule => rule.view === null);
  return fitting.filter(rule => rule === main || rule.view !== null);
}

const NONE: readonly Rule[] = [];

/** The kind that a file is first of all. */
export function kindOfPath(path: string): string {
  const slash = path.lastIndexOf('/');
  return (
    rulesFor(path.slice(0, Math.max(0, slash)), path.slice(slash + 1)).find(rule => rule.view === null)?.kind ?? OTHER
  );
}

/** The files of each kind in a folder and below it, in the order of the kinds. */
function sorted(folder: string): Map<string, KindFile[]> {
  const byKind = new Map<string, KindFile[]>([...kindLabels.value.keys()].map(id => [id, []]));
  for (const { path, names: own } of names.value?.folders ?? []) {
    if (path !== folder && !path.startsWith(`${folder}/`)) continue;
    for (const name of own) {
      const fitting = rulesFor(path, name);
      const file = (view: string | null): KindFile => ({ path: `${path}/${name}`, name, view });
      for (const rule of fitting) byKind.get(rule.kind)?.push(file(rule.view));
      if (!fitting.some(rule => rule.view === null)) byKind.get(OTHER)?.push(file(null));
    }
  }
  for (const [kind, files] of byKind) if (files.length === 0) byKind.delete(kind);
  return byKind;
}

let kept: { folder: string; of: unknown; kinds: Map<string, KindFile[]> }[] = [];
const KEPT = 8;

/** The same, kept for the folders that were asked for last. */
export function kindsIn(folder: string): Map<string, KindFile[]> {
  const of = names.value;
  kept = kept.filter(entry => entry.of === of);
  const known = kept.find(entry => entry.folder === folder);
  if (known) return known.kinds;
  const kinds = sorted(folder);
  kept = [{ folder, of, kinds }, ...kept].slice(0, KEPT);
  return kinds;
}

/** How early files of a kind are found: what one plays in before what one hears. */
const FOUND_FIRST = [
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
  const at = FOUND_FIRST.indexOf(kind);
  return at < 0 ? FOUND_FIRST.length : at;
}

/** The rank of each extension, for the searching worker. */
export const extensionRanks = computed(() => {
  const ranks: Record<string, number> = {};
  for (const [extension, [first]] of rules.value) if (first) ranks[extension] = kindRank(first.kind);
  return ranks;
});
