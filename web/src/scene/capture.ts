// A captured mouse looks around while one flies or walks, without a button down. Escape releases it.

import type { Rig } from './camera';
import type { Viewer } from './viewer';

export class Capture {
  constructor(
    private readonly viewer: Viewer,
    private readonly rig: Rig,
    private readonly say: (text: string) => void,
    signal: AbortSignal,
  ) {
    const { canvas } = viewer;
    canvas.addEventListener(
      'click',
      event => {
        if (event instanceof PointerEvent && event.pointerType === 'mouse' && rig.mode !== 'orbit' && !this.isOn)
          this.request();
      },
      { signal },
    );
    document.addEventListener('pointerlockchange', () => this.changed(), { signal });
    signal.addEventListener('abort', () => this.release());
  }

  get isOn(): boolean {
    return document.pointerLockElement === this.viewer.canvas;
  }

  /** Captures the mouse; a browser that does not allow that leaves dragging. */
  request(): void {
    const asked: unknown = this.viewer.canvas.requestPointerLock();
    if (asked instanceof Promise) asked.catch(() => undefined);
  }

  release(): void {
    if (this.isOn) document.exitPointerLock();
  }

  private changed(): void {
    if (this.rig.mode === 'orbit') return;
    this.say(
      this.isOn
        ? 'Move the mouse to look, W A S D to move. Escape releases the mouse.'
        : 'Drag to look, W A S D to move. Click to capture the mouse.',
    );
  }
}
