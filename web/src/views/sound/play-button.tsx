// A button that plays a sound where one meets it: in a row, on a card, beside a line of a script. One sound at a time.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { getBuffer, isAbort, sentence, viewAddress } from '../../api/request';
import { notify } from '../../state/announce';
import { Icon } from '../../ui/icon';
import { Player } from './player';
import { decodeSound } from './wav';

/** The sound that is being played, as `path#item`. */
const playing = signal<{ key: string; player: Player | null } | null>(null);
let asked: AbortController | null = null;

function keyOf(path: string, item: number | null): string {
  return `${path}#${item ?? ''}`;
}

function stop(): void {
  asked?.abort();
  playing.peek()?.player?.pause();
  playing.value = null;
}

async function play(path: string, item: number | null): Promise<void> {
  stop();
  const key = keyOf(path, item);
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

interface PlayButtonProps {
  path: string;
  /** Which of the sounds of a file; null for its only one. */
  item: number | null;
  /** What is played, for those who do not see what the button is next to. */
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
