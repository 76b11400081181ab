// Plays the sounds of table rows.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { errorMessage, getJson, isAbort, requestUrl } from '../../api/request';
import type { Cell, ItemPage } from '../../api/types';
import { notify } from '../../state/announce';
import { limits } from '../../state/session';
import { PlayButton } from '../sound/play-button';

/** Item indices of sounds, by the text of the first column. */
export type RowSounds = ReadonlyMap<string, number>;

const known = signal<{ path: string; column: string; sounds: RowSounds } | null>(null);

/** Loads the sounds of rows, keyed by the first column, because rows can be sorted and filtered. */
export function useRowSounds(path: string | null, column: string | undefined): RowSounds | null {
  useEffect(() => {
    if (path === null || column === undefined || (known.peek()?.path === path && known.peek()?.column === column))
      return undefined;
    const controller = new AbortController();
    listSounds(path, column, controller.signal).then(
      sounds => {
        known.value = { path, column, sounds };
      },
      (reason: unknown) => {
        if (!isAbort(reason)) notify(errorMessage(reason));
      },
    );
    return () => controller.abort();
  }, [path, column]);
  const now = known.value;
  return now?.path === path && now?.column === column ? now.sounds : null;
}

/** Lists the sounds of a file by one of their facts, or by name. */
export async function listSounds(path: string, column: string, cancel: AbortSignal): Promise<RowSounds> {
  const sounds = new Map<string, number>();
  const count = limits().count;
  for (let from = 0, total = 1; from < total; from += count) {
    const page = await getJson<ItemPage>(requestUrl('items', path, { kind: 'sound', from, count }), cancel);
    total = page.total;
    for (const item of page.items)
      if (item.name !== null) sounds.set(String(item.facts[column] ?? item.name), item.index);
  }
  return sounds;
}

export function PlayCell({ path, row, sounds }: { path: string; row: readonly Cell[]; sounds: RowSounds | null }) {
  const item = sounds?.get(String(row[0]));
  return item === undefined ? null : <PlayButton path={path} item={item} />;
}
