// Surfaces that no light reaches: color = texture x factor x vertex color, in display numbers.
//
// Source: KHR_materials_unlit of Khronos. In SCP - Containment Breach this shows surfaces without a lightmap, whose exporter has put
// min(1, 2 x vertex color) into COLOR_0 (LoadRMesh in the game's MapSystem.bb: full bright, vertex colors, texture blend 5 which doubles).

import { MeshBasicMaterial } from 'three';
import { type Traits, transparency } from './common';
import type { Surface } from './surface';

export function unlit(surface: Surface, traits: Traits): MeshBasicMaterial {
  const it = new MeshBasicMaterial({ ...transparency(surface), map: surface.map, vertexColors: traits.hasColors });
  it.color.setRGB(...surface.color);
  return it;
}
