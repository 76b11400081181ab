// What a material of the GLB says, in the terms of this view.

import { DoubleSide, FrontSide, NoColorSpace, type Side, type Texture } from 'three';
import type { GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { type Json, numberOf, objectOf, textOf } from '../json';
import { factorToDisplay, toDisplay } from './display';

export interface Surface {
  /** Number of the material in the GLB; -1 for the default material. */
  readonly index: number;
  readonly name: string;
  /** Display color that multiplies the texture. */
  readonly color: [number, number, number];
  readonly opacity: number;
  readonly map: Texture | null;
  readonly alpha: 'OPAQUE' | 'MASK' | 'BLEND';
  readonly cutoff: number;
  readonly side: Side;
  /** KHR_materials_unlit: the color is shown as it is. */
  readonly isUnlit: boolean;
  /** MOZ_lightmap, with its factor for display numbers. */
  readonly lightmap: { readonly texture: Texture; readonly factor: number } | null;
  readonly emissive: [number, number, number];
  readonly emissiveMap: Texture | null;
  /** Numbers of the textures of a moving picture, and how long each is shown. */
  readonly frames: readonly number[];
  readonly frameMs: number;
  readonly field: string | null;
  /** The extras say that it is water: nobody walks there. */
  readonly isWater: boolean;
}

const NO_FRAMES: readonly number[] = [];

/** All materials of the file, and the default one, which is the last. */
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

/** A texture as a material uses it; null where it is missing or damaged. */
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
