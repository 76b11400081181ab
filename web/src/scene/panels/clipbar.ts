// The controls of a clip, below the picture.

import { button, choice, el, isPressed, setPressed, slider, toggle } from '../dom';
import { withKey } from '../shortcuts';
import type { ViewState } from '../state';
import type { SceneView } from '../view';

const SPEEDS = [
  ['0.1', '0.1 x'],
  ['0.25', '0.25 x'],
  ['0.5', '0.5 x'],
  ['1', '1 x'],
  ['2', '2 x'],
  ['4', '4 x'],
] as const;

const NONE = 'none';

export class ClipBar {
  readonly element: HTMLElement | null;
  private readonly play: HTMLButtonElement;
  private readonly clips: HTMLSelectElement;
  private readonly scrub: HTMLInputElement;
  private readonly time = el('output', { class: 'scene-time' });
  private shownTime = '';

  constructor(
    private readonly view: SceneView,
    private readonly state: ViewState,
    signal: AbortSignal,
    private readonly announce: (text: string) => void,
  ) {
    const { player } = view;
    const names = player.clips.map((clip, i) => [String(i), `${clip.name} (${clip.seconds.toFixed(2)} s${clip.loops ? ', repeats' : ''})`] as const);
    this.play = button('Play', withKey('Play or pause the clip', 'Space'), signal, () => this.toggle());
    this.clips = choice('Clip', withKey('Clip', '[ and ]'), [[NONE, 'No clip'], ...names], NONE, signal, (value) => {
      this.choose(value === NONE ? -1 : Number(value));
    });
    this.scrub = slider('Time in the clip', [0, 1, 0.001], 0, signal, (part) => {
      player.play(false);
      player.seek(part * player.seconds);
      this.keep();
    });
    const speed = choice('Speed', 'Speed of the clip', SPEEDS, '1', signal, (value) => {
      player.speed = Number(value);
      state.set('speed', value);
    });
    const loop = toggle('Loop', 'Repeat the clip', true, signal, (on) => {
      player.isLooping = on;
      state.set('loop', on);
    });
    this.element =
      player.clips.length === 0
        ? null
        : el('div', { class: 'scene-clipbar', role: 'group', 'aria-label': 'Clip' }, this.play, this.clips, this.scrub, this.time, speed, loop);
    this.restore(speed, loop);
    this.update();
  }

  toggle(): void {
    const { player } = this.view;
    if (player.clips.length === 0) return;
    if (player.current < 0) this.choose(0);
    else player.play(!player.isPlaying);
    this.keep();
    this.announce(player.isPlaying ? `Playing ${player.clips[player.current]?.name ?? ''}` : 'Paused');
  }

  /** Shows another clip and plays it; -1 shows the pose without one. */
  choose(number: number): void {
    const { player } = this.view;
    player.choose(number);
    player.play(true);
    this.view.vantage.followPose();
    this.keep();
    this.update();
  }

  /** The next clip, or the one before. */
  step(by: number): void {
    const { clips, current } = this.view.player;
    if (clips.length > 0) this.choose((Math.max(0, current) + by + clips.length) % clips.length);
  }

  /** Follows the player. */
  update(): void {
    const { player } = this.view;
    const word = player.isPlaying ? 'Pause' : 'Play';
    if (this.play.textContent !== word) this.play.textContent = word;
    const value = player.current < 0 ? NONE : String(player.current);
    if (this.clips.value !== value) this.clips.value = value;
    const part = player.seconds > 0 ? player.time / player.seconds : 0;
    this.scrub.value = String(part);
    this.scrub.disabled = player.current < 0;
    const text = `${player.time.toFixed(2)} / ${player.seconds.toFixed(2)} s`;
    if (text !== this.shownTime) this.time.value = this.shownTime = text;
  }

  private keep(): void {
    const { player } = this.view;
    this.state.set('clip', player.clips[player.current]?.name ?? '');
    this.state.set('play', player.isPlaying);
    this.state.set('time', player.isPlaying ? '0' : String(Number(player.time.toFixed(3))));
  }

  private restore(speed: HTMLSelectElement, loop: HTMLButtonElement): void {
    const { player } = this.view;
    const { state } = this;
    const wanted = state.get('speed');
    if (SPEEDS.some(([value]) => value === wanted)) {
      speed.value = wanted;
      player.speed = Number(wanted);
    }
    player.isLooping = state.isOn('loop');
    if (isPressed(loop) !== player.isLooping) setPressed(loop, player.isLooping);
    const number = player.clips.findIndex((clip) => clip.name === state.get('clip'));
    if (number < 0) return;
    player.choose(number);
    player.seek(state.number('time', 0));
    player.play(state.isOn('play'));
  }
}
