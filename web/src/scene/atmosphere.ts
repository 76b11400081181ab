// The atmosphere of a world from the extras of its scene: fog, sky and daylight.

import { type Json, numberOf, objectOf, tripleOf } from './json';

export interface Fog {
  /** Display color, 0 to 1. */
  readonly color: [number, number, number];
  /** Density by depth entry, 0 to 255; see materials/fog.ts. */
  readonly density: Float32Array;
}

export interface Daylight {
  /** Display colors, 0 to 1. */
  readonly ambient: [number, number, number];
  readonly sun: [number, number, number];
  /** Direction of the sunlight, away from the sun. */
  readonly direction: [number, number, number];
}

export interface Sky {
  /** Number of texels from the camera to the edge of the plane. */
  readonly scale: number;
  /** Scroll speed in 1/16 texel per tick. */
  readonly speed: number;
}

export interface Atmosphere {
  readonly fog: Fog | null;
  readonly daylight: Daylight | null;
  readonly sky: Sky | null;
  /** Game units per meter. */
  readonly units: number;
}

const FOG_ENTRIES = 64;

/** Reads the atmosphere from the extras of a scene; null if there is none. */
export function atmosphereOf(extras: Json): Atmosphere | null {
  const units = numberOf(extras.units_per_meter);
  if (units === null || units <= 0) return null;
  const [fog, daylight, sky] = [
    fogOf(objectOf(extras.fog)),
    daylightOf(objectOf(extras.light)),
    skyOf(objectOf(extras.sky)),
  ];
  return fog || daylight || sky ? { fog, daylight, sky, units } : null;
}

function fogOf(json: Json): Fog | null {
  const color = colorOf(json.color);
  const { density } = json;
  if (!color || !Array.isArray(density) || density.length !== FOG_ENTRIES) return null;
  return { color, density: Float32Array.from(density as unknown[], it => numberOf(it) ?? 0) };
}

function daylightOf(json: Json): Daylight | null {
  const [ambient, sun, direction] = [colorOf(json.ambient), colorOf(json.sun), tripleOf(json.shines_to)];
  return ambient && sun && direction ? { ambient, sun, direction } : null;
}

function skyOf(json: Json): Sky | null {
  const scale = numberOf(json.scale);
  return scale === null || scale <= 0 ? null : { scale, speed: numberOf(json.speed) ?? 0 };
}

/** Converts a color with components from 0 to 255. */
function colorOf(value: unknown): [number, number, number] | null {
  const triple = tripleOf(value);
  return triple ? [triple[0] / 255, triple[1] / 255, triple[2] / 255] : null;
}
