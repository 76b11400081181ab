// The sky and the sun of a world, which go with the camera.
//
// Source: what is known of the engine of Redguard (crates/redguard-world/src/engine/sky.rs). The sky is one plane at a fixed height around the camera, tilted by 24 / 2048 of
// a turn along the view. Its image moves by .009 texels for each unit that the camera moves, and by speed / 16 texels for each of the 18.2 ticks of a second, in
// a direction that the game draws anew each time; here it is always the same.

import { type PerspectiveCamera, Quaternion, Vector2, Vector3 } from 'three';
import type { Atmosphere } from './atmosphere';
import { SKY } from './layer-names';
import type { Drawn, Part, SceneIndex } from './objects';

/** From the camera to the edge of the plane, in units of the game. */
const REACH = 65_000;
const PARALLAX = 0.009;
const TILT = (24 / 2048) * 2 * Math.PI;
const TICKS = 1_193_182 / 65_536;
/** How often the image moves, in milliseconds. */
const STEP = 1000 / TICKS;
/** Before everything else. */
const FIRST = -2;

/** How the texture coordinates of a plane grow, for each meter along X and along Z. */
interface Gradient {
  readonly x: Vector2;
  readonly z: Vector2;
}

export class SkyDome {
  private readonly plane: Part | null;
  private readonly gradient: Gradient | null;
  private readonly start = new Vector3();
  private readonly suns: { mesh: Drawn; offset: Vector3 }[] = [];
  private readonly up = new Vector3(0, 1, 0);
  private readonly view = new Vector3();
  private readonly across = new Vector3();
  private readonly tilt = new Quaternion();
  private timer = 0;

  constructor(
    index: SceneIndex,
    private readonly air: Atmosphere,
    private readonly changed: () => void,
  ) {
    const parts = index.parts.filter(part => part.item.layer === SKY);
    this.plane = parts.find(part => part.item.extras.billboard !== true) ?? null;
    this.gradient = this.plane ? gradientOf(this.plane.mesh) : null;
    if (this.plane) this.start.copy(this.plane.mesh.position);
    for (const part of parts) {
      part.mesh.frustumCulled = false;
      part.mesh.renderOrder = part === this.plane ? FIRST : FIRST + 1;
      // The sun stands as far from the camera as from the middle of the map, where the plane is.
      if (part === this.plane) continue;
      const offset = part.mesh.position.clone();
      offset.x -= this.start.x;
      offset.z -= this.start.z;
      this.suns.push({ mesh: part.mesh, offset });
    }
  }

  get isThere(): boolean {
    return this.plane !== null || this.suns.length > 0;
  }

  /** Lets the image move, or not. */
  turn(on: boolean): void {
    clearInterval(this.timer);
    this.timer = 0;
    if (on && this.plane && (this.air.sky?.speed ?? 0) > 0) this.timer = window.setInterval(this.changed, STEP);
  }

  /** Goes where the camera is. */
  update(camera: PerspectiveCamera): void {
    const { x, z } = camera.position;
    for (const { mesh, offset } of this.suns) {
      mesh.position.copy(camera.position).add(offset);
      // Its front is -Z.
      mesh.lookAt(this.view.copy(mesh.position).add(offset));
    }
    const { plane, gradient, air } = this;
    if (!plane) return;
    plane.mesh.position.set(x, this.start.y, z);
    camera.getWorldDirection(this.view);
    this.view.y = 0;
    if (this.view.lengthSq() > 1e-9) {
      // What lies ahead comes down to the horizon.
      this.across.crossVectors(this.view.normalize(), this.up);
      plane.mesh.quaternion.copy(this.tilt.setFromAxisAngle(this.across, -TILT));
    }
    const { map } = plane.surface;
    if (!map || !gradient || !air.sky) return;
    // The plane has so many texels to a meter; its image goes on by that part of it which `PARALLAX` is.
    const share = PARALLAX / (air.sky.scale / REACH);
    const [east, south] = [(x - this.start.x) * share, (z - this.start.z) * share];
    const { height } = sizeOf(map.image);
    const moved = this.timer === 0 ? 0 : (Math.floor(performance.now() / STEP) * air.sky.speed) / 16 / height;
    map.offset.set(
      gradient.x.x * east + gradient.z.x * south,
      gradient.x.y * east + gradient.z.y * south + (moved % 1),
    );
  }

  dispose(): void {
    clearInterval(this.timer);
  }
}

function sizeOf(image: unknown): { height: number } {
  const height = typeof image === 'object' && image !== null && 'height' in image ? Number(image.height) : 0;
  return { height: height > 0 ? height : 256 };
}

/** From two corners that differ in X alone, and two that differ in Z alone. */
function gradientOf({ geometry }: Drawn): Gradient | null {
  const [position, uv] = [geometry.getAttribute('position'), geometry.getAttribute('uv')];
  if (!position || !uv || position.count > 16) return null;
  const along = (axis: 'getX' | 'getZ', other: 'getX' | 'getZ'): Vector2 | null => {
    for (let a = 0; a < position.count; a++) {
      for (let b = 0; b < a; b++) {
        const way = position[axis](a) - position[axis](b);
        if (Math.abs(way) < 1e-3 || Math.abs(position[other](a) - position[other](b)) > 1e-3) continue;
        return new Vector2((uv.getX(a) - uv.getX(b)) / way, (uv.getY(a) - uv.getY(b)) / way);
      }
    }
    return null;
  };
  const [x, z] = [along('getX', 'getZ'), along('getZ', 'getX')];
  return x && z ? { x, z } : null;
}
