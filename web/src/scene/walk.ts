// On foot: gravity, the ground and walls are found by rays against the triangles that one sees.

import { type Box3, Vector3 } from 'three';
import type { Fly } from './fly';
import type { Hit, Rays } from './rays';
import type { Start } from './starts';
import type { Viewer } from './viewer';

/** Eyes of an adult, in meters. */
const EYE_HEIGHT = 1.7;
/** Where ceilings are low, people are small: so much of the height of a room are the eyes. */
const OF_CEILING = 0.42;
const GRAVITY = 9.81;
/** Steps up to so much of the eye height are climbed. */
const CLIMB = 0.35;
/** How near one gets to a wall, as a part of the eye height. */
const GIRTH = 0.18;

/** So many spots along each side of a scene are tried for a start. */
const SPOTS = 15;

/** A start has so many meters free on each side. */
const FREE = 0.9;

const SIDES = [new Vector3(1, 0, 0), new Vector3(-1, 0, 0), new Vector3(0, 0, 1), new Vector3(0, 0, -1)];
const DOWN = new Vector3(0, -1, 0);
const UP = new Vector3(0, 1, 0);

export class Walk {
  private isOn = false;
  private fall = 0;
  private eye = EYE_HEIGHT;
  private readonly way = new Vector3();
  private readonly from = new Vector3();

  constructor(
    private readonly viewer: Viewer,
    private readonly fly: Fly,
    private readonly rays: Rays,
    private readonly radius: number,
    /** Called when a fall has ended. */
    private readonly landed: () => void,
  ) {}

  set enabled(on: boolean) {
    this.isOn = on;
    this.fly.isSteered = on;
  }

  /** Puts the feet on the ground: at a start, below the camera if that is inside, else on the free floor that is nearest to what one looked at. */
  start(bounds: Box3, target: Vector3, from: 'here' | Start | null): void {
    const { position } = this.viewer.camera;
    this.fall = 0;
    this.eye = EYE_HEIGHT;
    const far = this.radius * 4;
    const start = from === 'here' ? null : from;
    const isHere = from === 'here' || (!start && this.isInside(position, far));
    const ground = start
      ? this.groundAt(start, far)
      : isHere
        ? this.rays.nearest(position, DOWN, far)
        : this.freeFloor(bounds, target);
    if (!ground) return;
    const ceiling = this.rays.nearest(this.from.copy(ground.point).addScaledVector(UP, 0.05), UP, far);
    if (ceiling) this.eye = Math.min(EYE_HEIGHT, Math.max(0.2, ceiling.distance * OF_CEILING));
    position.copy(ground.point).addScaledVector(UP, this.eye);
    this.fly.speed = this.eye * 1.8;
    if (!isHere) this.fly.face(this.facing(position, start, target));
  }

  private isInside(position: Vector3, far: number): boolean {
    return this.rays.nearest(position, DOWN, far) !== null && this.rays.nearest(position, UP, far) !== null;
  }

  /** The ground at a start: a start may be a little below it. */
  private groundAt({ position }: Start, far: number): Hit | null {
    const above = this.from.copy(position).addScaledVector(UP, 1);
    return this.rays.nearest(above, DOWN, far) ?? this.rays.nearest(above.setY(position.y + this.radius), DOWN, far);
  }

  /** As the start says, or to what one looked at before; another way, where that is right in front of a wall. */
  private facing(from: Vector3, start: Start | null, target: Vector3): number {
    if (!start) return this.openSide(from);
    const [x, z] = [target.x - from.x, target.z - from.z];
    const wanted = start.facing ?? Math.atan2(-x, -z);
    if (start.facing === null && Math.hypot(x, z) < FREE) return this.openSide(from);
    const ahead = this.way.set(-Math.sin(wanted), 0, -Math.cos(wanted));
    return (this.rays.nearest(from, ahead, FREE)?.distance ?? FREE) >= FREE ? wanted : this.openSide(from);
  }

  /** A floor with some room around it. */
  private freeFloor(bounds: Box3, target: Vector3): Hit | null {
    const spots: Vector3[] = [];
    for (let x = 0.5; x < SPOTS; x++) {
      for (let z = 0.5; z < SPOTS; z++) {
        const [a, b] = [x / SPOTS, z / SPOTS];
        const { min, max } = bounds;
        spots.push(new Vector3(min.x + (max.x - min.x) * a, max.y + 0.01, min.z + (max.z - min.z) * b));
      }
    }
    const away = (spot: Vector3): number => Math.hypot(spot.x - target.x, spot.z - target.z);
    spots.sort((a, b) => away(a) - away(b));
    let first: Hit | null = null;
    for (const spot of spots) {
      const floor = this.rays.nearest(spot, DOWN, bounds.max.y - bounds.min.y + 1);
      if (!floor || floor.normal.y < 0.7) continue;
      first ??= floor;
      if (floor.part.surface.isWater) continue;
      const eyes = floor.point.clone().addScaledVector(UP, 0.8);
      if (SIDES.every(side => !this.rays.nearest(eyes, side, FREE))) return floor;
    }
    return first;
  }

  /** The angle around the vertical axis in which one sees furthest. */
  private openSide(from: Vector3): number {
    let [angle, most] = [0, -1];
    for (let i = 0; i < 16; i++) {
      const around = (i / 16) * Math.PI * 2;
      this.way.set(-Math.sin(around), 0, -Math.cos(around));
      const free = this.rays.nearest(from, this.way, this.radius)?.distance ?? this.radius;
      // Out of a window or a missing door one sees nothing: inside is better.
      const worth = free >= this.radius ? 0 : free;
      if (worth > most) [angle, most] = [around, worth];
    }
    return angle;
  }

  /** True while one falls. */
  tick(seconds: number): boolean {
    if (!this.isOn) return false;
    this.walk();
    return this.drop(seconds);
  }

  /** One step on the level, along a wall where there is one. */
  private walk(): void {
    const { step } = this.fly;
    if (step.x === 0 && step.z === 0) return;
    const { camera } = this.viewer;
    const length = Math.hypot(step.x, step.z);
    this.way.set(step.x, 0, step.z).applyQuaternion(camera.quaternion).setY(0);
    if (this.way.lengthSq() < 1e-12) return;
    this.way.setLength(length);
    const direction = this.from.copy(this.way).normalize().clone();
    const reach = length + this.eye * GIRTH;
    for (const height of [0, this.eye * (CLIMB - 1)]) {
      const at = camera.position.clone().addScaledVector(UP, height);
      const wall = this.rays.nearest(at, direction, reach);
      if (!wall) continue;
      // What leads into the wall is taken away.
      wall.normal.setY(0).normalize();
      const into = this.way.dot(wall.normal);
      if (into < 0) this.way.addScaledVector(wall.normal, -into);
      if (this.rays.nearest(at, this.from.copy(this.way).normalize(), this.way.length() + this.eye * GIRTH)) return;
    }
    camera.position.add(this.way);
  }

  private drop(seconds: number): boolean {
    const { position } = this.viewer.camera;
    const knee = this.eye * (1 - CLIMB);
    this.from.copy(position).addScaledVector(DOWN, knee);
    this.fall += GRAVITY * seconds;
    const down = this.fall * seconds;
    const ground = this.rays.nearest(this.from, DOWN, this.eye * CLIMB + down + this.eye * CLIMB);
    if (ground) {
      const wasFalling = Math.abs(position.y - ground.point.y - this.eye) > 1e-4;
      position.y = ground.point.y + this.eye;
      this.fall = 0;
      if (wasFalling) this.landed();
      return false;
    }
    // Nothing below for as far as the scene goes: one does not fall out of it.
    if (!this.rays.nearest(this.from, DOWN, this.radius * 4)) {
      this.fall = 0;
      return false;
    }
    position.y -= down;
    return true;
  }
}
