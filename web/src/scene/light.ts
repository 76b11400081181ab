// Light for surfaces that have none baked in: the lamps of the scene that are near, or a lamp beside the camera.

import {
  DirectionalLight,
  HemisphereLight,
  type Object3D,
  type PerspectiveCamera,
  PointLight,
  type Scene,
  SpotLight,
  Vector3,
} from 'three';

import type { Daylight } from './atmosphere';

/** Shaders add up so many lamps at most; those nearest to where one looks count. */
const MOST_LAMPS = 12;
/** Objects in this layer of three.js are never drawn, and lights in it do not shine. */
const NOWHERE = 31;
/** What three.js divides light by. */
const WHITE = Math.PI;

interface Lamp {
  readonly position: Vector3;
  readonly light: PointLight | SpotLight;
  distance: number;
}

export class Lighting {
  private readonly sky = new HemisphereLight(0xffffff, 0x9a9a9a, 0.45 * WHITE);
  private readonly beside = new DirectionalLight(0xffffff, 0.65 * WHITE);
  private readonly lamps: Lamp[] = [];
  private readonly pool: PointLight[] = [];
  private readonly lastTarget = new Vector3(Infinity, 0, 0);

  constructor(
    scene: Scene,
    root: Object3D,
    private readonly camera: PerspectiveCamera,
    private readonly daylight: Daylight | null,
  ) {
    scene.add(this.sky, this.beside, this.beside.target);
    root.traverse(it => this.collect(it));
    const count = Math.min(MOST_LAMPS, this.lamps.length);
    for (let i = 0; i < count; i++) {
      const light = new PointLight();
      this.pool.push(light);
      scene.add(light);
    }
    // Where there are lamps, the rest is only there so that nothing is black.
    if (count > 0) {
      this.sky.intensity = 0.22 * WHITE;
      this.beside.intensity = 0.3 * WHITE;
    }
    if (daylight) this.shine(daylight);
  }

  /** The light of a world instead of that of a viewer: the same from all sides, and the sun. */
  private shine({ ambient, sun }: Daylight): void {
    this.sky.color.setRGB(...ambient);
    this.sky.groundColor.setRGB(...ambient);
    this.beside.color.setRGB(...sun);
    this.sky.intensity = this.beside.intensity = WHITE;
  }

  /** How many lamps the scene has. */
  get count(): number {
    return this.lamps.length;
  }

  /** Follows the camera. */
  update(target: Vector3): void {
    const { camera, beside } = this;
    // From the left above the camera, so that shapes are seen.
    if (this.daylight)
      beside.position
        .set(...this.daylight.direction)
        .negate()
        .add(target);
    else beside.position.set(-0.5, 0.7, 1).applyQuaternion(camera.quaternion).add(target);
    beside.target.position.copy(target);
    if (this.pool.length === 0 || target.distanceToSquared(this.lastTarget) < 0.25) return;
    this.lastTarget.copy(target);
    this.choose(target);
  }

  /** Puts the lamps of the pool where the nearest of the scene are. */
  private choose(target: Vector3): void {
    for (const lamp of this.lamps) {
      lamp.light.getWorldPosition(lamp.position);
      lamp.distance = lamp.position.distanceToSquared(target);
    }
    this.lamps.sort((a, b) => a.distance - b.distance);
    this.pool.forEach((light, i) => {
      const lamp = this.lamps[i];
      if (!lamp) return;
      light.position.copy(lamp.position);
      light.color.copy(lamp.light.color);
      light.intensity = lamp.light.intensity;
      light.distance = lamp.light.distance;
      light.decay = 2;
    });
  }

  private collect(light: Object3D): void {
    if (!('isLight' in light)) return;
    light.layers.set(NOWHERE);
    // Spots shine to all sides, as SCP - Containment Breach has them: its loader makes points of them.
    if (light instanceof PointLight || light instanceof SpotLight) {
      this.lamps.push({ position: new Vector3(), light, distance: 0 });
    }
  }
}
