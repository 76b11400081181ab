// The voices of a game: which sound of which file speaks a line of dialogue, by the label of the line.

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

/** Lists the sounds of a file by name. */
type ListSounds = (path: string, column: string, signal: AbortSignal) => Promise<ReadonlyMap<string, number>>;

const known = signal<ReadonlyMap<string, Voices>>(new Map());
const NOBODY: Voices = new Map();

/** Files that are tables of what is said and hold the sounds of it. */
function spokenFiles(root: string): string[] {
  const formats = (session.value?.formats ?? []).filter(
    ({ views }) => views.includes('table') && views.includes('sound'),
  );
  const extensions = formats.flatMap(format => format.extensions);
  const folders = (names.value?.folders ?? []).filter(({ path }) => path === root || path.startsWith(`${root}/`));
  const speaks = (name: string) => extensions.includes(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
  return folders.flatMap(folder => folder.names.filter(speaks).map(name => `${folder.path}/${name}`));
}

/** The voices of the game that a file belongs to; nobody speaks until they are listed. */
export function useVoices(path: string, isWanted: boolean, listSounds: ListSounds): Voices {
  const [root = ''] = ancestry(path);
  useEffect(() => {
    if (!isWanted || known.peek().has(root)) return undefined;
    const controller = new AbortController();
    const load = async () => {
      await loadNames();
      const voices = new Map<string, Voice>();
      for (const file of spokenFiles(root)) {
        for (const [label, item] of await listSounds(file, '', controller.signal))
          if (!voices.has(label)) voices.set(label, { path: file, item });
      }
      known.value = new Map([...known.peek(), [root, voices]]);
    };
    load().catch((reason: unknown) => {
      // Without voices the lines are still there to be read.
      if (!isAbort(reason)) known.value = new Map([...known.peek(), [root, NOBODY]]);
    });
    return () => controller.abort();
  }, [root, isWanted]);
  return known.value.get(root) ?? NOBODY;
}
