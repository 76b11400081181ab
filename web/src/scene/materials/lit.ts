// Lit surfaces: color = texture x min(1, light), in display values.
//
// Source: the fixed-function lighting of Direct3D 7, as documented by Microsoft ("Mathematics of Direct3D Lighting"): diffuse light is
// summed, limited to 1, and then multiplies the texture, so a surface is never brighter than its texture. The light itself is summed as
// glTF defines it (KHR_lights_punctual: candela, inverse square), and the sum is converted to display values.

import { MeshLambertMaterial } from 'three';
import type { Surface } from './surface';
import { type Traits, transparency } from './traits';

/** A white surface, to compute the light alone. */
export const WHITE_DIFFUSE = `
LambertMaterial material;
material.diffuseColor = vec3( 1.0 );
material.specularStrength = specularStrength;
`;

/** The shader line that sums the light. */
export const SUM =
  'vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;';

const PRODUCT = `
vec3 summedLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
vec3 outgoingLight = diffuseColor.rgb * min( vec3( 1.0 ), pow( summedLight, vec3( 1.0 / 2.2 ) ) ) + totalEmissiveRadiance;
`;

export function lit(surface: Surface, traits: Traits): MeshLambertMaterial {
  const it = new MeshLambertMaterial({
    ...transparency(surface),
    map: surface.map,
    vertexColors: traits.hasColors,
    flatShading: traits.isFlat,
    emissiveMap: surface.emissiveMap,
  });
  it.color.setRGB(...surface.color);
  it.emissive.setRGB(...surface.emissive);
  it.onBeforeCompile = shader => {
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <lights_lambert_fragment>', WHITE_DIFFUSE)
      .replace(SUM, PRODUCT);
  };
  it.customProgramCacheKey = () => 'scene-lit';
  return it;
}
