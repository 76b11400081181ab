// Textures whose picture moves: water, fire, screens. The extras of a material name the frames and how long each is shown.

import type { Material } from 'three';
import { NoColorSpace, Texture } from 'three';
import type { LoadedScene } from './load';
import type { MaterialLibrary } from './materials/library';
import type { Surface } from './materials/surface';

interface Film {
  readonly surface: Surface;
  readonly frames: readonly Texture[];
  shown: number;
}

export class MovingTextures {
  private films: Film[] = [];
  private isLoaded = false;
  private timer = 0;
  private isOn = false;

  constructor(
    private readonly scene: LoadedScene,
    private readonly library: MaterialLibrary,
    private readonly changed: () => void,
    /** Called with textures that were not in use before. */
    private readonly added: (textures: readonly Texture[]) => void,
  ) {}

  get count(): number {
    return this.scene.surfaces.filter(it => it.frames.length > 1).length;
  }

  async turn(on: boolean): Promise<void> {
    this.isOn = on && this.count > 0;
    clearTimeout(this.timer);
    if (!this.isOn) return;
    if (!this.isLoaded) {
      this.isLoaded = true;
      this.films = await this.load();
      this.added(this.films.flatMap(film => film.frames));
    }
    this.next();
  }

  dispose(): void {
    this.isOn = false;
    clearTimeout(this.timer);
    for (const film of this.films) for (const frame of film.frames) frame.dispose();
  }

  private async load(): Promise<Film[]> {
    const films: Film[] = [];
    for (const surface of this.scene.surfaces) {
      if (surface.frames.length < 2 || !surface.map) continue;
      const { parser } = this.scene;
      const found = await Promise.all(
        surface.frames.map(frame => parser.getDependency('texture', frame).catch(() => null)),
      );
      const frames = found.filter((it): it is Texture => it instanceof Texture);
      for (const frame of frames) frame.colorSpace = NoColorSpace;
      if (frames.length > 1) films.push({ surface, frames, shown: 0 });
    }
    return films;
  }

  /** Shows the frames of this moment, and waits for the next change. */
  private readonly next = (): void => {
    if (!this.isOn) return;
    const now = performance.now();
    let wait = 1000;
    for (const film of this.films) {
      const { frameMs } = film.surface;
      wait = Math.min(wait, frameMs - (now % frameMs));
      const shown = Math.floor(now / frameMs) % film.frames.length;
      if (shown === film.shown) continue;
      film.shown = shown;
      this.show(film);
    }
    this.timer = window.setTimeout(this.next, Math.max(16, wait));
  };

  private show(film: Film): void {
    const texture = film.frames[film.shown];
    if (!texture) return;
    let isInUse = false;
    for (const material of this.library.showing(film.surface)) {
      const it = material as Material & { map?: Texture | null };
      if (!it.map) continue;
      it.map = texture;
      isInUse = true;
    }
    if (isInUse) this.changed();
  }
}
