// Unlit surfaces: color = texture x factor x vertex color, in display values.
//
// Source: KHR_materials_unlit of Khronos. In SCP - Containment Breach these are surfaces without a lightmap, whose exporter writes
// min(1, 2 x vertex color) to COLOR_0 (LoadRMesh in the game's MapSystem.bb: full bright, vertex colors, texture blend mode 5, which
// doubles).

import { MeshBasicMaterial } from 'three';
import type { Surface } from './surface';
import { type Traits, transparency } from './traits';

export function unlit(surface: Surface, traits: Traits): MeshBasicMaterial {
  const it = new MeshBasicMaterial({ ...transparency(surface), map: surface.map, vertexColors: traits.hasColors });
  it.color.setRGB(...surface.color);
  return it;
}
