// Tracks of KHR_animation_pointer: animated texture transforms and colors, which three.js does not support.
//
// Source: KHR_animation_pointer and KHR_texture_transform of Khronos.

import { BufferAttribute, MeshBasicMaterial, MeshLambertMaterial, type Texture } from 'three';
import { numberOf, objectOf, textOf } from './json';
import type { LoadedScene } from './load';
import { toDisplay } from './materials/display';
import type { MaterialLibrary } from './materials/library';
import type { Surface } from './materials/surface';

type Member = 'offset' | 'scale' | 'rotation' | 'color';

const POINTER =
  /^\/materials\/(\d+)\/pbrMetallicRoughness\/(?:baseColorTexture\/extensions\/KHR_texture_transform\/(offset|scale|rotation)|(baseColorFactor))$/;

export class PointerTrack {
  readonly duration: number;
  private readonly value: Float32Array;
  /** The material's value without the clip; colors are display values. */
  private readonly rest: readonly [number, number, number];

  constructor(
    readonly surface: Surface,
    private readonly member: Member,
    private readonly times: ArrayLike<number>,
    private readonly values: ArrayLike<number>,
    private readonly isStep: boolean,
  ) {
    this.duration = times[times.length - 1] ?? 0;
    const { map, color } = surface;
    if (member === 'color') this.rest = color;
    else if (member === 'rotation') this.rest = [map?.rotation ?? 0, 0, 0];
    else
      this.rest = [...(member === 'offset' ? (map?.offset ?? [0, 0]) : (map?.repeat ?? [1, 1])), 0] as [
        number,
        number,
        number,
      ];
    this.value = new Float32Array(times.length > 0 ? values.length / times.length : 0);
  }

  /** Applies the values at a time. */
  apply(time: number, library: MaterialLibrary): void {
    this.sample(time);
    const [x = 0, y = 0, z = 0] = this.value;
    if (this.member === 'color') this.setValue(toDisplay(x), toDisplay(y), toDisplay(z), library);
    else this.setValue(x, y, z, library);
  }

  /** Restores the values without the clip. */
  reset(library: MaterialLibrary): void {
    this.setValue(...this.rest, library);
  }

  private setValue(x: number, y: number, z: number, library: MaterialLibrary): void {
    const { map } = this.surface;
    if (this.member !== 'color') {
      if (map) transformTexture(map, this.member, x, y);
      return;
    }
    for (const it of library.showing(this.surface)) {
      if (it instanceof MeshBasicMaterial || it instanceof MeshLambertMaterial) it.color.setRGB(x, y, z);
    }
  }

  private sample(time: number): void {
    const { times, values, value } = this;
    const width = value.length;
    const next = firstAfter(times, time);
    const from = Math.max(0, next - 1);
    const to = this.isStep ? from : Math.min(next, times.length - 1);
    const [start, end] = [times[from] ?? 0, times[to] ?? 0];
    const fraction = end > start ? Math.min(1, Math.max(0, (time - start) / (end - start))) : 0;
    for (let i = 0; i < width; i++) {
      const a = values[from * width + i] ?? 0;
      value[i] = a + ((values[to * width + i] ?? 0) - a) * fraction;
    }
  }
}

/** The index of the first keyframe after a time. Binary search, because rotating textures have thousands of keyframes. */
function firstAfter(times: ArrayLike<number>, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sets a texture transform. glTF scales, rotates, then translates; the matrix of three.js uses a different order. */
function transformTexture(map: Texture, member: Exclude<Member, 'color'>, x: number, y: number): void {
  if (member === 'offset') map.offset.set(x, y);
  else if (member === 'scale') map.repeat.set(x, y);
  else map.rotation = x;
  const { offset, repeat, rotation, matrix } = map;
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  map.matrixAutoUpdate = false;
  matrix.set(repeat.x * cos, repeat.y * sin, offset.x, -repeat.x * sin, repeat.y * cos, offset.y, 0, 0, 1);
}

/** Reads the tracks of each animation, by index. */
export async function readPointerTracks(scene: LoadedScene): Promise<PointerTrack[][]> {
  const { animations } = scene.parser.json as { animations?: unknown[] };
  return Promise.all((animations ?? []).map(json => tracksOf(scene, json)));
}

async function tracksOf(scene: LoadedScene, json: unknown): Promise<PointerTrack[]> {
  const { channels, samplers } = objectOf(json);
  if (!Array.isArray(channels) || !Array.isArray(samplers)) return [];
  const out: PointerTrack[] = [];
  for (const channel of channels) {
    const { target, sampler: number } = objectOf(channel);
    const extension = objectOf(objectOf(objectOf(target).extensions).KHR_animation_pointer);
    const match = POINTER.exec(textOf(extension.pointer) ?? '');
    const surface = match ? scene.surfaces[Number(match[1])] : undefined;
    const sampler = objectOf((samplers as unknown[])[numberOf(number) ?? -1]);
    const [input, output] = [numberOf(sampler.input), numberOf(sampler.output)];
    // Spline interpolation is not supported; no known file uses it.
    if (!match || !surface || input === null || output === null || sampler.interpolation === 'CUBICSPLINE') continue;
    const [times, values] = await Promise.all([scene.parser.loadAccessor(input), scene.parser.loadAccessor(output)]);
    const member: Member = match[3] ? 'color' : (match[2] as Member);
    out.push(new PointerTrack(surface, member, numbers(times), numbers(values), sampler.interpolation === 'STEP'));
  }
  return out;
}

function numbers(attribute: unknown): ArrayLike<number> {
  return attribute instanceof BufferAttribute ? attribute.array : [];
}
