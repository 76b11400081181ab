// A cache of materials, one for each surface, kind of mesh and shading mode.

import {
  type BufferGeometry,
  type Color,
  LineBasicMaterial,
  type Material,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  PointsMaterial,
  type Texture,
} from 'three';
import type { Atmosphere } from '../atmosphere';
import { daylit } from './daylight';
import { type FogUniforms, fogUniforms, inFog, skyDensity } from './fog';
import { checkerboard, colors, edges, normals, texels } from './inspect';
import { lightmapped } from './lightmapped';
import { lit } from './lit';
import { celestial } from './sky';
import type { Surface } from './surface';
import type { Traits } from './traits';
import { unlit } from './unlit';

/** Shading modes and their labels, in menu order. */
export const SHADINGS = [
  ['game', 'Game'],
  ['lit', 'Lit'],
  ['unlit', 'Unlit'],
  ['light', 'Light only'],
  ['wire', 'Wireframe'],
  ['normals', 'Normals'],
  ['uv', 'UV checker'],
  ['colors', 'Vertex colors'],
] as const;

export type Shading = (typeof SHADINGS)[number][0];

export function isShading(text: string): text is Shading {
  return SHADINGS.some(([key]) => key === text);
}

/** Brightness factors relative to the game, and their labels. */
export const BRIGHTNESS = [
  ['1', 'Game brightness'],
  ['2', '2× brightness'],
  ['4', '4× brightness'],
] as const;

export function isBrightness(text: string): boolean {
  return BRIGHTNESS.some(([key]) => key === text);
}

/** The role of an object, which affects its material. Helpers are not part of the world. */
export type Role = 'world' | 'sky' | 'sun' | 'helper';

/** Shading modes affected by the brightness setting. */
const BRIGHTENED = new Set<Shading>(['game', 'lit', 'unlit', 'light']);

export class MaterialLibrary {
  private readonly colors = new Map<MeshBasicMaterial | MeshLambertMaterial, Color>();
  private brightness = 1;
  private readonly cache = new Map<string, Material>();
  private readonly ofSurface = new Map<Surface, Material[]>();
  private board: Texture | null = null;
  private readonly fog: FogUniforms | null;

  constructor(
    private edgeColor: number,
    private readonly atmosphere: Atmosphere | null,
  ) {
    this.fog = atmosphere?.fog ? fogUniforms(atmosphere.fog, atmosphere.units) : null;
  }

  /** Shows or hides the fog. */
  setFog(on: boolean): void {
    if (this.fog) this.fog.fogShown.value = on ? 1 : 0;
  }

  /** The material of a surface on an object. */
  get(surface: Surface, object: Object3D, geometry: BufferGeometry, shading: Shading, role: Role): Material {
    const kind = 'isPoints' in object ? 'points' : 'isLine' in object ? 'lines' : 'faces';
    const traits: Traits = {
      hasColors: geometry.hasAttribute('color'),
      isFlat: !geometry.hasAttribute('normal'),
      hasUvs: geometry.hasAttribute('uv'),
    };
    const key = `${surface.index}|${kind}|${role}|${shading}|${traits.hasColors}|${traits.isFlat}|${traits.hasUvs}`;
    let it = this.cache.get(key);
    if (!it) {
      it = kind === 'faces' ? this.faces(surface, traits, shading, role) : unlitMaterial(surface, kind, traits);
      this.cache.set(key, it);
      if (BRIGHTENED.has(shading)) this.brighten(it);
      const list = this.ofSurface.get(surface) ?? [];
      list.push(it);
      this.ofSurface.set(surface, list);
    }
    return it;
  }

  /** All cached materials of a surface. */
  showing(surface: Surface): readonly Material[] {
    return this.ofSurface.get(surface) ?? [];
  }

  /** Multiplies the colors of all materials, because many rooms are very dark. */
  setBrightness(factor: number): void {
    this.brightness = factor;
    for (const [material, color] of this.colors) material.color.copy(color).multiplyScalar(factor);
  }

  setEdgeColor(color: number): void {
    this.edgeColor = color;
    for (const [key, it] of this.cache) {
      if (key.includes('|wire|')) (it as LineBasicMaterial).color.set(color);
    }
  }

  dispose(): void {
    for (const it of this.cache.values()) it.dispose();
    this.board?.dispose();
  }

  private brighten(material: Material): void {
    if (!(material instanceof MeshBasicMaterial || material instanceof MeshLambertMaterial)) return;
    this.colors.set(material, material.color.clone());
    material.color.multiplyScalar(this.brightness);
  }

  /** A surface as the game draws it, with the fog of its world. */
  private asInGame(surface: Surface, traits: Traits, role: Role): Material {
    const it = this.withLighting(surface, traits, role);
    const { fog } = this.atmosphere ?? {};
    if (this.fog && fog && (role === 'world' || role === 'sky'))
      inFog(it, role === 'sky' ? skyDensity() : fog.density, this.fog);
    return it;
  }

  private withLighting(surface: Surface, traits: Traits, role: Role): Material {
    if (role === 'sky' || role === 'sun') return celestial(surface, traits, role);
    if (surface.isUnlit) return unlit(surface, traits);
    if (surface.lightmap) return lightmapped(surface, surface.lightmap, traits);
    return this.atmosphere?.daylight && role === 'world' ? daylit(surface, traits) : lit(surface, traits);
  }

  private faces(surface: Surface, traits: Traits, shading: Shading, role: Role): Material {
    switch (shading) {
      case 'game':
        return this.asInGame(surface, traits, role);
      case 'lit':
        return lit(surface, { ...traits, hasColors: false });
      case 'unlit':
        return unlit(surface, { ...traits, hasColors: false });
      case 'light': {
        const white: Surface = { ...surface, map: null, color: [1, 1, 1] };
        if (surface.lightmap) return lightmapped(white, surface.lightmap, traits);
        return surface.isUnlit ? unlit(white, traits) : lit(white, traits);
      }
      case 'wire':
        return edges(surface, this.edgeColor);
      case 'normals':
        return normals(surface, traits);
      case 'uv':
        this.board ??= checkerboard();
        return texels(surface, traits, this.board);
      case 'colors':
        return colors(surface, traits);
    }
  }
}

/** Unlit materials for lines and points. */
function unlitMaterial(surface: Surface, kind: 'lines' | 'points', traits: Traits): Material {
  const it =
    kind === 'lines'
      ? new LineBasicMaterial({ vertexColors: traits.hasColors })
      : new PointsMaterial({ vertexColors: traits.hasColors, size: 3, sizeAttenuation: false });
  it.color.setRGB(...surface.color);
  return it;
}
