// The files that an option of a format takes: the words of the option name their extensions.

import type { FormatOption } from '../api/types';
import { names } from './names';

/** Files of any kind have these extensions, so they do not say what is in them. */
const ANYTHING = new Set(['.json']);

export function takesFile(option: FormatOption): boolean {
  return typeof option.value === 'object' && 'text' in option.value && option.value.text.placeholder.includes('FILE');
}

/** The paths of the files that fit, once all names are known; those of one root, where that is given. */
export function fittingFiles(about: string, which: 'all' | 'sure', root: string | null = null): string[] {
  const named = (about.match(/\.[a-z0-9]{2,4}\b/gi) ?? []).map(extension => extension.toLowerCase());
  const extensions = which === 'all' ? named : named.filter(extension => !ANYTHING.has(extension));
  const fits = (name: string) => extensions.some(extension => name.toLowerCase().endsWith(extension));
  const folders = (names.value?.folders ?? []).filter(
    ({ path }) => root === null || path === root || path.startsWith(`${root}/`),
  );
  return folders.flatMap(folder => folder.names.filter(fits).map(name => `${folder.path}/${name}`));
}
