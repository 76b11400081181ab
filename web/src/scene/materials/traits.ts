// Settings shared by all materials of a surface: transparency, sides and mesh traits.

import type { MaterialParameters } from 'three';
import type { Surface } from './surface';

/** Properties of a mesh that affect its material. */
export interface Traits {
  /** Whether the mesh has vertex colors. */
  readonly hasColors: boolean;
  /** Whether the mesh has no normals, which means flat shading. */
  readonly isFlat: boolean;
  readonly hasUvs: boolean;
}

/** Material parameters for the alpha mode: masked surfaces use an alpha test; blended surfaces do not write depth. */
export function transparency(surface: Surface): MaterialParameters {
  const isBlended = surface.alpha === 'BLEND';
  return {
    name: surface.name,
    side: surface.side,
    alphaTest: surface.alpha === 'MASK' ? surface.cutoff : 0,
    transparent: isBlended,
    depthWrite: !isBlended,
    opacity: surface.alpha === 'OPAQUE' ? 1 : surface.opacity,
  };
}
