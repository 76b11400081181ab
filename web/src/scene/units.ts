// How long a meter is in the units of the game.

import { Vector3 } from 'three';
import { numberOf, objectOf, tripleOf } from './json';
import type { SceneIndex } from './objects';

const at = new Vector3();
const inGame = new Vector3();

/** Units of the game to a meter: said by the extras, or seen from a node whose entity stands somewhere in both. */
export function unitsPerMeter(index: SceneIndex): number | null {
  const said = numberOf(index.extras.units_per_meter);
  if (said !== null && said > 0) return said;
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
