// The sky and the sun: behind everything, whatever their distance. Bilinear, and lit by nothing.
//
// Source: what is known of the engine of Redguard (crates/redguard-world/src/engine/sky.rs): both are drawn before the scene, the sky opaque, the sun blended.

import { MeshBasicMaterial } from 'three';
import { type Traits, transparency } from './common';
import type { Surface } from './surface';

/** The sky is drawn first, so that it needs no depth; in the middle of the depths neither plane cuts it, however large it is. */
const SKY = 'gl_Position.z = 0.0;';
/** The sun is blended over the sky, and everything else is before it. */
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
