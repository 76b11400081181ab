// Playing the sounds of rows.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { address, getBuffer, getJson, isAbort, sentence, viewAddress } from '../../api/request';
import type { Cell, ItemPage } from '../../api/types';
import { notify } from '../../state/announce';
import { limits } from '../../state/session';
import { Icon } from '../../ui/icon';
import { Player } from '../sound/player';
import { decodeSound } from '../sound/wav';

/** The sound that is being played, as `path#item`. */
const playing = signal<{ key: string; player: Player | null } | null>(null);
let asked: AbortController | null = null;

function stop(): void {
  asked?.abort();
  playing.peek()?.player?.pause();
  playing.value = null;
}

async function play(path: string, item: number): Promise<void> {
  stop();
  const key = `${path}#${item}`;
  const controller = new AbortController();
  asked = controller;
  try {
    const { buffer, headers } = await getBuffer(viewAddress(path, 'sound', { item }), controller.signal);
    const player = new Player(await decodeSound(buffer, headers.get('Antiquary-Loop')));
    if (controller.signal.aborted) return;
    player.isLooping.value = false;
    player.play();
    playing.value = { key, player };
  } catch (reason) {
    if (isAbort(reason)) return;
    playing.value = null;
    notify(sentence(reason));
  }
}

/** The sounds of a file by what the first column of its table says of them. */
export type RowSounds = ReadonlyMap<string, number>;

const known = signal<{ path: string; column: string; sounds: RowSounds } | null>(null);

/** Rows can be sorted and filtered, so a sound is found by its fact of the first column, not by its place. */
export function useRowSounds(path: string | null, column: string | undefined): RowSounds | null {
  useEffect(() => {
    if (path === null || column === undefined || (known.peek()?.path === path && known.peek()?.column === column)) return undefined;
    const controller = new AbortController();
    listSounds(path, column, controller.signal).then(
      (sounds) => {
        known.value = { path, column, sounds };
      },
      (reason: unknown) => {
        if (!isAbort(reason)) notify(sentence(reason));
      },
    );
    return () => controller.abort();
  }, [path, column]);
  useEffect(() => stop, []);
  const now = known.value;
  return now?.path === path && now?.column === column ? now.sounds : null;
}

async function listSounds(path: string, column: string, cancel: AbortSignal): Promise<RowSounds> {
  const sounds = new Map<string, number>();
  const count = limits().count;
  for (let from = 0, total = 1; from < total; from += count) {
    const page = await getJson<ItemPage>(address('items', path, { kind: 'sound', from, count }), cancel);
    total = page.total;
    for (const item of page.items) if (item.name !== null) sounds.set(String(item.facts[column] ?? item.name), item.index);
  }
  return sounds;
}

export function PlayCell({ path, row, sounds }: { path: string; row: readonly Cell[]; sounds: RowSounds | null }) {
  const item = sounds?.get(String(row[0]));
  if (item === undefined) return null;
  const now = playing.value;
  const isPlaying = now?.key === `${path}#${item}` && now.player?.isPlaying.value === true;
  return (
    <button
      type="button"
      class="button is-plain is-small"
      aria-label={isPlaying ? 'Pause' : 'Play'}
      onClick={(event) => {
        event.stopPropagation();
        if (isPlaying) stop();
        else void play(path, item);
      }}
    >
      <Icon name={isPlaying ? 'pause' : 'play'} />
    </button>
  );
}
