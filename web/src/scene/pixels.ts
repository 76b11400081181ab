// Texture filtering: as the file specifies, nearest or linear.

import {
  LinearFilter,
  LinearMipmapLinearFilter,
  type MagnificationTextureFilter,
  type MinificationTextureFilter,
  NearestFilter,
  NearestMipmapLinearFilter,
  type Texture,
} from 'three';
import type { Surface } from './materials/surface';

export const PIXELS = [
  ['file', 'As in the file'],
  ['crisp', 'Nearest (crisp)'],
  ['smooth', 'Linear (smooth)'],
] as const;

export type Pixels = (typeof PIXELS)[number][0];

export function isPixels(text: string): text is Pixels {
  return PIXELS.some(([key]) => key === text);
}

interface Filters {
  readonly mag: MagnificationTextureFilter;
  readonly min: MinificationTextureFilter;
}

export class PixelFilter {
  private readonly textures = new Map<Texture, Filters>();

  constructor(
    surfaces: readonly Surface[],
    private readonly anisotropy: number,
    private pixels: Pixels,
  ) {
    this.add(surfaces.flatMap(it => [it.map, it.emissiveMap]).filter(it => it !== null));
  }

  /** Adds textures to be filtered. */
  add(textures: readonly Texture[]): void {
    for (const it of textures) {
      if (this.textures.has(it)) continue;
      this.textures.set(it, { mag: it.magFilter, min: it.minFilter });
      this.apply(it);
    }
  }

  set(pixels: Pixels): void {
    this.pixels = pixels;
    for (const it of this.textures.keys()) this.apply(it);
  }

  private apply(texture: Texture): void {
    const file = this.textures.get(texture);
    if (!file) return;
    const hasMipmaps = texture.generateMipmaps;
    const smooth = hasMipmaps ? LinearMipmapLinearFilter : LinearFilter;
    const crisp = hasMipmaps ? NearestMipmapLinearFilter : NearestFilter;
    const { pixels } = this;
    texture.magFilter = pixels === 'file' ? file.mag : pixels === 'crisp' ? NearestFilter : LinearFilter;
    texture.minFilter = pixels === 'file' ? file.min : pixels === 'crisp' ? crisp : smooth;
    // Keeps floors sharp at grazing angles.
    texture.anisotropy = texture.magFilter === LinearFilter ? this.anisotropy : 1;
    texture.needsUpdate = true;
  }
}
