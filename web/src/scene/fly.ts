// Flying: keys and the pad move, dragging or a captured mouse looks around. One finger looks, two fingers move.

import { Euler, Vector3 } from 'three';
import { isTyping } from './shortcuts';
import type { Move } from './types';
import type { Viewer } from './viewer';

const LOOK_SPEED = 0.0035;
/** A captured mouse has no edge of the window to reach, so it may be slower. */
const CAPTURED_SPEED = 0.0022;
const STEEPEST = Math.PI / 2 - 0.02;

/** The keys by their place on the keyboard, so that they are at the same place on every layout. */
const KEYS: Record<string, readonly [number, number, number]> = {
  KeyW: [0, 0, -1],
  KeyS: [0, 0, 1],
  KeyA: [-1, 0, 0],
  KeyD: [1, 0, 0],
  KeyQ: [0, -1, 0],
  KeyE: [0, 1, 0],
  ArrowUp: [0, 0, -1],
  ArrowDown: [0, 0, 1],
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
};

export class Fly {
  enabled = false;
  /** Meters a second. */
  speed: number;
  /** What the keys ask for, in the directions of the camera, before its speed. */
  readonly wish = new Vector3();
  /** Where a step leads; on foot another takes it from here. */
  readonly step = new Vector3();
  /** Set when somebody else makes the steps. */
  isSteered = false;
  private readonly down = new Set<string>();
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private readonly turn = new Euler(0, 0, 0, 'YXZ');
  private isFast = false;

  constructor(
    private readonly viewer: Viewer,
    /** Whether a key that was pressed there is meant for the scene. */
    private readonly isMeant: (target: EventTarget | null) => boolean,
    radius: number,
    signal: AbortSignal,
    private readonly moved: (how: Move) => void,
  ) {
    this.speed = Math.min(Math.max(radius * 0.25, 0.5), 60);
    const { canvas } = viewer;
    addEventListener('keydown', event => this.press(event), { signal, capture: true });
    addEventListener('keyup', event => this.release(event), { signal, capture: true });
    addEventListener('blur', () => this.stop(), { signal });
    document.addEventListener('focusin', event => this.isMeant(event.target) || this.stop(), { signal });
    document.addEventListener('mousemove', event => this.look(event), { signal });
    canvas.addEventListener('pointerdown', event => this.touch(event), { signal });
    canvas.addEventListener('pointermove', event => this.drag(event), { signal });
    canvas.addEventListener('pointerup', event => this.lift(event), { signal });
    canvas.addEventListener('pointercancel', event => this.lift(event), { signal });
    canvas.addEventListener('wheel', event => this.wheel(event), { signal, passive: false });
  }

  /** Takes over from another way of moving. */
  start(): void {
    this.turn.setFromQuaternion(this.viewer.camera.quaternion);
    this.turn.z = 0;
    this.down.clear();
  }

  /** Looks straight ahead, at an angle around the vertical axis. */
  face(around: number): void {
    this.turn.set(0, around, 0);
    this.viewer.camera.quaternion.setFromEuler(this.turn);
  }

  /** Holds or releases one of the keys that move, by its code. */
  hold(code: string, isDown: boolean): void {
    if (isDown && this.enabled) {
      this.down.add(code);
      this.viewer.request();
    } else if (this.down.delete(code) && this.enabled) this.moved('ended');
  }

  /** True while a key is down. */
  tick(seconds: number): boolean {
    this.wish.set(0, 0, 0);
    for (const code of this.down) {
      const way = KEYS[code];
      if (way) this.wish.set(this.wish.x + way[0], this.wish.y + way[1], this.wish.z + way[2]);
    }
    const isMoving = this.wish.lengthSq() > 0;
    this.step.set(0, 0, 0);
    if (isMoving) {
      const length = this.speed * (this.isFast ? 4 : 1) * seconds;
      this.step.copy(this.wish).normalize().multiplyScalar(length);
    }
    if (!this.isSteered && isMoving) {
      this.step.applyQuaternion(this.viewer.camera.quaternion);
      this.viewer.camera.position.add(this.step);
    }
    return isMoving;
  }

  private stop(): void {
    for (const code of [...this.down]) this.hold(code, false);
  }

  private press(event: KeyboardEvent): void {
    this.isFast = event.shiftKey;
    if (!this.enabled || event.ctrlKey || event.metaKey || event.altKey || !(event.code in KEYS)) return;
    if (!this.isMeant(event.target) || isTyping(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.hold(event.code, true);
  }

  private release(event: KeyboardEvent): void {
    this.isFast = event.shiftKey;
    this.hold(event.code, false);
  }

  private look(event: MouseEvent): void {
    if (!this.enabled || document.pointerLockElement !== this.viewer.canvas) return;
    this.lookBy(event.movementX * CAPTURED_SPEED, event.movementY * CAPTURED_SPEED);
    this.moved('going on');
  }

  private lookBy(x: number, y: number): void {
    this.turn.y -= x;
    this.turn.x = Math.min(STEEPEST, Math.max(-STEEPEST, this.turn.x - y));
    this.viewer.camera.quaternion.setFromEuler(this.turn);
    this.viewer.request();
  }

  private touch(event: PointerEvent): void {
    const { canvas } = this.viewer;
    if (!this.enabled || document.pointerLockElement === canvas) return;
    canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  private drag(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    if (!this.enabled || !finger) return;
    const [x, y] = [event.clientX - finger.x, event.clientY - finger.y];
    finger.x = event.clientX;
    finger.y = event.clientY;
    if (this.fingers.size > 1) {
      const { camera } = this.viewer;
      const length = this.speed * 0.01;
      camera.translateX(-x * length);
      camera.translateZ(-y * length);
      this.viewer.request();
    } else this.lookBy(x * LOOK_SPEED, y * LOOK_SPEED);
  }

  private lift(event: PointerEvent): void {
    if (this.fingers.delete(event.pointerId) && this.enabled) this.moved('ended');
  }

  private wheel(event: WheelEvent): void {
    if (!this.enabled) return;
    event.preventDefault();
    this.speed = Math.min(500, Math.max(0.05, this.speed * (event.deltaY < 0 ? 1.2 : 1 / 1.2)));
  }
}
