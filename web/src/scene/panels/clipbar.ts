// Playback controls of clips, below the canvas.

import { button, choice, el, isPressed, setPressed, slider, toggle, withIcon } from '../dom';
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
  private readonly loop: HTMLButtonElement;
  private readonly time = el('output', { class: 'scene-time' });
  private shownTime = '';

  constructor(
    private readonly view: SceneView,
    private readonly state: ViewState,
    signal: AbortSignal,
    private readonly announce: (text: string) => void,
  ) {
    const { player } = view;
    const names = player.clips.map(
      (clip, i) => [String(i), `${clip.name} (${clip.seconds.toFixed(2)} s${clip.loops ? ', loops' : ''})`] as const,
    );
    this.play = withIcon(
      button('Play', withKey('Play or pause the clip', 'Space'), signal, () => this.toggle()),
      'play',
    );
    this.clips = choice('Clip', withKey('Clip', 'J and K'), [[NONE, 'No clip'], ...names], NONE, signal, value => {
      this.choose(value === NONE ? -1 : Number(value));
    });
    this.scrub = slider('Clip time', [0, 1, 0.001], 0, signal, fraction => {
      player.play(false);
      player.seek(fraction * player.seconds);
      this.saveState();
    });
    const speed = choice('Speed', 'Playback speed', SPEEDS, '1', signal, value => {
      player.speed = Number(value);
      state.set('speed', value);
    });
    this.loop = toggle('Loop', withKey('Loop the clip', 'L'), true, signal, on => {
      player.isLooping = on;
      state.set('loop', on);
    });
    const loop = withIcon(this.loop, 'loop');
    this.element =
      player.clips.length === 0
        ? null
        : el(
            'div',
            { class: 'scene-clipbar', role: 'group', 'aria-label': 'Clip' },
            this.play,
            this.clips,
            this.scrub,
            this.time,
            speed,
            loop,
          );
    speed.classList.add('scene-speed');
    this.restore(speed, loop);
    this.update();
  }

  toggle(): void {
    const { player } = this.view;
    if (player.clips.length === 0) return;
    if (player.current < 0) this.choose(0);
    else player.play(!player.isPlaying);
    this.saveState();
    this.announce(player.isPlaying ? `Playing ${player.clips[player.current]?.name ?? ''}` : 'Paused');
  }

  /** Plays a clip by name. */
  chooseNamed(name: string): void {
    const number = this.view.player.clips.findIndex(clip => clip.name === name);
    if (number >= 0) this.choose(number);
  }

  pressLoop(): void {
    this.loop.click();
  }

  /** Selects a clip and plays it; -1 shows the rest pose. */
  choose(number: number): void {
    const { player } = this.view;
    player.choose(number);
    player.play(true);
    this.view.viewpoint.followPose();
    this.saveState();
    this.update();
  }

  /** Selects the next or previous clip. */
  step(by: number): void {
    const { clips, current } = this.view.player;
    if (clips.length > 0) this.choose((Math.max(0, current) + by + clips.length) % clips.length);
  }

  /** Updates the controls from the player. */
  update(): void {
    const { player } = this.view;
    const label = player.isPlaying ? 'Pause' : 'Play';
    if (this.play.getAttribute('aria-label') !== label) withIcon(this.play, player.isPlaying ? 'pause' : 'play', label);
    const value = player.current < 0 ? NONE : String(player.current);
    if (this.clips.value !== value) this.clips.value = value;
    const fraction = player.seconds > 0 ? player.time / player.seconds : 0;
    this.scrub.value = String(fraction);
    this.scrub.disabled = player.current < 0;
    const text = `${player.time.toFixed(2)} / ${player.seconds.toFixed(2)} s`;
    if (text !== this.shownTime) this.time.value = this.shownTime = text;
  }

  private saveState(): void {
    const { player } = this.view;
    this.state.set('clip', player.clips[player.current]?.name ?? NONE);
    this.state.set('play', player.isPlaying);
    this.state.set('time', player.isPlaying ? '0' : String(Number(player.time.toFixed(3))));
  }

  private restore(speed: HTMLSelectElement, loop: HTMLButtonElement): void {
    const { player } = this.view;
    const { state } = this;
    const savedSpeed = state.get('speed');
    if (SPEEDS.some(([value]) => value === savedSpeed)) {
      speed.value = savedSpeed;
      player.speed = Number(savedSpeed);
    }
    player.isLooping = state.isOn('loop');
    if (isPressed(loop) !== player.isLooping) setPressed(loop, player.isLooping);
    const name = state.get('clip');
    // For an unknown clip or none in the URL, use the first.
    const number =
      name === NONE
        ? -1
        : Math.max(
            0,
            player.clips.findIndex(clip => clip.name === name),
          );
    if (number < 0 || player.clips.length === 0) return;
    player.choose(number);
    player.seek(state.number('time', 0));
    const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
    player.play(state.isOn('play') && !prefersReducedMotion);
  }
}
