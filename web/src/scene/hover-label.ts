// A label with the name of the object under the pointer. Hovering does not select.

import { el } from './dom';
import type { Item } from './objects';
import type { Picking } from './picking';

/** Delay before picking, in milliseconds, because the first ray into a large mesh is slow. */
const DELAY_MS = 60;
/** Offset of the label from the pointer, in CSS pixels. */
const OFFSET = 14;

export class HoverLabel {
  private readonly label = el('p', { class: 'scene-hover', role: 'tooltip' });
  private timer = 0;

  constructor(
    surface: HTMLElement,
    canvas: HTMLCanvasElement,
    picking: Picking,
    signal: AbortSignal,
    /** The name of the object that a click would select. */
    private readonly nameOf: (item: Item) => string,
    private readonly changed: (item: Item | null) => void,
  ) {
    this.label.hidden = true;
    surface.append(this.label);
    canvas.addEventListener(
      'pointermove',
      event => {
        clearTimeout(this.timer);
        // No label while dragging, touching, or looking around with a captured mouse.
        if (event.buttons !== 0 || event.pointerType === 'touch' || document.pointerLockElement === canvas)
          return this.hide();
        const { clientX, clientY } = event;
        this.timer = window.setTimeout(() => {
          const box = canvas.getBoundingClientRect();
          const [x, y] = [clientX - box.left, clientY - box.top];
          this.show(picking.pointAt(x, y).item, x, y, box.width);
        }, DELAY_MS);
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
    // Use the side with more space.
    const isLeft = x < width / 2;
    this.label.style.left = isLeft ? `${x + OFFSET}px` : '';
    this.label.style.right = isLeft ? '' : `${width - x + OFFSET}px`;
    this.label.style.top = `${y + OFFSET}px`;
    this.changed(item);
  }
}
