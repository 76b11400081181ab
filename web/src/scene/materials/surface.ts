// Material properties read from the GLB.

import { DoubleSide, FrontSide, NoColorSpace, type Side, type Texture } from 'three';
import type { GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { type Json, numberOf, objectOf, textOf } from '../json';
import { factorToDisplay, toDisplay } from './display';

export interface Surface {
  /** Index of the material in the GLB; -1 for the default material. */
  readonly index: number;
  readonly name: string;
  /** Display color that multiplies the texture. */
  readonly color: [number, number, number];
  readonly opacity: number;
  readonly map: Texture | null;
  readonly alpha: 'OPAQUE' | 'MASK' | 'BLEND';
  readonly cutoff: number;
  readonly side: Side;
  /** Whether the material is unlit (KHR_materials_unlit). */
  readonly isUnlit: boolean;
  /** MOZ_lightmap, with its factor for display values. */
  readonly lightmap: { readonly texture: Texture; readonly factor: number } | null;
  readonly emissive: [number, number, number];
  readonly emissiveMap: Texture | null;
  /** Texture indices of an animation, each shown for `frameMs` milliseconds. */
  readonly frames: readonly number[];
  readonly frameMs: number;
  readonly field: string | null;
  /** Whether the extras mark the surface as water, which is not walkable. */
  readonly isWater: boolean;
}

const NO_FRAMES: readonly number[] = [];

/** Reads all materials of the file, followed by the default material. */
export async function readSurfaces(parser: GLTFParser): Promise<Surface[]> {
  const materials = (parser.json as { materials?: unknown[] }).materials ?? [];
  const surfaces = await Promise.all(materials.map((json, index) => readSurface(parser, objectOf(json), index)));
  surfaces.push(await readSurface(parser, {}, -1));
  return surfaces;
}

async function readSurface(parser: GLTFParser, json: Json, index: number): Promise<Surface> {
  const pbr = objectOf(json.pbrMetallicRoughness);
  const extensions = objectOf(json.extensions);
  const extras = objectOf(json.extras);
  const factor = numbers(pbr.baseColorFactor, [1, 1, 1, 1]);
  const emissive = numbers(json.emissiveFactor, [0, 0, 0]);
  const lightmap = extensions.MOZ_lightmap === undefined ? null : objectOf(extensions.MOZ_lightmap);
  const [map, light, glow] = await Promise.all([
    texture(parser, pbr.baseColorTexture),
    texture(parser, lightmap),
    texture(parser, json.emissiveTexture),
  ]);
  const frames = Array.isArray(extras.frame_textures) ? extras.frame_textures.filter(isIndex) : NO_FRAMES;
  return {
    index,
    name: textOf(json.name) ?? (index < 0 ? 'default' : `material ${index}`),
    color: [toDisplay(factor[0] ?? 1), toDisplay(factor[1] ?? 1), toDisplay(factor[2] ?? 1)],
    opacity: factor[3] ?? 1,
    map,
    alpha: json.alphaMode === 'MASK' || json.alphaMode === 'BLEND' ? json.alphaMode : 'OPAQUE',
    cutoff: numberOf(json.alphaCutoff) ?? 0.5,
    side: json.doubleSided === true ? DoubleSide : FrontSide,
    isUnlit: extensions.KHR_materials_unlit !== undefined,
    lightmap: light === null ? null : { texture: light, factor: factorToDisplay(numberOf(lightmap?.intensity) ?? 1) },
    emissive: [toDisplay(emissive[0] ?? 0), toDisplay(emissive[1] ?? 0), toDisplay(emissive[2] ?? 0)],
    emissiveMap: glow,
    frames: frames.length > 1 ? frames : NO_FRAMES,
    frameMs: Math.max(16, numberOf(extras.anim_delay_ms) ?? 100),
    field: textOf(extras.field),
    isWater: extras.water === true,
  };
}

/** Loads a texture with the settings of its use in a material; null if it is missing or malformed. */
async function texture(parser: GLTFParser, use: unknown): Promise<Texture | null> {
  const info = objectOf(use);
  if (typeof info.index !== 'number') return null;
  const out: { map?: Texture } = {};
  const { index, texCoord, extensions } = info as { index: number; texCoord?: number; extensions?: unknown };
  await parser.assignTexture(out, 'map', { index, texCoord, extensions }).catch(() => null);
  if (!out.map) return null;
  out.map.colorSpace = NoColorSpace;
  return out.map;
}

function isIndex(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

function numbers(value: unknown, fallback: number[]): number[] {
  return Array.isArray(value) && value.every(it => typeof it === 'number') ? (value as number[]) : fallback;
}
