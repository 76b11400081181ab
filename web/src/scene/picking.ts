// Finds the object at a click.

import { Vector2 } from 'three';
import type { Glyphs } from './glyphs';
import type { Item } from './objects';
import type { Hit, Rays } from './rays';
import type { Viewer } from './viewer';

/** Largest pointer movement of a click, in CSS pixels; larger movements are drags. */
const CLICK_TOLERANCE = 5;

export interface Picked {
  readonly item: Item | null;
  readonly hit: Hit | null;
}

export class Picking {
  private readonly at = new Vector2();
  private downX = 0;
  private downY = 0;
  private isDown = false;

  constructor(
    private readonly viewer: Viewer,
    private readonly rays: Rays,
    private readonly glyphs: Glyphs,
    signal: AbortSignal,
    private readonly picked: (picked: Picked) => void,
  ) {
    const { canvas } = viewer;
    canvas.addEventListener(
      'pointerdown',
      event => {
        this.isDown = event.button === 0 && event.isPrimary;
        this.downX = event.clientX;
        this.downY = event.clientY;
      },
      { signal },
    );
    canvas.addEventListener('pointerup', event => this.onPointerUp(event), { signal });
  }

  /** The object at a point of the canvas, in CSS pixels. */
  pointAt(x: number, y: number): Picked {
    const { canvas, camera } = this.viewer;
    const size = [canvas.clientWidth, canvas.clientHeight] as const;
    this.at.set((x / size[0]) * 2 - 1, 1 - (y / size[1]) * 2);
    const hit = this.rays.pick(this.at, camera);
    const glyph = this.glyphs.pick(x, y, size, camera);
    // Markers are visible through objects, so they are also picked through them.
    if (glyph) return { item: glyph, hit };
    return { item: hit?.part.item ?? null, hit };
  }

  private onPointerUp(event: PointerEvent): void {
    if (!this.isDown || !event.isPrimary) return;
    this.isDown = false;
    if (Math.hypot(event.clientX - this.downX, event.clientY - this.downY) > CLICK_TOLERANCE) return;
    const box = this.viewer.canvas.getBoundingClientRect();
    // A captured mouse points at the center.
    const isCaptured = document.pointerLockElement === this.viewer.canvas;
    const x = isCaptured ? box.width / 2 : event.clientX - box.left;
    const y = isCaptured ? box.height / 2 : event.clientY - box.top;
    this.picked(this.pointAt(x, y));
  }
}
