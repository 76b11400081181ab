// The materials that are in use, one for each surface, kind of mesh and way of shading.

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
import type { Traits } from './common';
import { daylit } from './daylight';
import { type FogUniforms, fogUniforms, inFog, skyDensity } from './fog';
import { checkerboard, colors, edges, normals, texels } from './inspect';
import { lightmapped } from './lightmapped';
import { lit } from './lit';
import { celestial } from './sky';
import type { Surface } from './surface';
import { unlit } from './unlit';

/** Ways of shading, in the order in which they are offered. */
export const SHADINGS = [
  ['game', 'As in the game'],
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

/** How many times as bright as in the game. */
export const BRIGHTNESS = [
  ['1', 'Bright as in the game'],
  ['2', '2 x as bright'],
  ['4', '4 x as bright'],
] as const;

export function isBrightness(text: string): boolean {
  return BRIGHTNESS.some(([key]) => key === text);
}

/** What something is in the world, as far as that says how it is drawn: helpers are no part of it. */
export type Role = 'world' | 'sky' | 'sun' | 'helper';

/** Ways of shading whose brightness can be raised. */
const BRIGHTENED = new Set<Shading>(['game', 'lit', 'unlit', 'light']);

export class MaterialLibrary {
  private readonly colors = new Map<MeshBasicMaterial | MeshLambertMaterial, Color>();
  private brightness = 1;
  private readonly known = new Map<string, Material>();
  private readonly ofSurface = new Map<Surface, Material[]>();
  private board: Texture | null = null;
  private readonly fog: FogUniforms | null;

  constructor(
    private edgeColor: number,
    private readonly air: Atmosphere | null,
  ) {
    this.fog = air?.fog ? fogUniforms(air.fog, air.units) : null;
  }

  /** Shows the fog of the world, or not. */
  setFog(on: boolean): void {
    if (this.fog) this.fog.fogShown.value = on ? 1 : 0;
  }

  /** The material of a surface on such an object. */
  get(surface: Surface, object: Object3D, geometry: BufferGeometry, shading: Shading, role: Role): Material {
    const kind = 'isPoints' in object ? 'points' : 'isLine' in object ? 'lines' : 'faces';
    const traits: Traits = {
      hasColors: geometry.hasAttribute('color'),
      isFlat: !geometry.hasAttribute('normal'),
      hasUvs: geometry.hasAttribute('uv'),
    };
    const key = `${surface.index}|${kind}|${role}|${shading}|${traits.hasColors}|${traits.isFlat}|${traits.hasUvs}`;
    let it = this.known.get(key);
    if (!it) {
      it = kind === 'faces' ? this.faces(surface, traits, shading, role) : thin(surface, kind, traits);
      this.known.set(key, it);
      if (BRIGHTENED.has(shading)) this.brighten(it);
      const list = this.ofSurface.get(surface) ?? [];
      list.push(it);
      this.ofSurface.set(surface, list);
    }
    return it;
  }

  /** All materials in use that show this surface. */
  showing(surface: Surface): readonly Material[] {
    return this.ofSurface.get(surface) ?? [];
  }

  /** Many rooms are as dark as they were meant to be; here one wants to see what is in them. */
  setBrightness(factor: number): void {
    this.brightness = factor;
    for (const [material, color] of this.colors) material.color.copy(color).multiplyScalar(factor);
  }

  setEdgeColor(color: number): void {
    this.edgeColor = color;
    for (const [key, it] of this.known) {
      if (key.includes('|wire|')) (it as LineBasicMaterial).color.set(color);
    }
  }

  dispose(): void {
    for (const it of this.known.values()) it.dispose();
    this.board?.dispose();
  }

  private brighten(material: Material): void {
    if (!(material instanceof MeshBasicMaterial || material instanceof MeshLambertMaterial)) return;
    this.colors.set(material, material.color.clone());
    material.color.multiplyScalar(this.brightness);
  }

  /** A surface as the game draws it, in the air of its world. */
  private asInGame(surface: Surface, traits: Traits, role: Role): Material {
    const it = this.withLight(surface, traits, role);
    const { fog } = this.air ?? {};
    if (this.fog && fog && (role === 'world' || role === 'sky'))
      inFog(it, role === 'sky' ? skyDensity() : fog.density, this.fog);
    return it;
  }

  private withLight(surface: Surface, traits: Traits, role: Role): Material {
    if (role === 'sky' || role === 'sun') return celestial(surface, traits, role);
    if (surface.isUnlit) return unlit(surface, traits);
    if (surface.lightmap) return lightmapped(surface, surface.lightmap, traits);
    return this.air?.daylight && role === 'world' ? daylit(surface, traits) : lit(surface, traits);
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

/** Lines and points are never lit. */
function thin(surface: Surface, kind: 'lines' | 'points', traits: Traits): Material {
  const it =
    kind === 'lines'
      ? new LineBasicMaterial({ vertexColors: traits.hasColors })
      : new PointsMaterial({ vertexColors: traits.hasColors, size: 3, sizeAttenuation: false });
  it.color.setRGB(...surface.color);
  return it;
}
