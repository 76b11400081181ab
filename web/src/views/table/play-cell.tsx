// Playing the sound of a row.

import { signal } from '@preact/signals';
import { getBuffer, isAbort, sentence, viewAddress } from '../../api/request';
import type { Cell } from '../../api/types';
import { notify } from '../../state/announce';
import { Icon } from '../../ui/icon';
import { Player } from '../sound/player';
import { decodeSound } from '../sound/wav';

/** The sound that is being played, as `path#item`. */
const playing = signal<{ key: string; player: Player | null } | null>(null);
let asked: AbortController | null = null;

const NUMBERED = /^(?:sound|item|index|#)$/i;

/** Which sound belongs to a row: what a column of that name says, or the row's own place. */
export function soundOf(columns: readonly string[], row: readonly Cell[], index: number): number {
  const place = columns.findIndex((column) => NUMBERED.test(column));
  const value = place < 0 ? null : row[place];
  return typeof value === 'number' ? value : index;
}

async function play(path: string, item: number): Promise<void> {
  const key = `${path}#${item}`;
  asked?.abort();
  playing.value?.player?.pause();
  const controller = new AbortController();
  asked = controller;
  playing.value = { key, player: null };
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

export function PlayCell({ path, item }: { path: string; item: number }) {
  const now = playing.value;
  const isPlaying = now?.key === `${path}#${item}` && now.player?.isPlaying.value === true;
  return (
    <button
      type="button"
      class="button is-plain is-small"
      aria-label={isPlaying ? 'Pause' : 'Play'}
      onClick={(event) => {
        event.stopPropagation();
        if (isPlaying) now.player?.pause();
        else void play(path, item);
      }}
    >
      <Icon name={isPlaying ? 'pause' : 'play'} />
    </button>
  );
}
