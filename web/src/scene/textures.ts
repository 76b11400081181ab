// The images of a GLB. three.js would load them from blob URLs and log malformed ones to the console; here they are decoded directly
// from the buffer, and a malformed image becomes a magenta pixel.

import {
  ClampToEdgeWrapping,
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  LinearMipmapNearestFilter,
  type MagnificationTextureFilter,
  type MinificationTextureFilter,
  MirroredRepeatWrapping,
  NearestFilter,
  NearestMipmapLinearFilter,
  NearestMipmapNearestFilter,
  NoColorSpace,
  RepeatWrapping,
  Texture,
  type Wrapping,
} from 'three';
import type { GLTFLoaderPlugin, GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { type Json, numberOf, objectOf, textOf } from './json';

const MAG: Record<number, MagnificationTextureFilter> = { 9728: NearestFilter, 9729: LinearFilter };

const MIN: Record<number, MinificationTextureFilter> = {
  9728: NearestFilter,
  9729: LinearFilter,
  9984: NearestMipmapNearestFilter,
  9985: LinearMipmapNearestFilter,
  9986: NearestMipmapLinearFilter,
  9987: LinearMipmapLinearFilter,
};

const WRAP: Record<number, Wrapping> = {
  10497: RepeatWrapping,
  33071: ClampToEdgeWrapping,
  33648: MirroredRepeatWrapping,
};

export class Textures implements GLTFLoaderPlugin {
  readonly name = 'scene_textures';
  private readonly images = new Map<number, Promise<Texture>>();
  private readonly textures = new Map<number, Promise<Texture>>();

  constructor(private readonly parser: GLTFParser) {}

  loadTexture(index: number): Promise<Texture> {
    const cached = this.textures.get(index);
    if (cached) return cached;
    const created = this.create(index);
    this.textures.set(index, created);
    return created;
  }

  /** An image by index, as a separate texture. */
  async image(index: number): Promise<Texture> {
    let first = this.images.get(index);
    if (!first) {
      first = this.decode(index).catch(() => placeholder());
      this.images.set(index, first);
    }
    // Textures with the same image share its pixels.
    return (await first).clone();
  }

  private async create(index: number): Promise<Texture> {
    const json = this.jsonOf('textures', index);
    const sampler = this.jsonOf('samplers', numberOf(json.sampler) ?? -1);
    const texture = await this.image(numberOf(json.source) ?? -1);
    texture.name = textOf(json.name) ?? '';
    texture.magFilter = MAG[numberOf(sampler.magFilter) ?? 9729] ?? LinearFilter;
    texture.minFilter = MIN[numberOf(sampler.minFilter) ?? 9987] ?? LinearMipmapLinearFilter;
    texture.wrapS = WRAP[numberOf(sampler.wrapS) ?? 10497] ?? RepeatWrapping;
    texture.wrapT = WRAP[numberOf(sampler.wrapT) ?? 10497] ?? RepeatWrapping;
    texture.generateMipmaps = texture.minFilter !== NearestFilter && texture.minFilter !== LinearFilter;
    texture.needsUpdate = true;
    this.parser.associations.set(texture, { textures: index });
    return texture;
  }

  private async decode(index: number): Promise<Texture> {
    const json = this.jsonOf('images', index);
    const view = numberOf(json.bufferView);
    const type = textOf(json.mimeType) ?? '';
    const uri = textOf(json.uri);
    let blob: Blob;
    if (view !== null) blob = new Blob([await this.parser.loadBufferView(view)], { type });
    else if (uri !== null) blob = await (await fetch(this.parser.options.path + uri)).blob();
    else throw new Error('the image has no data');
    const bitmap = await createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
    const texture = new Texture(bitmap);
    texture.flipY = false;
    texture.colorSpace = NoColorSpace;
    texture.needsUpdate = true;
    return texture;
  }

  private jsonOf(list: string, index: number): Json {
    const all = (this.parser.json as Json)[list];
    return objectOf(Array.isArray(all) ? (all as unknown[])[index] : null);
  }
}

function placeholder(): Texture {
  const texture = new DataTexture(new Uint8Array([255, 0, 255, 255]), 1, 1);
  texture.needsUpdate = true;
  return texture;
}
