// A play button for a sound in a table row, on a card or next to a script line. Only one sound plays at a time.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { errorMessage, getBuffer, isAbort, viewUrl } from '../../api/request';
import { notify } from '../../state/announce';
import { Icon } from '../../ui/icon';
import { Player } from './player';
import { decodeSound } from './wav';

/** The playing sound, with the key `path#item`. */
const playing = signal<{ key: string; player: Player | null } | null>(null);
let pending: AbortController | null = null;

function keyOf(path: string, item: number | null): string {
  return `${path}#${item ?? ''}`;
}

function stop(): void {
  pending?.abort();
  playing.peek()?.player?.pause();
  playing.value = null;
}

async function play(path: string, item: number | null): Promise<void> {
  stop();
  const key = keyOf(path, item);
  const controller = new AbortController();
  pending = controller;
  try {
    const { buffer, headers } = await getBuffer(viewUrl(path, 'sound', { item }), controller.signal);
    const player = new Player(await decodeSound(buffer, headers.get('Antiquary-Loop')));
    if (controller.signal.aborted) return;
    player.isLooping.value = false;
    player.play();
    playing.value = { key, player };
  } catch (reason) {
    if (isAbort(reason)) return;
    playing.value = null;
    notify(errorMessage(reason));
  }
}

interface PlayButtonProps {
  path: string;
  /** Index of the sound in its file; null if the file has only one. */
  item: number | null;
  /** Description of the sound, for screen readers. */
  what?: string;
}

export function PlayButton({ path, item, what }: PlayButtonProps) {
  useEffect(() => stop, [path]);
  const now = playing.value;
  const isPlaying = now?.key === keyOf(path, item) && now.player?.isPlaying.value === true;
  const word = isPlaying ? 'Pause' : 'Play';
  return (
    <button
      type="button"
      class="button is-plain is-small"
      aria-label={what === undefined ? word : `${word} ${what}`}
      onClick={event => {
        event.stopPropagation();
        if (isPlaying) stop();
        else void play(path, item);
      }}
    >
      <Icon name={isPlaying ? 'pause' : 'play'} />
    </button>
  );
}
