// The sky and the sun: behind everything, whatever their distance. Bilinear, and lit by nothing.
//
// Source: what is known of the engine of Redguard (crates/redguard/src/engine/sky.rs): both are drawn before the scene, the sky opaque, the sun blended.

import { MeshBasicMaterial } from 'three';
import { transparency, type Traits } from './common';
import type { Surface } from './surface';

/** Nearly at the far plane, so that neither cuts it and everything else is before it. */
const FAR = 'gl_Position.z = gl_Position.w * 0.999999;';

export function celestial(surface: Surface, traits: Traits): MeshBasicMaterial {
  const it = new MeshBasicMaterial({ ...transparency(surface), map: surface.map, vertexColors: traits.hasColors, depthWrite: false });
  it.color.setRGB(...surface.color);
  it.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace('#include <project_vertex>', `#include <project_vertex>\n${FAR}`);
  };
  it.customProgramCacheKey = () => 'scene-celestial';
  return it;
}
