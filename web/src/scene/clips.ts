// Plays the animation clips of a scene.

import { type AnimationAction, type AnimationClip, AnimationMixer, LoopRepeat, type Object3D } from 'three';
import type { MaterialLibrary } from './materials/library';
import type { Morph } from './morph';
import type { PointerTrack } from './pointer-tracks';

export interface Clip {
  readonly name: string;
  readonly seconds: number;
  /** Whether the clip loops according to the file; null if unspecified. */
  readonly loops: boolean | null;
}

export class Player {
  readonly clips: readonly Clip[];
  /** Index of the current clip; -1 for the rest pose. */
  current = -1;
  time = 0;
  speed = 1;
  isLooping = true;
  isPlaying = false;
  /** Whether a recording advances the time frame by frame. */
  isRecording = false;
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
    this.updateMorphs();
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
    this.update();
  }

  play(on: boolean): void {
    this.isPlaying = on && this.current >= 0;
    // Restart a clip that has reached its end.
    if (this.isPlaying && !this.isLooping && this.time >= this.seconds) this.time = 0;
    this.update();
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(0, time), this.seconds);
    this.update();
  }

  /** Advances by real time, except while recording. Returns whether the clip is playing. */
  tick(seconds: number): boolean {
    return this.isRecording ? false : this.advance(seconds);
  }

  /** Advances by a number of seconds. Returns whether the clip is playing. */
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
    this.update();
    return this.isPlaying;
  }

  /** Updates the meshes after a change of morph weights. */
  updateMorphs(): void {
    for (const morph of this.morphs) morph.update();
  }

  dispose(): void {
    this.mixer.stopAllAction();
    this.mixer.uncacheRoot(this.mixer.getRoot() as Object3D);
  }

  private update(): void {
    if (this.action) {
      this.action.time = this.time;
      this.mixer.update(0);
      for (const track of this.pointers[this.current] ?? []) track.apply(this.time, this.library);
    }
    this.updateMorphs();
    this.changed();
  }
}
