// Fog with a depth table, as in Glide: color = (color x (256 - w) + fog x w) / 256 with w = density + 1, in display values.
//
// Source: the engine of Redguard (crates/redguard-world/src/engine/fog.rs, `entry_at`, `FogTable::at` and `fogged`). The entry at a depth
// d, which is the distance along the view axis in game units, is 4 e + 8 (1 - 2^e / d) with e = floor(log2 d), clamped to 0 to 63. The
// density is that of the entry at or before it. The sky uses a separate table: 0 up to entry 32, then 8 more per entry, and 255 in the
// last entry.

import type { Material } from 'three';
import type { Fog } from '../atmosphere';

const ENTRIES = 64;

/** Uniforms shared by all materials in one fog. */
export interface FogUniforms {
  readonly fogColor: { value: [number, number, number] };
  readonly fogUnits: { value: number };
  /** 1 if fog is shown, otherwise 0. */
  readonly fogShown: { value: number };
}

export function fogUniforms(fog: Fog, units: number): FogUniforms {
  return { fogColor: { value: fog.color }, fogUnits: { value: units }, fogShown: { value: 0 } };
}

/** Fog densities in front of the sky. */
export function skyDensity(): Float32Array {
  return Float32Array.from({ length: ENTRIES }, (_, entry) =>
    entry === ENTRIES - 1 ? 255 : Math.max(0, entry - 32) * 8,
  );
}

const VERTEX_NAMES = 'varying float fogDistance;';
const VERTEX = 'fogDistance = - mvPosition.z;';

const FRAGMENT_NAMES = `
uniform float fogDensity[ ${ENTRIES} ];
uniform vec3 fogColor;
uniform float fogUnits;
uniform float fogShown;
varying float fogDistance;
`;

const FRAGMENT = `
float fogDepth = max( fogDistance * fogUnits, 1.0 );
float octave = floor( log2( fogDepth ) );
float fogEntry = clamp( 4.0 * octave + 8.0 * ( 1.0 - exp2( octave ) / fogDepth ), 0.0, 63.0 );
float fogWeight = ( fogDensity[ int( fogEntry ) ] + 1.0 ) / 256.0;
gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogWeight * fogShown );
`;

/** Adds fog to a material. */
export function inFog(material: Material, density: Float32Array, uniforms: FogUniforms): void {
  const before = material.onBeforeCompile;
  const key = material.customProgramCacheKey();
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    Object.assign(shader.uniforms, uniforms, { fogDensity: { value: density } });
    shader.vertexShader = shader.vertexShader
      .replace('#include <fog_pars_vertex>', VERTEX_NAMES)
      .replace('#include <fog_vertex>', VERTEX);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <fog_pars_fragment>', FRAGMENT_NAMES)
      .replace('#include <fog_fragment>', FRAGMENT);
  };
  material.customProgramCacheKey = () => `${key} in fog`;
}
