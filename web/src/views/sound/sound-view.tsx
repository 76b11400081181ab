// A sound view with waveform and playback controls.

import { useEffect, useMemo, useRef } from 'preact/hooks';
import { getBuffer, viewUrl } from '../../api/request';
import { useRequest } from '../../api/use-request';
import { choices } from '../../state/options';
import { clock, counted } from '../../text/number';
import { Icon } from '../../ui/icon';
import { Failure, Loading } from '../../ui/state';
import type { ViewProps } from '../view-panel';
import { Player } from './player';
import { decodeSound } from './wav';
import { Waveform } from './waveform';

export function SoundView({ asset, item }: ViewProps) {
  const url = viewUrl(asset.path, 'sound', { item, ...choices.value });
  const answer = useRequest(url, async signal => {
    const { buffer, headers } = await getBuffer(url, signal);
    return decodeSound(buffer, headers.get('Antiquary-Loop'));
  });
  if (answer.state === 'loading') return <Loading what="Reading the sound…" />;
  if (answer.state === 'failed') return <Failure reason={answer.reason} retry={answer.retry} />;
  return <SoundPlayer sound={answer.value} />;
}

function SoundPlayer({ sound }: { sound: Awaited<ReturnType<typeof decodeSound>> }) {
  const player = useMemo(() => new Player(sound), [sound]);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Selecting a sound in a list plays it; opening a file does not.
    if (document.activeElement?.getAttribute('role') === 'listbox') player.play();
    return () => player.pause();
  }, [player]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target;
      if (
        event.ctrlKey ||
        event.altKey ||
        event.metaKey ||
        target instanceof HTMLInputElement ||
        target instanceof HTMLButtonElement ||
        target instanceof HTMLSelectElement
      )
        return;
      const isHere =
        target instanceof Node &&
        (target === document.body || panel.current?.parentElement?.parentElement?.contains(target));
      if (!isHere) return;
      if (event.key === ' ') player.toggle();
      else if (event.key === 'l' && target instanceof Element && target.getAttribute('role') !== 'listbox')
        player.setLooping(!player.isLooping.peek());
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [player]);
  const { buffer, rate, channels, bits, loop } = sound;
  return (
    <div ref={panel} class="sound">
      <Waveform player={player} />
      <div class="toolbar">
        <button
          type="button"
          class="button is-main"
          aria-label={player.isPlaying.value ? 'Pause' : 'Play'}
          onClick={() => player.toggle()}
        >
          <Icon name={player.isPlaying.value ? 'pause' : 'play'} />
          {player.isPlaying.value ? 'Pause' : 'Play'}
        </button>
        <button
          type="button"
          class="button"
          aria-pressed={player.isLooping.value}
          onClick={() => player.setLooping(!player.isLooping.peek())}
        >
          <Icon name="loop" />
          Loop
        </button>
        <span class="mono">
          {clock(player.position.value)} <span class="faint">/ {clock(buffer.duration)}</span>
        </span>
      </div>
      <dl class="facts is-wide">
        <div>
          <dt>Rate</dt>
          <dd>{rate} Hz</dd>
        </div>
        <div>
          <dt>Channels</dt>
          <dd>{channels === 1 ? 'mono' : channels === 2 ? 'stereo' : counted(channels, 'channel')}</dd>
        </div>
        <div>
          <dt>Bits</dt>
          <dd>{bits ?? 'unknown'}</dd>
        </div>
        {loop && (
          <div>
            <dt>Loop</dt>
            <dd>
              {clock(loop.start)} to {clock(loop.end)}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
