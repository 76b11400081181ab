// Lighting for surfaces without baked light: the nearest lights of the scene, and a light that follows the camera.

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

/** Maximum number of active lamps, those nearest to the target. */
const MAX_LAMPS = 12;
/** An unused layer of three.js, for lights that must not shine. */
const UNUSED_LAYER = 31;
/** Compensates for the division by pi in three.js. */
const WHITE = Math.PI;

interface Lamp {
  readonly position: Vector3;
  readonly light: PointLight | SpotLight;
  distance: number;
}

export class Lighting {
  private readonly sky = new HemisphereLight(0xffffff, 0x9a9a9a, 0.45 * WHITE);
  private readonly keyLight = new DirectionalLight(0xffffff, 0.65 * WHITE);
  private readonly lamps: Lamp[] = [];
  private readonly pool: PointLight[] = [];
  private readonly lastTarget = new Vector3(Infinity, 0, 0);

  constructor(
    scene: Scene,
    root: Object3D,
    private readonly camera: PerspectiveCamera,
    private readonly daylight: Daylight | null,
  ) {
    scene.add(this.sky, this.keyLight, this.keyLight.target);
    root.traverse(it => this.collect(it));
    const count = Math.min(MAX_LAMPS, this.lamps.length);
    for (let i = 0; i < count; i++) {
      const light = new PointLight();
      this.pool.push(light);
      scene.add(light);
    }
    // With lamps, the other lights only keep shadows from being black.
    if (count > 0) {
      this.sky.intensity = 0.22 * WHITE;
      this.keyLight.intensity = 0.3 * WHITE;
    }
    if (daylight) this.applyDaylight(daylight);
  }

  /** Uses the ambient light and sun of a world instead of the viewer's lights. */
  private applyDaylight({ ambient, sun }: Daylight): void {
    this.sky.color.setRGB(...ambient);
    this.sky.groundColor.setRGB(...ambient);
    this.keyLight.color.setRGB(...sun);
    this.sky.intensity = this.keyLight.intensity = WHITE;
  }

  /** Number of lamps in the scene. */
  get count(): number {
    return this.lamps.length;
  }

  /** Follows the camera. */
  update(target: Vector3): void {
    const { camera, keyLight } = this;
    // Without daylight, from the upper left of the camera, to bring out shapes.
    if (this.daylight)
      keyLight.position
        .set(...this.daylight.direction)
        .negate()
        .add(target);
    else keyLight.position.set(-0.5, 0.7, 1).applyQuaternion(camera.quaternion).add(target);
    keyLight.target.position.copy(target);
    if (this.pool.length === 0 || target.distanceToSquared(this.lastTarget) < 0.25) return;
    this.lastTarget.copy(target);
    this.assignLamps(target);
  }

  /** Assigns the nearest lamps of the scene to the light pool. */
  private assignLamps(target: Vector3): void {
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
    light.layers.set(UNUSED_LAYER);
    // Spot lights shine in all directions, as in SCP - Containment Breach, whose loader converts them to point lights.
    if (light instanceof PointLight || light instanceof SpotLight) {
      this.lamps.push({ position: new Vector3(), light, distance: 0 });
    }
  }
}
