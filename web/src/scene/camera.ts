// The camera and its three modes: orbit, fly and walk.

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

/** Minimum downward slope of the view when framing a box. */
const MIN_SLOPE = 0.2;

/** Duration of an animated camera move, in seconds. */
const TRANSITION_SECONDS = 0.35;

export class Rig {
  readonly target = new Vector3();
  mode: CameraMode = 'orbit';
  private readonly orbit: OrbitControls;
  readonly fly: Fly;
  private readonly walk: Walk;
  private readonly camera: PerspectiveCamera;
  private readonly sphere = new Sphere();
  private readonly forward = new Vector3();
  private transition: { from: View; to: View; done: number; isReported: boolean } | null = null;

  constructor(
    private readonly viewer: Viewer,
    acceptsKeys: (target: EventTarget | null) => boolean,
    rays: Rays,
    private readonly bounds: Box3,
    signal: AbortSignal,
    /** Called when the user moves the camera or has moved it. */
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
      this.transition = null;
      this.orbit.enableDamping = true;
      // When one of two fingers is lifted, the other starts a new gesture.
      if (!isMoving) before.copy(this.camera.position);
      isMoving = true;
    });
    this.orbit.addEventListener('end', () => {
      isMoving = false;
      // Stop damping on release, so that the view and the URL agree.
      this.orbit.enableDamping = false;
      this.orbit.update();
      this.followTarget();
      // A click does not move the camera.
      if (before.distanceToSquared(this.camera.position) > 1e-12) moved('ended');
    });
    this.fly = new Fly(viewer, acceptsKeys, this.sphere.radius, signal, how => {
      this.followTarget();
      moved(how);
    });
    this.walk = new Walk(viewer, this.fly, rays, this.sphere.radius, () => moved('ended'));
    viewer.onTick(seconds => this.tick(seconds));
  }

  /** Changes the camera mode. Walking starts at the camera, at a start point, or on the best free floor. */
  setMode(mode: CameraMode, from: 'here' | Start | null = null): void {
    if (mode === this.mode) return;
    this.mode = mode;
    this.transition = null;
    this.orbit.enabled = mode === 'orbit';
    this.fly.enabled = mode !== 'orbit';
    this.walk.enabled = mode === 'walk';
    this.fly.start();
    if (mode === 'orbit') {
      // Orbit a point ahead, at the previous distance.
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

  /** Moves to a view, instantly or animated. */
  goTo(view: View, how: 'instant' | 'animate' | 'animate silently' = 'animate'): void {
    const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (how === 'instant' || prefersReducedMotion) {
      this.setView(view.eye, view.target);
    } else {
      this.transition = {
        from: { eye: this.camera.position.clone(), target: this.target.clone() },
        to: view,
        done: 0,
        isReported: how === 'animate',
      };
    }
    this.viewer.request();
  }

  /** Returns the current view. */
  view(): View {
    return { eye: this.camera.position.clone(), target: this.target.clone() };
  }

  /** Frames a box, keeping the current view direction. */
  frame(box: Box3): void {
    const back = this.camera.getWorldDirection(this.forward).clone().negate();
    // Avoid views from below the ground.
    back.y = Math.max(back.y, MIN_SLOPE);
    this.goTo(fitted(cornersOf(box), box, back, this.camera));
  }

  /** Rotates around the target by an angle, for turntables. */
  turn(angle: number): void {
    const offset = this.camera.position.clone().sub(this.target);
    offset.applyAxisAngle(this.camera.up, angle);
    this.setView(this.target.clone().add(offset), this.target.clone());
  }

  /** Orbits by angles in radians, for keys. */
  orbitBy(around: number, above: number): void {
    if (this.mode !== 'orbit') return;
    const offset = this.camera.position.clone().sub(this.target);
    const spherical = new Spherical().setFromVector3(offset);
    spherical.theta += around;
    spherical.phi -= above;
    spherical.makeSafe();
    this.setView(offset.setFromSpherical(spherical).add(this.target), this.target.clone());
    this.reportMove();
  }

  /** Multiplies the distance to the target by a factor; below 1 zooms in. */
  zoomBy(factor: number): void {
    if (this.mode !== 'orbit') return;
    const offset = this.camera.position.clone().sub(this.target).multiplyScalar(factor);
    this.setView(offset.add(this.target), this.target.clone());
    this.reportMove();
  }

  private reportMove(): void {
    this.moved('ended');
    this.viewer.request();
  }

  dispose(): void {
    this.orbit.dispose();
  }

  private setView(eye: Vector3, target: Vector3): void {
    this.camera.position.copy(eye);
    this.target.copy(target);
    this.orbit.target.copy(target);
    this.camera.lookAt(target);
    this.orbit.update();
    if (this.mode !== 'orbit') this.fly.start();
  }

  private tick(seconds: number): boolean {
    let needsFrame = false;
    if (this.transition) {
      needsFrame = this.tickTransition(seconds);
    } else if (this.mode === 'orbit') {
      needsFrame = this.orbit.update();
    } else {
      needsFrame = this.fly.tick(seconds);
      if (this.mode === 'walk') needsFrame = this.walk.tick(seconds) || needsFrame;
    }
    if (!this.transition) this.followTarget();
    this.fitDepth();
    return needsFrame;
  }

  /** Updates the target: the center of the orbit, or a point ahead. */
  private followTarget(): void {
    if (this.mode === 'orbit') {
      this.target.copy(this.orbit.target);
      return;
    }
    this.camera.getWorldDirection(this.forward);
    this.target.copy(this.camera.position).addScaledVector(this.forward, Math.max(1, this.sphere.radius * 0.1));
  }

  private tickTransition(seconds: number): boolean {
    const { transition } = this;
    if (!transition) return false;
    transition.done = Math.min(1, transition.done + Math.max(seconds, 1 / 240) / TRANSITION_SECONDS);
    const progress = transition.done * transition.done * (3 - 2 * transition.done);
    const eye = transition.from.eye.clone().lerp(transition.to.eye, progress);
    this.setView(eye, transition.from.target.clone().lerp(transition.to.target, progress));
    if (transition.done < 1) return true;
    this.transition = null;
    if (transition.isReported) this.moved('ended');
    return false;
  }

  /** Sets the near and far planes as close together as the scene allows, for depth precision at distant walls. */
  private fitDepth(): void {
    const { camera, sphere } = this;
    const distance = camera.position.distanceTo(sphere.center);
    const far = distance + sphere.radius * 1.2 + 10;
    const near = Math.max(distance - sphere.radius * 1.2, Math.min(0.05, sphere.radius * 0.01), far / 40_000);
    if (Math.abs(near - camera.near) < near * 0.05 && Math.abs(far - camera.far) < far * 0.05) return;
    camera.near = near;
    camera.far = far;
    camera.updateProjectionMatrix();
  }
}
