// Loads a GLB. Files are untrusted, so every failure becomes an error message.

import { type AnimationClip, Group } from 'three';
import { GLTFLoader, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { objectOf, textOf } from './json';
import { readSurfaces, type Surface } from './materials/surface';
import { Textures } from './textures';

export interface LoadedScene {
  readonly root: Group;
  readonly clips: readonly AnimationClip[];
  readonly parser: GLTFParser;
  /** Indexed by material; the last is the default material. */
  readonly surfaces: readonly Surface[];
  readonly textures: Textures;
  readonly bytes: number;
}

/** An error whose message is shown to the user. */
export class SceneError extends Error {}

export async function loadScene(url: string, signal: AbortSignal): Promise<LoadedScene> {
  const bytes = await fetchBytes(url, signal);
  const loader = new GLTFLoader();
  let textures: Textures | null = null;
  loader.register(parser => (textures = new Textures(parser)));
  const base = url.includes('/') ? url.slice(0, url.lastIndexOf('/') + 1) : '';
  const gltf = await loader.parseAsync(bytes, base).catch((error: unknown) => {
    throw new SceneError(`Cannot show the scene: the GLB is malformed (${messageOf(error)}).`);
  });
  if (!textures) throw new SceneError('Cannot show the scene: the GLB has no content.');
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
    throw new SceneError('Cannot load the scene: the program does not respond.');
  });
  if (!response.ok) throw new SceneError(await sentenceOf(response));
  return response.arrayBuffer();
}

/** The error message from the body of a response. */
async function sentenceOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const text = textOf(objectOf(objectOf(body).error).text);
  return text ?? `Cannot load the scene: the program responded with status ${response.status}.`;
}

export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^THREE\.GLTFLoader: /, '').replace(/\.$/, '');
}
