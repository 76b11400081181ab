// Pointer lock: while flying or walking, a captured mouse looks around without pressing a button. Escape releases it.

import type { Rig } from './camera';
import type { Viewer } from './viewer';

export class PointerLock {
  constructor(
    private readonly viewer: Viewer,
    private readonly rig: Rig,
    private readonly showMessage: (text: string) => void,
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

  /** Captures the mouse. If the browser refuses, dragging still works. */
  request(): void {
    const requested: unknown = this.viewer.canvas.requestPointerLock();
    if (requested instanceof Promise) requested.catch(() => undefined);
  }

  release(): void {
    if (this.isOn) document.exitPointerLock();
  }

  private changed(): void {
    if (this.rig.mode === 'orbit') return;
    this.showMessage(
      this.isOn
        ? 'Move the mouse to look, W A S D to move. Escape releases the mouse.'
        : 'Drag to look, W A S D to move. Click to capture the mouse.',
    );
  }
}
