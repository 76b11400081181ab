// Where one begins to walk: at a player start, else at a marker that scripts use.

import { Quaternion, Vector3 } from 'three';
import type { Item, SceneIndex } from './objects';

export interface Start {
  readonly position: Vector3;
  /** The angle around the vertical axis; null where the file says none. */
  readonly facing: number | null;
}

const PLAYER_STARTS = 'starts';
const MARKERS = 'markers';

/** The player starts of a scene; its markers, where it has none. */
export function startsOf(index: SceneIndex): readonly Start[] {
  const ofLayer = (layer: string): Item[] =>
    index.items.filter(item => item.kind === 'node' && item.layer === layer && item.parent?.layer !== layer);
  const starts = ofLayer(PLAYER_STARTS);
  if (starts.length > 0) return starts.map(item => startAt(item, facingOf(item)));
  // A node that only holds the markers is at no place.
  const markers = index.items.filter(item => item.kind === 'node' && item.layer === MARKERS && item.field !== null);
  return markers.map(item => startAt(item, null));
}

/** The start that is nearest to a point. */
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
