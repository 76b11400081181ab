// Plays one sound at a time, with seeking and looping.

import { type Signal, signal } from '@preact/signals';
import type { Sound } from './wav';

let shared: AudioContext | null = null;

/** The audio context, created on the first user action, because browsers warn about earlier creation. */
function context(): AudioContext {
  shared ??= new AudioContext();
  void shared.resume();
  return shared;
}

let playing: Player | null = null;

export class Player {
  readonly isPlaying: Signal<boolean> = signal(false);
  readonly isLooping: Signal<boolean>;
  /** Position in seconds. */
  readonly position: Signal<number> = signal(0);
  private source: AudioBufferSourceNode | null = null;
  private startedAt = 0;
  private startedFrom = 0;
  private frame = 0;

  constructor(readonly sound: Sound) {
    this.isLooping = signal(sound.loop !== null);
  }

  get duration(): number {
    return this.sound.buffer.duration;
  }

  play(): void {
    if (playing && playing !== this) playing.pause();
    playing = this;
    this.stopSource();
    const from = this.position.peek() >= this.duration - 0.005 ? 0 : this.position.peek();
    const audio = context();
    const source = audio.createBufferSource();
    source.buffer = this.sound.buffer;
    this.applyLoop(source);
    source.connect(audio.destination);
    source.onended = () => {
      if (this.source !== source) return;
      this.pause();
      this.position.value = 0;
    };
    source.start(0, from);
    this.source = source;
    this.startedAt = audio.currentTime;
    this.startedFrom = from;
    this.isPlaying.value = true;
    this.follow();
  }

  pause(): void {
    this.stopSource();
    cancelAnimationFrame(this.frame);
    this.isPlaying.value = false;
  }

  toggle(): void {
    if (this.isPlaying.peek()) this.pause();
    else this.play();
  }

  seek(seconds: number): void {
    this.position.value = Math.max(0, Math.min(this.duration, seconds));
    if (this.isPlaying.peek()) this.play();
  }

  setLooping(isLooping: boolean): void {
    this.isLooping.value = isLooping;
    if (this.isPlaying.peek()) this.play();
  }

  private applyLoop(source: AudioBufferSourceNode): void {
    source.loop = this.isLooping.peek();
    if (!this.sound.loop) return;
    source.loopStart = this.sound.loop.start;
    source.loopEnd = this.sound.loop.end;
  }

  private follow(): void {
    this.frame = requestAnimationFrame(() => {
      if (!this.source) return;
      let at = this.startedFrom + context().currentTime - this.startedAt;
      const { start, end } = this.sound.loop ?? { start: 0, end: this.duration };
      if (this.isLooping.peek() && at > end) at = start + ((at - start) % (end - start));
      this.position.value = Math.min(at, this.duration);
      this.follow();
    });
  }

  private stopSource(): void {
    const source = this.source;
    this.source = null;
    if (!source) return;
    source.onended = null;
    source.stop();
    source.disconnect();
  }
}
