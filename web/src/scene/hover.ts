// The name of what the pointer rests on, beside it. A click chooses, so nothing is chosen here.

import { el } from './dom';
import type { Item } from './objects';
import type { Picking } from './picking';

/** How long a pointer rests before it is asked what it is on: the first ray into a large mesh takes its time. In milliseconds. */
const REST = 60;
/** From the pointer to the name, in CSS pixels. */
const BESIDE = 14;

export class HoverName {
  private readonly label = el('p', { class: 'scene-hover', role: 'tooltip' });
  private timer = 0;

  constructor(
    surface: HTMLElement,
    canvas: HTMLCanvasElement,
    picking: Picking,
    signal: AbortSignal,
    /** What a click there would choose, and what that is called; null for nothing. */
    private readonly nameOf: (item: Item) => string,
    private readonly changed: (item: Item | null) => void,
  ) {
    this.label.hidden = true;
    surface.append(this.label);
    canvas.addEventListener(
      'pointermove',
      event => {
        clearTimeout(this.timer);
        // Whoever turns the camera, touches, or looks around with a captured mouse points at nothing.
        if (event.buttons !== 0 || event.pointerType === 'touch' || document.pointerLockElement === canvas)
          return this.hide();
        const { clientX, clientY } = event;
        this.timer = window.setTimeout(() => {
          const box = canvas.getBoundingClientRect();
          const [x, y] = [clientX - box.left, clientY - box.top];
          this.show(picking.pointAt(x, y).item, x, y, box.width);
        }, REST);
      },
      { signal },
    );
    for (const type of ['pointerleave', 'pointerdown', 'wheel'] as const)
      canvas.addEventListener(type, () => this.hide(), { signal, passive: true });
    document.addEventListener('pointerlockchange', () => this.hide(), { signal });
    signal.addEventListener('abort', () => clearTimeout(this.timer));
  }

  private hide(): void {
    clearTimeout(this.timer);
    if (this.label.hidden) return;
    this.label.hidden = true;
    this.changed(null);
  }

  private show(item: Item | null, x: number, y: number, width: number): void {
    if (!item) {
      this.hide();
      return;
    }
    this.label.textContent = this.nameOf(item);
    this.label.hidden = false;
    // On the side with more room.
    const isLeft = x < width / 2;
    this.label.style.left = isLeft ? `${x + BESIDE}px` : '';
    this.label.style.right = isLeft ? '' : `${width - x + BESIDE}px`;
    this.label.style.top = `${y + BESIDE}px`;
    this.changed(item);
  }
}
