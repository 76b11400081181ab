// What all materials of a surface have in common: transparency, sides, and which traits of a mesh they depend on.

import type { MaterialParameters } from 'three';
import type { Surface } from './surface';

/** What a mesh has, apart from its surface, that decides how it is drawn. */
export interface Traits {
  /** It has a color for each vertex. */
  readonly hasColors: boolean;
  /** It has no normals, which means flat. */
  readonly isFlat: boolean;
  readonly hasUvs: boolean;
}

/** Keyed images are cut, blended ones are drawn behind everything solid, from back to front, without hiding each other. */
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
