// Surfaces in the daylight of a world: color = texture x min(1, ambient + max(0, -D . N) x sun + lamps), all in display values.
//
// Source: the engine of Redguard (crates/redguard-world/src/engine/light.rs, `ModelLight`). Per channel, the sum of the ambient light,
// the sun and the lamps is limited to 255 and multiplies the texture. The game computes this per vertex and interpolates; this shader
// computes it per pixel. The brightness of single faces is not in the scene; `--light baked` includes it.

import type { MeshLambertMaterial } from 'three';
import { lit, SUM, WHITE_DIFFUSE } from './lit';
import type { Surface } from './surface';
import type { Traits } from './traits';

const PRODUCT = `
vec3 summedLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
vec3 outgoingLight = diffuseColor.rgb * min( vec3( 1.0 ), summedLight ) + totalEmissiveRadiance;
`;

export function daylit(surface: Surface, traits: Traits): MeshLambertMaterial {
  const it = lit(surface, traits);
  it.onBeforeCompile = shader => {
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <lights_lambert_fragment>', WHITE_DIFFUSE)
      .replace(SUM, PRODUCT);
  };
  it.customProgramCacheKey = () => 'scene-daylit';
  return it;
}
