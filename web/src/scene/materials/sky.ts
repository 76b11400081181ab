// The sky and the sun: drawn behind everything regardless of distance, bilinear and unlit.
//
// Source: the engine of Redguard (crates/redguard-world/src/engine/sky.rs). Both are drawn before the scene, the sky opaque, the sun
// blended.

import { MeshBasicMaterial } from 'three';
import type { Surface } from './surface';
import { type Traits, transparency } from './traits';

/** The sky is drawn first without a depth test; a depth in the middle of the range is never clipped. */
const SKY = 'gl_Position.z = 0.0;';
/** The sun is blended over the sky, behind everything else. */
const SUN = 'gl_Position.z = gl_Position.w * 0.9999;';

export function celestial(surface: Surface, traits: Traits, role: 'sky' | 'sun'): MeshBasicMaterial {
  const it = new MeshBasicMaterial({
    ...transparency(surface),
    map: surface.map,
    vertexColors: traits.hasColors,
    depthTest: role === 'sun',
    depthWrite: false,
  });
  it.color.setRGB(...surface.color);
  it.onBeforeCompile = shader => {
    shader.vertexShader = shader.vertexShader.replace(
      '#include <project_vertex>',
      `#include <project_vertex>\n${role === 'sky' ? SKY : SUN}`,
    );
  };
  it.customProgramCacheKey = () => `scene-${role}`;
  return it;
}
