// The camera and its three ways of moving: around a point, freely, and on foot.

import { type Box3, type PerspectiveCamera, Sphere, Spherical, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Fly } from './fly';
import { cornersOf, fitted, type View } from './framing';
import type { Rays } from './rays';
import type { Start } from './starts';
import type { Move } from './types';
import type { Viewer } from './viewer';
import { Walk } from './walk';

export const CAMERA_MODES = [
  ['orbit', 'Orbit'],
  ['fly', 'Fly'],
  ['walk', 'Walk'],
] as const;

export type CameraMode = (typeof CAMERA_MODES)[number][0];

export function isCameraMode(text: string): text is CameraMode {
  return CAMERA_MODES.some(([mode]) => mode === text);
}

/** How steeply one looks down on what is framed, at least. */
const LEAST_SLOPE = 0.2;

/** Seconds that the camera takes from one view to another. */
const TRAVEL_SECONDS = 0.35;

export class Rig {
  readonly target = new Vector3();
  mode: CameraMode = 'orbit';
  private readonly orbit: OrbitControls;
  readonly fly: Fly;
  private readonly walk: Walk;
  private readonly camera: PerspectiveCamera;
  private readonly sphere = new Sphere();
  private readonly forward = new Vector3();
  private travel: { from: View; to: View; done: number; isReported: boolean } | null = null;

  constructor(
    private readonly viewer: Viewer,
    isMeant: (target: EventTarget | null) => boolean,
    rays: Rays,
    private readonly bounds: Box3,
    signal: AbortSignal,
    /** Called when the reader has moved the camera, or still moves it. */
    private readonly moved: (how: Move) => void,
  ) {
    this.camera = viewer.camera;
    bounds.getBoundingSphere(this.sphere);
    this.orbit = new OrbitControls(this.camera, viewer.canvas);
    this.orbit.enableDamping = true;
    this.orbit.dampingFactor = 0.15;
    this.orbit.zoomToCursor = true;
    this.orbit.zoomSpeed = 1.4;
    this.orbit.addEventListener('change', () => viewer.request());
    const before = new Vector3();
    let isMoving = false;
    this.orbit.addEventListener('start', () => {
      this.travel = null;
      this.orbit.enableDamping = true;
      // Of two fingers the one that stays longer starts again.
      if (!isMoving) before.copy(this.camera.position);
      isMoving = true;
    });
    this.orbit.addEventListener('end', () => {
      isMoving = false;
      // What is on the screen when the hand lets go is what stays, and what the address says.
      this.orbit.enableDamping = false;
      this.orbit.update();
      this.followTarget();
      // A click is no move.
      if (before.distanceToSquared(this.camera.position) > 1e-12) moved('ended');
    });
    this.fly = new Fly(viewer, isMeant, this.sphere.radius, signal, how => {
      this.followTarget();
      moved(how);
    });
    this.walk = new Walk(viewer, this.fly, rays, this.sphere.radius, () => moved('ended'));
    viewer.onTick(seconds => this.tick(seconds));
  }

  /** Moves in another way from now on; on foot from here, from a start, or from the best free floor. */
  setMode(mode: CameraMode, from: 'here' | Start | null = null): void {
    if (mode === this.mode) return;
    this.mode = mode;
    this.travel = null;
    this.orbit.enabled = mode === 'orbit';
    this.fly.enabled = mode !== 'orbit';
    this.walk.enabled = mode === 'walk';
    this.fly.start();
    if (mode === 'orbit') {
      // Around a point ahead, as far away as one was before.
      this.camera.getWorldDirection(this.forward);
      const distance = Math.max(0.5, this.camera.position.distanceTo(this.target));
      this.orbit.target
        .copy(this.camera.position)
        .addScaledVector(this.forward, Math.min(distance, this.sphere.radius));
    } else if (mode === 'walk') {
      this.walk.start(this.bounds, this.target, from);
    }
    this.viewer.request();
  }

  /** Goes to a view, at once or on a way that the eye can follow. */
  goTo(view: View, how: 'at once' | 'travel' | 'travel back' = 'travel'): void {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (how === 'at once' || isCalm) {
      this.put(view.eye, view.target);
    } else {
      this.travel = {
        from: { eye: this.camera.position.clone(), target: this.target.clone() },
        to: view,
        done: 0,
        isReported: how === 'travel',
      };
    }
    this.viewer.request();
  }

  /** The view as it is now. */
  view(): View {
    return { eye: this.camera.position.clone(), target: this.target.clone() };
  }

  /** Shows a box from where one looks now. */
  frame(box: Box3): void {
    const back = this.camera.getWorldDirection(this.forward).clone().negate();
    // From below the ground one sees little.
    back.y = Math.max(back.y, LEAST_SLOPE);
    this.goTo(fitted(cornersOf(box), box, back, this.camera));
  }

  /** Turns around the target, for a turntable. */
  turn(angle: number): void {
    const offset = this.camera.position.clone().sub(this.target);
    offset.applyAxisAngle(this.camera.up, angle);
    this.put(this.target.clone().add(offset), this.target.clone());
  }

  /** Turns around the target by a key. */
  orbitBy(around: number, above: number): void {
    if (this.mode !== 'orbit') return;
    const offset = this.camera.position.clone().sub(this.target);
    const spherical = new Spherical().setFromVector3(offset);
    spherical.theta += around;
    spherical.phi -= above;
    spherical.makeSafe();
    this.put(offset.setFromSpherical(spherical).add(this.target), this.target.clone());
    this.settle();
  }

  /** Comes nearer by a factor below 1. */
  zoomBy(factor: number): void {
    if (this.mode !== 'orbit') return;
    const offset = this.camera.position.clone().sub(this.target).multiplyScalar(factor);
    this.put(offset.add(this.target), this.target.clone());
    this.settle();
  }

  private settle(): void {
    this.moved('ended');
    this.viewer.request();
  }

  dispose(): void {
    this.orbit.dispose();
  }

  private put(eye: Vector3, target: Vector3): void {
    this.camera.position.copy(eye);
    this.target.copy(target);
    this.orbit.target.copy(target);
    this.camera.lookAt(target);
    this.orbit.update();
    if (this.mode !== 'orbit') this.fly.start();
  }

  private tick(seconds: number): boolean {
    let goesOn = false;
    if (this.travel) {
      goesOn = this.tickTravel(seconds);
    } else if (this.mode === 'orbit') {
      goesOn = this.orbit.update();
    } else {
      goesOn = this.fly.tick(seconds);
      if (this.mode === 'walk') goesOn = this.walk.tick(seconds) || goesOn;
    }
    if (!this.travel) this.followTarget();
    this.fitDepth();
    return goesOn;
  }

  /** What is looked at now: the middle of an orbit, or a point ahead. */
  private followTarget(): void {
    if (this.mode === 'orbit') {
      this.target.copy(this.orbit.target);
      return;
    }
    this.camera.getWorldDirection(this.forward);
    this.target.copy(this.camera.position).addScaledVector(this.forward, Math.max(1, this.sphere.radius * 0.1));
  }

  private tickTravel(seconds: number): boolean {
    const { travel } = this;
    if (!travel) return false;
    travel.done = Math.min(1, travel.done + Math.max(seconds, 1 / 240) / TRAVEL_SECONDS);
    const eased = travel.done * travel.done * (3 - 2 * travel.done);
    const eye = travel.from.eye.clone().lerp(travel.to.eye, eased);
    this.put(eye, travel.from.target.clone().lerp(travel.to.target, eased));
    if (travel.done < 1) return true;
    this.travel = null;
    if (travel.isReported) this.moved('ended');
    return false;
  }

  /** Near and far planes as close together as the scene allows, for the depth of distant walls. */
  private fitDepth(): void {
    const { camera, sphere } = this;
    const away = camera.position.distanceTo(sphere.center);
    const far = away + sphere.radius * 1.2 + 10;
    const near = Math.max(away - sphere.radius * 1.2, Math.min(0.05, sphere.radius * 0.01), far / 40_000);
    if (Math.abs(near - camera.near) < near * 0.05 && Math.abs(far - camera.far) < far * 0.05) return;
    camera.near = near;
    camera.far = far;
    camera.updateProjectionMatrix();
  }
}
