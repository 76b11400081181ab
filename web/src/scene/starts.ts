// Start points for walking: player starts, or markers used by scripts.

import { Quaternion, Vector3 } from 'three';
import type { Item, SceneIndex } from './objects';

export interface Start {
  readonly position: Vector3;
  /** Angle around the vertical axis; null if the file does not specify one. */
  readonly facing: number | null;
}

const PLAYER_STARTS = 'starts';
const MARKERS = 'markers';

/** The player starts of a scene, or its markers if it has none. */
export function startsOf(index: SceneIndex): readonly Start[] {
  const ofLayer = (layer: string): Item[] =>
    index.items.filter(item => item.kind === 'node' && item.layer === layer && item.parent?.layer !== layer);
  const starts = ofLayer(PLAYER_STARTS);
  if (starts.length > 0) return starts.map(item => startAt(item, facingOf(item)));
  // Skip nodes that only group markers.
  const markers = index.items.filter(item => item.kind === 'node' && item.layer === MARKERS && item.field !== null);
  return markers.map(item => startAt(item, null));
}

/** The start point nearest to a position. */
export function nearestStart(starts: readonly Start[], to: Vector3): Start | null {
  const away = ({ position }: Start): number => position.distanceToSquared(to);
  return starts.reduce<Start | null>((best, start) => (best && away(best) <= away(start) ? best : start), null);
}

function startAt(item: Item, facing: number | null): Start {
  return { position: item.object.getWorldPosition(new Vector3()), facing };
}

function facingOf(item: Item): number {
  const ahead = new Vector3(0, 0, -1).applyQuaternion(item.object.getWorldQuaternion(new Quaternion()));
  return Math.atan2(-ahead.x, -ahead.z);
}
