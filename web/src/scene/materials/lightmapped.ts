// Surfaces with baked light: color = min(1, factor x texture x lightmap), in display values.
//
// Source: LoadRMesh in MapSystem.bb of SCP - Containment Breach 1.3.11. Rooms are full bright, the lightmap is added to black ambient
// light, and the texture multiplies it with blend mode 5, which doubles: 2 x texture x lightmap. The GLB expresses this as MOZ_lightmap
// with intensity 2^2.2, for viewers that multiply linear light. No other light affects these surfaces.

import { MeshBasicMaterial, type Texture } from 'three';
import type { Surface } from './surface';
import { type Traits, transparency } from './traits';

export function lightmapped(
  surface: Surface,
  lightmap: { readonly texture: Texture; readonly factor: number },
  traits: Traits,
): MeshBasicMaterial {
  const it = new MeshBasicMaterial({
    ...transparency(surface),
    map: surface.map,
    vertexColors: traits.hasColors,
    lightMap: lightmap.texture,
    // three.js divides lightmap values by pi.
    lightMapIntensity: lightmap.factor * Math.PI,
  });
  it.color.setRGB(...surface.color);
  return it;
}
