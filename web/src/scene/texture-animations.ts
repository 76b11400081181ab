// Texture animations: water, fire, screens. The extras of a material list the frames and the frame duration.

import type { Material } from 'three';
import { NoColorSpace, Texture } from 'three';
import type { LoadedScene } from './load';
import type { MaterialLibrary } from './materials/library';
import type { Surface } from './materials/surface';

interface TextureAnimation {
  readonly surface: Surface;
  readonly frames: readonly Texture[];
  shown: number;
}

export class TextureAnimations {
  private animations: TextureAnimation[] = [];
  private isLoaded = false;
  private timer = 0;
  private isPlaying = false;

  constructor(
    private readonly scene: LoadedScene,
    private readonly library: MaterialLibrary,
    private readonly changed: () => void,
    /** Called with newly loaded textures. */
    private readonly added: (textures: readonly Texture[]) => void,
  ) {}

  get count(): number {
    return this.scene.surfaces.filter(it => it.frames.length > 1).length;
  }

  async setPlaying(on: boolean): Promise<void> {
    this.isPlaying = on && this.count > 0;
    clearTimeout(this.timer);
    if (!this.isPlaying) return;
    if (!this.isLoaded) {
      this.isLoaded = true;
      this.animations = await this.load();
      this.added(this.animations.flatMap(animation => animation.frames));
    }
    this.next();
  }

  dispose(): void {
    this.isPlaying = false;
    clearTimeout(this.timer);
    for (const animation of this.animations) for (const frame of animation.frames) frame.dispose();
  }

  private async load(): Promise<TextureAnimation[]> {
    const animations: TextureAnimation[] = [];
    for (const surface of this.scene.surfaces) {
      if (surface.frames.length < 2 || !surface.map) continue;
      const { parser } = this.scene;
      const found = await Promise.all(
        surface.frames.map(frame => parser.getDependency('texture', frame).catch(() => null)),
      );
      const frames = found.filter((it): it is Texture => it instanceof Texture);
      for (const frame of frames) frame.colorSpace = NoColorSpace;
      if (frames.length > 1) animations.push({ surface, frames, shown: 0 });
    }
    return animations;
  }

  /** Shows the current frames and schedules the next change. */
  private readonly next = (): void => {
    if (!this.isPlaying) return;
    const now = performance.now();
    let wait = 1000;
    for (const animation of this.animations) {
      const { frameMs } = animation.surface;
      wait = Math.min(wait, frameMs - (now % frameMs));
      const shown = Math.floor(now / frameMs) % animation.frames.length;
      if (shown === animation.shown) continue;
      animation.shown = shown;
      this.show(animation);
    }
    this.timer = window.setTimeout(this.next, Math.max(16, wait));
  };

  private show(animation: TextureAnimation): void {
    const texture = animation.frames[animation.shown];
    if (!texture) return;
    let isInUse = false;
    for (const material of this.library.showing(animation.surface)) {
      const it = material as Material & { map?: Texture | null };
      if (!it.map) continue;
      it.map = texture;
      isInUse = true;
    }
    if (isInUse) this.changed();
  }
}
