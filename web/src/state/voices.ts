// Voice recordings of dialogue lines, by the label of the line.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isAbort } from '../api/request';
import { loadNames, names } from './names';
import { ancestry } from './route';
import { session } from './session';

export interface Voice {
  path: string;
  item: number;
}

type Voices = ReadonlyMap<string, Voice>;

/** Lists the sounds of a file: item indices by name. */
type ListSounds = (path: string, column: string, signal: AbortSignal) => Promise<ReadonlyMap<string, number>>;

const known = signal<ReadonlyMap<string, Voices>>(new Map());
const NO_VOICES: Voices = new Map();

/** Files that contain both a table of dialogue lines and their sounds. */
function voiceFiles(root: string): string[] {
  const formats = (session.value?.formats ?? []).filter(
    ({ views }) => views.includes('table') && views.includes('sound'),
  );
  const extensions = formats.flatMap(format => format.extensions);
  const folders = (names.value?.folders ?? []).filter(({ path }) => path === root || path.startsWith(`${root}/`));
  const isVoiceFile = (name: string) => extensions.includes(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
  return folders.flatMap(folder => folder.names.filter(isVoiceFile).map(name => `${folder.path}/${name}`));
}

/** The voices of the game of a file; empty until loaded. */
export function useVoices(path: string, isEnabled: boolean, listSounds: ListSounds): Voices {
  const [root = ''] = ancestry(path);
  useEffect(() => {
    if (!isEnabled || known.peek().has(root)) return undefined;
    const controller = new AbortController();
    const load = async () => {
      await loadNames();
      const voices = new Map<string, Voice>();
      for (const file of voiceFiles(root)) {
        for (const [label, item] of await listSounds(file, '', controller.signal))
          if (!voices.has(label)) voices.set(label, { path: file, item });
      }
      known.value = new Map([...known.peek(), [root, voices]]);
    };
    load().catch((reason: unknown) => {
      // Lines can be shown without voices.
      if (!isAbort(reason)) known.value = new Map([...known.peek(), [root, NO_VOICES]]);
    });
    return () => controller.abort();
  }, [root, isEnabled]);
  return known.value.get(root) ?? NO_VOICES;
}
