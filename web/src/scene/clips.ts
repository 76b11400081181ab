// Plays the animations of a scene.

import { type AnimationAction, type AnimationClip, AnimationMixer, LoopRepeat, type Object3D } from 'three';
import type { MaterialLibrary } from './materials/library';
import type { Morph } from './morph';
import type { PointerTrack } from './pointer';

export interface Clip {
  readonly name: string;
  readonly seconds: number;
  /** Whether the file says that it repeats; null where it does not say. */
  readonly loops: boolean | null;
}

export class Player {
  readonly clips: readonly Clip[];
  /** Number of the clip that is shown; -1 for the pose without any. */
  current = -1;
  time = 0;
  speed = 1;
  isLooping = true;
  isPlaying = false;
  /** While somebody records, time goes on picture by picture. */
  isRecorded = false;
  private readonly mixer: AnimationMixer;
  private action: AnimationAction | null = null;

  constructor(
    root: Object3D,
    private readonly animations: readonly AnimationClip[],
    private readonly pointers: readonly PointerTrack[][],
    private readonly morphs: readonly Morph[],
    private readonly library: MaterialLibrary,
    private readonly changed: () => void,
  ) {
    this.mixer = new AnimationMixer(root);
    this.clips = animations.map((clip, i) => {
      const ends = (pointers[i] ?? []).map(track => track.duration);
      const { loop } = clip.userData as { loop?: unknown };
      return {
        name: clip.name,
        seconds: Math.max(0, clip.duration, ...ends),
        loops: typeof loop === 'boolean' ? loop : null,
      };
    });
    this.follow();
  }

  get seconds(): number {
    return this.clips[this.current]?.seconds ?? 0;
  }

  choose(number: number): void {
    this.mixer.stopAllAction();
    for (const track of this.pointers[this.current] ?? []) track.reset(this.library);
    this.current = this.clips[number] ? number : -1;
    this.time = 0;
    const animation = this.animations[this.current];
    this.action = animation ? this.mixer.clipAction(animation).setLoop(LoopRepeat, Infinity).play() : null;
    if (!this.action) this.isPlaying = false;
    this.show();
  }

  play(on: boolean): void {
    this.isPlaying = on && this.current >= 0;
    // Played to its end, it begins again.
    if (this.isPlaying && !this.isLooping && this.time >= this.seconds) this.time = 0;
    this.show();
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(0, time), this.seconds);
    this.show();
  }

  /** Goes on with the clock. True while it plays. */
  tick(seconds: number): boolean {
    return this.isRecorded ? false : this.advance(seconds);
  }

  /** Goes on by so many seconds. True while it plays. */
  advance(seconds: number): boolean {
    if (!this.isPlaying) return false;
    const end = this.seconds;
    this.time += seconds * this.speed;
    if (this.time >= end || this.time < 0) {
      if (this.isLooping && end > 0) {
        this.time = ((this.time % end) + end) % end;
      } else {
        this.time = this.speed < 0 ? 0 : end;
        this.isPlaying = false;
      }
    }
    this.show();
    return this.isPlaying;
  }

  /** Follows morph weights that somebody else has set. */
  follow(): void {
    for (const morph of this.morphs) morph.update();
  }

  dispose(): void {
    this.mixer.stopAllAction();
    this.mixer.uncacheRoot(this.mixer.getRoot() as Object3D);
  }

  private show(): void {
    if (this.action) {
      this.action.time = this.time;
      this.mixer.update(0);
      for (const track of this.pointers[this.current] ?? []) track.apply(this.time, this.library);
    }
    this.follow();
    this.changed();
  }
}
