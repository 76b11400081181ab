// Files accepted by a format option, whose extensions are named in its description.

import type { FormatOption } from '../api/types';
import { names } from './names';

/** Generic extensions, which do not identify the content. */
const GENERIC = new Set(['.json']);

export function acceptsFile(option: FormatOption): boolean {
  return typeof option.value === 'object' && 'text' in option.value && option.value.text.placeholder.includes('FILE');
}

/** Paths of matching files, optionally of one root; empty until names are loaded. */
export function matchingFiles(about: string, which: 'all' | 'sure', root: string | null = null): string[] {
  const named = (about.match(/\.[a-z0-9]{2,4}\b/gi) ?? []).map(extension => extension.toLowerCase());
  const extensions = which === 'all' ? named : named.filter(extension => !GENERIC.has(extension));
  const isMatch = (name: string) => extensions.some(extension => name.toLowerCase().endsWith(extension));
  const folders = (names.value?.folders ?? []).filter(
    ({ path }) => root === null || path === root || path.startsWith(`${root}/`),
  );
  return folders.flatMap(folder => folder.names.filter(isMatch).map(name => `${folder.path}/${name}`));
}
