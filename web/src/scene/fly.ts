// Fly mode: keys and the touch pad move; dragging or a captured mouse looks around. One finger looks, two fingers move.

import { Euler, Vector3 } from 'three';
import { isTyping } from './shortcuts';
import type { Move } from './types';
import type { Viewer } from './viewer';

const LOOK_SPEED = 0.0035;
/** A captured mouse is not limited by the window edges, so it can be slower. */
const CAPTURED_SPEED = 0.0022;
const MAX_PITCH = Math.PI / 2 - 0.02;

/** Movement by physical key code, independent of the keyboard layout. */
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
  /** Meters per second. */
  speed: number;
  /** Movement requested by keys, in camera space, before applying the speed. */
  readonly input = new Vector3();
  /** The movement of this frame; read by walk mode. */
  readonly step = new Vector3();
  /** Whether walk mode applies the steps. */
  isWalking = false;
  private readonly down = new Set<string>();
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private readonly turn = new Euler(0, 0, 0, 'YXZ');
  private isFast = false;

  constructor(
    private readonly viewer: Viewer,
    /** Whether the scene handles keys pressed on a target. */
    private readonly acceptsKeys: (target: EventTarget | null) => boolean,
    radius: number,
    signal: AbortSignal,
    private readonly moved: (how: Move) => void,
  ) {
    this.speed = Math.min(Math.max(radius * 0.25, 0.5), 60);
    const { canvas } = viewer;
    addEventListener('keydown', event => this.press(event), { signal, capture: true });
    addEventListener('keyup', event => this.release(event), { signal, capture: true });
    addEventListener('blur', () => this.stop(), { signal });
    document.addEventListener('focusin', event => this.acceptsKeys(event.target) || this.stop(), { signal });
    document.addEventListener('mousemove', event => this.look(event), { signal });
    canvas.addEventListener('pointerdown', event => this.touch(event), { signal });
    canvas.addEventListener('pointermove', event => this.drag(event), { signal });
    canvas.addEventListener('pointerup', event => this.lift(event), { signal });
    canvas.addEventListener('pointercancel', event => this.lift(event), { signal });
    canvas.addEventListener('wheel', event => this.wheel(event), { signal, passive: false });
  }

  /** Takes over the current orientation of the camera. */
  start(): void {
    this.turn.setFromQuaternion(this.viewer.camera.quaternion);
    this.turn.z = 0;
    this.down.clear();
  }

  /** Looks horizontally, at an angle around the vertical axis. */
  face(around: number): void {
    this.turn.set(0, around, 0);
    this.viewer.camera.quaternion.setFromEuler(this.turn);
  }

  /** Presses or releases a movement key, by its code. */
  hold(code: string, isDown: boolean): void {
    if (isDown && this.enabled) {
      this.down.add(code);
      this.viewer.request();
    } else if (this.down.delete(code) && this.enabled) this.moved('ended');
  }

  /** Moves the camera. Returns whether a movement key is down. */
  tick(seconds: number): boolean {
    this.input.set(0, 0, 0);
    for (const code of this.down) {
      const direction = KEYS[code];
      if (direction)
        this.input.set(this.input.x + direction[0], this.input.y + direction[1], this.input.z + direction[2]);
    }
    const isMoving = this.input.lengthSq() > 0;
    this.step.set(0, 0, 0);
    if (isMoving) {
      const length = this.speed * (this.isFast ? 4 : 1) * seconds;
      this.step.copy(this.input).normalize().multiplyScalar(length);
    }
    if (!this.isWalking && isMoving) {
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
    if (!this.acceptsKeys(event.target) || isTyping(event)) return;
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
    this.moved('ongoing');
  }

  private lookBy(x: number, y: number): void {
    this.turn.y -= x;
    this.turn.x = Math.min(MAX_PITCH, Math.max(-MAX_PITCH, this.turn.x - y));
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
