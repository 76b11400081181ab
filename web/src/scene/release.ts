// Frees the GPU resources of a scene.

import type { Object3D, Texture } from 'three';
import type { LoadedScene } from './load';

export function release({ root, surfaces }: LoadedScene): void {
  root.traverse((it: Object3D) => {
    if ('geometry' in it) (it.geometry as { dispose(): void }).dispose();
    if ('skeleton' in it) (it.skeleton as { dispose(): void }).dispose();
  });
  const textures = surfaces.flatMap(it => [it.map, it.emissiveMap, it.lightmap?.texture ?? null]);
  for (const it of textures) releaseTexture(it);
}

function releaseTexture(texture: Texture | null): void {
  if (!texture) return;
  texture.dispose();
  const image: unknown = texture.image;
  if (typeof ImageBitmap !== 'undefined' && image instanceof ImageBitmap) image.close();
}
