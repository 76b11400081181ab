// Buttons that move under a thumb, while one flies or walks on a touch screen.

import { drawing, el } from './dom';
import type { Fly } from './fly';

const WAYS = [
  ['Forward', 'KeyW', 'up'],
  ['Left', 'KeyA', 'left'],
  ['Right', 'KeyD', 'right'],
  ['Back', 'KeyS', 'down'],
] as const;

export class Pad {
  readonly element: HTMLElement;

  constructor(
    private readonly fly: Fly,
    signal: AbortSignal,
  ) {
    this.element = el(
      'div',
      { class: 'scene-pad', role: 'group', 'aria-label': 'Move' },
      ...WAYS.map(way => this.button(way, signal)),
    );
    this.element.hidden = true;
  }

  private button([label, code, icon]: (typeof WAYS)[number], signal: AbortSignal): HTMLElement {
    const it = el(
      'button',
      { type: 'button', class: `scene-pad-button is-${icon}`, 'aria-label': label },
      drawing(icon),
    );
    it.addEventListener(
      'pointerdown',
      event => {
        event.preventDefault();
        it.setPointerCapture(event.pointerId);
        this.fly.hold(code, true);
      },
      { signal },
    );
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
      it.addEventListener(type, () => this.fly.hold(code, false), { signal });
    it.addEventListener('contextmenu', event => event.preventDefault(), { signal });
    return it;
  }
}
