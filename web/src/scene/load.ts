// Reads a GLB. Files are not to be trusted, so whatever goes wrong here ends as a sentence.

import { type AnimationClip, Group } from 'three';
import { GLTFLoader, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { objectOf, textOf } from './json';
import { readSurfaces, type Surface } from './materials/surface';
import { Textures } from './textures';

export interface LoadedScene {
  readonly root: Group;
  readonly clips: readonly AnimationClip[];
  readonly parser: GLTFParser;
  /** By the number of the material; the last is the default material. */
  readonly surfaces: readonly Surface[];
  readonly textures: Textures;
  readonly bytes: number;
}

/** A failure whose message is for the reader. */
export class SceneError extends Error {}

export async function loadScene(url: string, signal: AbortSignal): Promise<LoadedScene> {
  const bytes = await fetchBytes(url, signal);
  const loader = new GLTFLoader();
  let textures: Textures | null = null;
  loader.register(parser => (textures = new Textures(parser)));
  const base = url.includes('/') ? url.slice(0, url.lastIndexOf('/') + 1) : '';
  const gltf = await loader.parseAsync(bytes, base).catch((error: unknown) => {
    throw new SceneError(`The scene cannot be shown, it is damaged: ${messageOf(error)}.`);
  });
  if (!textures) throw new SceneError('The scene cannot be shown: it has no content.');
  const surfaces = await readSurfaces(gltf.parser);
  const root = gltf.scene as Group | undefined;
  return {
    root: root ?? new Group(),
    clips: gltf.animations,
    parser: gltf.parser,
    surfaces,
    textures,
    bytes: bytes.byteLength,
  };
}

async function fetchBytes(url: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new SceneError('The scene cannot be loaded: the program does not answer.');
  });
  if (!response.ok) throw new SceneError(await sentenceOf(response));
  return response.arrayBuffer();
}

/** The sentence in the body of an error, as the program writes it. */
async function sentenceOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const text = textOf(objectOf(objectOf(body).error).text);
  return text ?? `The scene cannot be loaded: the program answered ${response.status}.`;
}

export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^THREE\.GLTFLoader: /, '').replace(/\.$/, '');
}
