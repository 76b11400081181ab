// Walk mode: gravity and collisions with the ground and walls, using rays against the visible triangles.

import { type Box3, Vector3 } from 'three';
import type { Fly } from './fly';
import type { Hit, Rays } from './rays';
import type { Start } from './starts';
import type { Viewer } from './viewer';

/** Eye height of an adult, in meters. */
const EYE_HEIGHT = 1.7;
/** Eye height as a fraction of the ceiling height, for rooms with low ceilings. */
const EYE_TO_CEILING = 0.42;
const GRAVITY = 9.81;
/** Maximum step height, as a fraction of the eye height. */
const STEP_HEIGHT = 0.35;
/** Minimum distance to walls, as a fraction of the eye height. */
const BODY_RADIUS = 0.18;

/** Number of candidate start points along each side of the scene. */
const GRID_SIZE = 15;

/** Free space required on each side of a start point, in meters. */
const CLEARANCE = 0.9;

const SIDES = [new Vector3(1, 0, 0), new Vector3(-1, 0, 0), new Vector3(0, 0, 1), new Vector3(0, 0, -1)];
const DOWN = new Vector3(0, -1, 0);
const UP = new Vector3(0, 1, 0);

export class Walk {
  private isOn = false;
  private fallSpeed = 0;
  private eye = EYE_HEIGHT;
  private readonly movement = new Vector3();
  private readonly from = new Vector3();

  constructor(
    private readonly viewer: Viewer,
    private readonly fly: Fly,
    private readonly rays: Rays,
    private readonly radius: number,
    /** Called at the end of a fall. */
    private readonly landed: () => void,
  ) {}

  set enabled(on: boolean) {
    this.isOn = on;
    this.fly.isWalking = on;
  }

  /** Starts walking at a start point, below the camera if it is inside, or on the free floor nearest to the target. */
  start(bounds: Box3, target: Vector3, from: 'here' | Start | null): void {
    const { position } = this.viewer.camera;
    this.fallSpeed = 0;
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
    if (ceiling) this.eye = Math.min(EYE_HEIGHT, Math.max(0.2, ceiling.distance * EYE_TO_CEILING));
    position.copy(ground.point).addScaledVector(UP, this.eye);
    this.fly.speed = this.eye * 1.8;
    if (!isHere) this.fly.face(this.facing(position, start, target));
  }

  private isInside(position: Vector3, far: number): boolean {
    return this.rays.nearest(position, DOWN, far) !== null && this.rays.nearest(position, UP, far) !== null;
  }

  /** The ground at a start point, which may be slightly below the ground. */
  private groundAt({ position }: Start, far: number): Hit | null {
    const above = this.from.copy(position).addScaledVector(UP, 1);
    return this.rays.nearest(above, DOWN, far) ?? this.rays.nearest(above.setY(position.y + this.radius), DOWN, far);
  }

  /** The direction of the start point, or toward the target; the most open direction if a wall is in the way. */
  private facing(from: Vector3, start: Start | null, target: Vector3): number {
    if (!start) return this.openSide(from);
    const [x, z] = [target.x - from.x, target.z - from.z];
    const wanted = start.facing ?? Math.atan2(-x, -z);
    if (start.facing === null && Math.hypot(x, z) < CLEARANCE) return this.openSide(from);
    const ahead = this.movement.set(-Math.sin(wanted), 0, -Math.cos(wanted));
    return (this.rays.nearest(from, ahead, CLEARANCE)?.distance ?? CLEARANCE) >= CLEARANCE
      ? wanted
      : this.openSide(from);
  }

  /** A floor with free space around it. */
  private freeFloor(bounds: Box3, target: Vector3): Hit | null {
    const candidates: Vector3[] = [];
    for (let x = 0.5; x < GRID_SIZE; x++) {
      for (let z = 0.5; z < GRID_SIZE; z++) {
        const [a, b] = [x / GRID_SIZE, z / GRID_SIZE];
        const { min, max } = bounds;
        candidates.push(new Vector3(min.x + (max.x - min.x) * a, max.y + 0.01, min.z + (max.z - min.z) * b));
      }
    }
    const away = (candidate: Vector3): number => Math.hypot(candidate.x - target.x, candidate.z - target.z);
    candidates.sort((a, b) => away(a) - away(b));
    let first: Hit | null = null;
    for (const candidate of candidates) {
      const floor = this.rays.nearest(candidate, DOWN, bounds.max.y - bounds.min.y + 1);
      if (!floor || floor.normal.y < 0.7) continue;
      first ??= floor;
      if (floor.part.surface.isWater) continue;
      const eyes = floor.point.clone().addScaledVector(UP, 0.8);
      if (SIDES.every(side => !this.rays.nearest(eyes, side, CLEARANCE))) return floor;
    }
    return first;
  }

  /** The angle around the vertical axis with the longest view. */
  private openSide(from: Vector3): number {
    let [angle, best] = [0, -1];
    for (let i = 0; i < 16; i++) {
      const around = (i / 16) * Math.PI * 2;
      this.movement.set(-Math.sin(around), 0, -Math.cos(around));
      const free = this.rays.nearest(from, this.movement, this.radius)?.distance ?? this.radius;
      // Ignore directions that leave the scene, such as windows and missing doors.
      const score = free >= this.radius ? 0 : free;
      if (score > best) [angle, best] = [around, score];
    }
    return angle;
  }

  /** Moves the camera. Returns whether it is falling. */
  tick(seconds: number): boolean {
    if (!this.isOn) return false;
    this.walk();
    return this.applyGravity(seconds);
  }

  /** Takes a horizontal step, sliding along walls. */
  private walk(): void {
    const { step } = this.fly;
    if (step.x === 0 && step.z === 0) return;
    const { camera } = this.viewer;
    const length = Math.hypot(step.x, step.z);
    this.movement.set(step.x, 0, step.z).applyQuaternion(camera.quaternion).setY(0);
    if (this.movement.lengthSq() < 1e-12) return;
    this.movement.setLength(length);
    const direction = this.from.copy(this.movement).normalize().clone();
    const reach = length + this.eye * BODY_RADIUS;
    for (const height of [0, this.eye * (STEP_HEIGHT - 1)]) {
      const at = camera.position.clone().addScaledVector(UP, height);
      const wall = this.rays.nearest(at, direction, reach);
      if (!wall) continue;
      // Remove the component of the step that leads into the wall.
      wall.normal.setY(0).normalize();
      const into = this.movement.dot(wall.normal);
      if (into < 0) this.movement.addScaledVector(wall.normal, -into);
      if (
        this.rays.nearest(
          at,
          this.from.copy(this.movement).normalize(),
          this.movement.length() + this.eye * BODY_RADIUS,
        )
      )
        return;
    }
    camera.position.add(this.movement);
  }

  private applyGravity(seconds: number): boolean {
    const { position } = this.viewer.camera;
    const knee = this.eye * (1 - STEP_HEIGHT);
    this.from.copy(position).addScaledVector(DOWN, knee);
    this.fallSpeed += GRAVITY * seconds;
    const down = this.fallSpeed * seconds;
    const ground = this.rays.nearest(this.from, DOWN, this.eye * STEP_HEIGHT + down + this.eye * STEP_HEIGHT);
    if (ground) {
      const wasFalling = Math.abs(position.y - ground.point.y - this.eye) > 1e-4;
      position.y = ground.point.y + this.eye;
      this.fallSpeed = 0;
      if (wasFalling) this.landed();
      return false;
    }
    // No ground below: do not fall out of the scene.
    if (!this.rays.nearest(this.from, DOWN, this.radius * 4)) {
      this.fallSpeed = 0;
      return false;
    }
    position.y -= down;
    return true;
  }
}
