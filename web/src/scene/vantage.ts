// From where the scene is seen: all of it, the selection, or as the address says.

import { type Box3, Vector3 } from 'three';
import { type CameraMode, isCameraMode, type Rig } from './camera';
import type { Player } from './clips';
import { crowdedBox, firstView, kindOf, sceneBox } from './framing';
import type { Grid } from './grid';
import { tripleOf } from './json';
import { SKY } from './layer-names';
import { isShown, type Part, type SceneIndex } from './objects';
import type { Selection } from './selection';
import { nearestStart, type Start, startsOf } from './starts';
import type { ViewState } from './state';
import type { Move } from './types';
import type { Viewer } from './viewer';

/** How many poses of a clip are looked at to frame it, and for how many parts at most. */
const POSES = 8;
const MANY_PARTS = 120;

export class Vantage {
  /** Whether the reader has moved the camera. */
  private isChosen = false;
  /** Whether the first view shows only where most things are. */
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

  /** The box around what is seen now. */
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

  /** Frames the first view if the reader has not chosen another: poses of a clip may be elsewhere than the one without. */
  followPose(): void {
    if (!this.isChosen) this.goToFirstView('at once');
  }

  /** Goes back to the view that the scene opened with. */
  reset(): void {
    this.rig.setMode('orbit');
    this.goToFirstView('travel back');
    this.isChosen = false;
    for (const name of ['eye', 'look']) this.state.set(name, '');
    this.state.set('camera', 'orbit');
    this.state.flush();
  }

  private goToFirstView(how: 'at once' | 'travel back'): void {
    this.viewer.scene.updateMatrixWorld();
    const parts = shownParts(this.index);
    const whole = this.boxOfClip(parts);
    const crowd = crowdedBox(parts, whole, this.playerStarts());
    this.isPartial = crowd !== null;
    const box = crowd ?? whole;
    const pose = this.player.current >= 0 ? 'many poses' : 'one pose';
    this.rig.goTo(firstView(parts, box, this.viewer.camera, this.front(), pose), how);
    this.grid.ground = groundOf(box, kindOf(parts, box));
  }

  /** Markers are many and anywhere; only where a player starts is where things are. */
  private playerStarts(): Vector3[] {
    return this.starts.filter(start => start.facing !== null).map(start => start.position);
  }

  /** Moves in another way from now on. Whoever flew goes on walking from there. */
  setMode(mode: CameraMode): void {
    const before = this.rig.mode;
    this.rig.setMode(mode, before === 'fly' ? 'here' : nearestStart(this.starts, this.rig.target));
    this.state.set('camera', mode);
    this.keep();
  }

  /** Puts the camera where the address says, once the picture has its size. */
  restore(): void {
    const { state } = this;
    this.followPose();
    const [eye = null, look = null] = [state.get('eye'), state.get('look')].map(it =>
      tripleOf(it.split(',').map(Number)),
    );
    this.isChosen = eye !== null && look !== null;
    if (eye && look) this.rig.goTo({ eye: new Vector3(...eye), target: new Vector3(...look) }, 'at once');
    const mode = state.get('camera');
    if (isCameraMode(mode) && mode !== 'orbit')
      this.rig.setMode(mode, this.isChosen ? 'here' : nearestStart(this.starts, this.rig.target));
  }

  /** Writes the camera into the address. */
  keep(how: Move = 'ended'): void {
    this.isChosen = true;
    const write = ({ x, y, z }: Vector3): string => [x, y, z].map(it => Number(it.toFixed(5))).join(',');
    this.state.set('eye', write(this.viewer.camera.position));
    this.state.set('look', write(this.rig.target));
    if (how === 'ended') this.state.flush();
  }

  private front(): [number, number, number] | null {
    return tripleOf(this.index.extras.front);
  }

  /** The box around all poses of the clip, where that does not take long; else around what is seen now. */
  private boxOfClip(parts: readonly Part[]): Box3 {
    const box = sceneBox(parts);
    const { player } = this;
    if (player.current < 0 || parts.length > MANY_PARTS) return box;
    const { time } = player;
    for (let i = 0; i < POSES; i++) {
      player.seek((player.seconds * i) / POSES);
      this.viewer.scene.updateMatrixWorld();
      box.union(sceneBox(parts));
    }
    player.seek(time);
    return box;
  }
}

/** What is seen now; everything, where all layers are hidden. */
export function shownParts({ parts }: SceneIndex): readonly Part[] {
  // The sky is around everything, wherever one stands.
  const near = parts.filter(part => part.item.layer !== SKY);
  const shown = near.filter(part => isShown(part.mesh));
  return shown.length > 0 ? shown : near.length > 0 ? near : parts;
}

/** The ground: the floor of the world where it runs through a room or lies below a model, else the lowest point. */
function groundOf(box: Box3, kind: 'room' | 'model'): number {
  if (box.isEmpty()) return 0;
  const { x, y, z } = box.getSize(new Vector3());
  const isWide = Math.max(x, z) > 3 * y;
  const isNear = Math.abs(box.min.y) < 0.05 * y;
  return isNear || ((kind === 'room' || isWide) && box.min.y < 0 && box.max.y > 0) ? 0 : box.min.y;
}
