// Conversion between game units and meters.

import { Vector3 } from 'three';
import { numberOf, objectOf, tripleOf } from './json';
import type { SceneIndex } from './objects';

const at = new Vector3();
const inGame = new Vector3();

/** Game units per meter, from the extras, or from a node whose entity has a position in game units. */
export function unitsPerMeter(index: SceneIndex): number | null {
  const declared = numberOf(index.extras.units_per_meter);
  if (declared !== null && declared > 0) return declared;
  for (const item of index.items) {
    const position = tripleOf(objectOf(item.extras.entity).position);
    if (!position || item.kind !== 'node') continue;
    at.copy(item.object.position);
    inGame.set(...position);
    if (at.length() > 0.01 && inGame.length() > 0) return inGame.length() / at.length();
  }
  return null;
}

export function meters(length: number): string {
  if (length >= 1000) return `${short(length / 1000, 4)} km`;
  if (length >= 1) return `${short(length, 4)} m`;
  return `${short(length * 100, 3)} cm`;
}

function short(value: number, digits: number): string {
  return String(Number(value.toPrecision(digits)));
}
