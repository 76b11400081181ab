// Surfaces in the daylight of a world: color = texture x min(1, ambient + max(0, -D . N) x sun + lamps), all in display numbers.
//
// Source: what is known of the engine of Redguard (crates/redguard-world/src/engine/light.rs, `ModelLight`): per channel the sum of the ambient light, the sun and the
// lamps is limited to 255 and multiplies the texture. The game does this for each corner and smooths between them, here it is done for each pixel. The
// brightness of single faces is not in the scene: `--light baked` has it.

import type { MeshLambertMaterial } from 'three';
import type { Traits } from './common';
import { lit, SUM, WHITE_DIFFUSE } from './lit';
import type { Surface } from './surface';

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
