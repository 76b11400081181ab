// The sky and the sun of a world, which follow the camera.
//
// Source: the engine of Redguard (crates/redguard-world/src/engine/sky.rs). The sky is a plane at a fixed height around the camera,
// tilted by 24 / 2048 of a turn along the view direction. Its image scrolls by .009 texels for each unit that the camera moves, and by
// speed / 16 texels for each of the 18.2 ticks per second, in a direction that the game chooses at random; here it is constant.

import { type PerspectiveCamera, Quaternion, Vector2, Vector3 } from 'three';
import type { Atmosphere } from './atmosphere';
import { SKY } from './layer-names';
import type { Drawn, Part, SceneIndex } from './objects';

/** Distance from the camera to the edge of the plane, in game units. */
const PLANE_RADIUS = 65_000;
const PARALLAX = 0.009;
const TILT = (24 / 2048) * 2 * Math.PI;
const TICKS_PER_SECOND = 1_193_182 / 65_536;
/** Scroll interval in milliseconds. */
const TICK_MS = 1000 / TICKS_PER_SECOND;
/** Render order before everything else. */
const RENDER_ORDER = -2;

/** Change of the texture coordinates per meter along X and Z. */
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
    private readonly atmosphere: Atmosphere,
    private readonly changed: () => void,
  ) {
    const parts = index.parts.filter(part => part.item.layer === SKY);
    this.plane = parts.find(part => part.item.extras.billboard !== true) ?? null;
    this.gradient = this.plane ? gradientOf(this.plane.mesh) : null;
    if (this.plane) this.start.copy(this.plane.mesh.position);
    for (const part of parts) {
      part.mesh.frustumCulled = false;
      part.mesh.renderOrder = part === this.plane ? RENDER_ORDER : RENDER_ORDER + 1;
      // The sun keeps its offset from the center of the map, where the plane is.
      if (part === this.plane) continue;
      const offset = part.mesh.position.clone();
      offset.x -= this.start.x;
      offset.z -= this.start.z;
      this.suns.push({ mesh: part.mesh, offset });
    }
  }

  get exists(): boolean {
    return this.plane !== null || this.suns.length > 0;
  }

  /** Starts or stops the scrolling of the image. */
  setScrolling(on: boolean): void {
    clearInterval(this.timer);
    this.timer = 0;
    if (on && this.plane && (this.atmosphere.sky?.speed ?? 0) > 0)
      this.timer = window.setInterval(this.changed, TICK_MS);
  }

  /** Follows the camera. */
  update(camera: PerspectiveCamera): void {
    const { x, z } = camera.position;
    for (const { mesh, offset } of this.suns) {
      mesh.position.copy(camera.position).add(offset);
      // Its front is -Z.
      mesh.lookAt(this.view.copy(mesh.position).add(offset));
    }
    const { plane, gradient, atmosphere } = this;
    if (!plane) return;
    plane.mesh.position.set(x, this.start.y, z);
    camera.getWorldDirection(this.view);
    this.view.y = 0;
    if (this.view.lengthSq() > 1e-9) {
      // Tilt the plane down toward the horizon ahead.
      this.across.crossVectors(this.view.normalize(), this.up);
      plane.mesh.quaternion.copy(this.tilt.setFromAxisAngle(this.across, -TILT));
    }
    const { map } = plane.surface;
    if (!map || !gradient || !atmosphere.sky) return;
    // Fraction of the camera movement by which the image scrolls: `PARALLAX` relative to the plane's texels per unit.
    const scrollRatio = PARALLAX / (atmosphere.sky.scale / PLANE_RADIUS);
    const [east, south] = [(x - this.start.x) * scrollRatio, (z - this.start.z) * scrollRatio];
    const { height } = sizeOf(map.image);
    const moved = this.timer === 0 ? 0 : (Math.floor(performance.now() / TICK_MS) * atmosphere.sky.speed) / 16 / height;
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

/** Computes the gradient from two vertices that differ only in X and two that differ only in Z. */
function gradientOf({ geometry }: Drawn): Gradient | null {
  const [position, uv] = [geometry.getAttribute('position'), geometry.getAttribute('uv')];
  if (!position || !uv || position.count > 16) return null;
  const along = (axis: 'getX' | 'getZ', other: 'getX' | 'getZ'): Vector2 | null => {
    for (let a = 0; a < position.count; a++) {
      for (let b = 0; b < a; b++) {
        const delta = position[axis](a) - position[axis](b);
        if (Math.abs(delta) < 1e-3 || Math.abs(position[other](a) - position[other](b)) > 1e-3) continue;
        return new Vector2((uv.getX(a) - uv.getX(b)) / delta, (uv.getY(a) - uv.getY(b)) / delta);
      }
    }
    return null;
  };
  const [x, z] = [along('getX', 'getZ'), along('getZ', 'getX')];
  return x && z ? { x, z } : null;
}
