// Chooses camera views: the entire scene, the selection, or the view in the URL.

import { type Box3, Vector3 } from 'three';
import { type CameraMode, isCameraMode, type Rig } from './camera';
import type { Player } from './clips';
import { clusterBox, firstView, kindOf, sceneBox } from './framing';
import type { Grid } from './grid';
import { tripleOf } from './json';
import { SKY } from './layer-names';
import { isShown, type Part, type SceneIndex } from './objects';
import type { Selection } from './selection';
import { nearestStart, type Start, startsOf } from './starts';
import type { ViewState } from './state';
import type { Move } from './types';
import type { Viewer } from './viewer';

/** Number of sampled poses for framing a clip, and the maximum number of parts for which poses are sampled. */
const SAMPLED_POSES = 8;
const MAX_PARTS = 120;

export class Viewpoint {
  /** Whether the user has moved the camera. */
  private isUserView = false;
  /** Whether the initial view shows only the main cluster of objects. */
  isPartial = false;
  private readonly starts: readonly Start[];

  constructor(
    private readonly viewer: Viewer,
    private readonly index: SceneIndex,
    private readonly rig: Rig,
    private readonly player: Player,
    private readonly selection: Selection,
    private readonly grid: Grid,
    private readonly state: ViewState,
  ) {
    this.starts = startsOf(index);
  }

  /** The bounding box of the visible parts. */
  box(): Box3 {
    return sceneBox(shownParts(this.index));
  }

  frameAll(): void {
    const parts = shownParts(this.index);
    this.rig.goTo(firstView(parts, sceneBox(parts), this.viewer.camera, this.front(), 'one pose'));
  }

  frameSelection(): void {
    const box = this.selection.box();
    if (box) this.rig.frame(box.expandByScalar(box.min.distanceTo(box.max) * 0.3));
    else this.frameAll();
  }

  /** Restores the initial view unless the user has moved the camera, because poses of a clip may be far from the rest pose. */
  followPose(): void {
    if (!this.isUserView) this.goToFirstView('instant');
  }

  /** Returns to the initial view. */
  reset(): void {
    this.rig.setMode('orbit');
    this.goToFirstView('animate silently');
    this.isUserView = false;
    for (const name of ['eye', 'look']) this.state.set(name, '');
    this.state.set('camera', 'orbit');
    this.state.flush();
  }

  private goToFirstView(how: 'instant' | 'animate silently'): void {
    this.viewer.scene.updateMatrixWorld();
    const parts = shownParts(this.index);
    const fullBox = this.clipBox(parts);
    const cluster = clusterBox(parts, fullBox, this.playerStarts());
    this.isPartial = cluster !== null;
    const box = cluster ?? fullBox;
    const pose = this.player.current >= 0 ? 'many poses' : 'one pose';
    this.rig.goTo(firstView(parts, box, this.viewer.camera, this.front(), pose), how);
    this.grid.ground = groundOf(box, kindOf(parts, box));
  }

  /** Positions of player starts. Markers are excluded, because they can be far from objects. */
  private playerStarts(): Vector3[] {
    return this.starts.filter(start => start.facing !== null).map(start => start.position);
  }

  /** Changes the camera mode. Walking after flying starts at the camera. */
  setMode(mode: CameraMode): void {
    const before = this.rig.mode;
    this.rig.setMode(mode, before === 'fly' ? 'here' : nearestStart(this.starts, this.rig.target));
    this.state.set('camera', mode);
    this.save();
  }

  /** Restores the camera from the URL. Call it after the canvas has its size. */
  restore(): void {
    const { state } = this;
    this.followPose();
    const [eye = null, look = null] = [state.get('eye'), state.get('look')].map(it =>
      tripleOf(it.split(',').map(Number)),
    );
    this.isUserView = eye !== null && look !== null;
    if (eye && look) this.rig.goTo({ eye: new Vector3(...eye), target: new Vector3(...look) }, 'instant');
    const mode = state.get('camera');
    if (isCameraMode(mode) && mode !== 'orbit')
      this.rig.setMode(mode, this.isUserView ? 'here' : nearestStart(this.starts, this.rig.target));
  }

  /** Saves the camera to the view state. */
  save(how: Move = 'ended'): void {
    this.isUserView = true;
    const write = ({ x, y, z }: Vector3): string => [x, y, z].map(it => Number(it.toFixed(5))).join(',');
    this.state.set('eye', write(this.viewer.camera.position));
    this.state.set('look', write(this.rig.target));
    if (how === 'ended') this.state.flush();
  }

  private front(): [number, number, number] | null {
    return tripleOf(this.index.extras.front);
  }

  /** The bounding box of all poses of the clip, or of the current pose if there are too many parts. */
  private clipBox(parts: readonly Part[]): Box3 {
    const box = sceneBox(parts);
    const { player } = this;
    if (player.current < 0 || parts.length > MAX_PARTS) return box;
    const { time } = player;
    for (let i = 0; i < SAMPLED_POSES; i++) {
      player.seek((player.seconds * i) / SAMPLED_POSES);
      this.viewer.scene.updateMatrixWorld();
      box.union(sceneBox(parts));
    }
    player.seek(time);
    return box;
  }
}

/** The visible parts, or all parts if all layers are hidden. */
export function shownParts({ parts }: SceneIndex): readonly Part[] {
  // Exclude the sky, which surrounds the camera everywhere.
  const near = parts.filter(part => part.item.layer !== SKY);
  const shown = near.filter(part => isShown(part.mesh));
  return shown.length > 0 ? shown : near.length > 0 ? near : parts;
}

/** Height of the ground: 0 if that plane passes through a room or lies below a model, otherwise the lowest point. */
function groundOf(box: Box3, kind: 'room' | 'model'): number {
  if (box.isEmpty()) return 0;
  const { x, y, z } = box.getSize(new Vector3());
  const isWide = Math.max(x, z) > 3 * y;
  const isNear = Math.abs(box.min.y) < 0.05 * y;
  return isNear || ((kind === 'room' || isWide) && box.min.y < 0 && box.max.y > 0) ? 0 : box.min.y;
}
