// On-screen movement buttons for flying and walking on touch screens.

import { drawing, el } from './dom';
import type { Fly } from './fly';

const DIRECTIONS = [
  ['Forward', 'KeyW', 'up'],
  ['Left', 'KeyA', 'left'],
  ['Right', 'KeyD', 'right'],
  ['Back', 'KeyS', 'down'],
] as const;

export class TouchPad {
  readonly element: HTMLElement;

  constructor(
    private readonly fly: Fly,
    signal: AbortSignal,
  ) {
    this.element = el(
      'div',
      { class: 'scene-pad', role: 'group', 'aria-label': 'Move' },
      ...DIRECTIONS.map(direction => this.button(direction, signal)),
    );
    this.element.hidden = true;
  }

  private button([label, code, icon]: (typeof DIRECTIONS)[number], signal: AbortSignal): HTMLElement {
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
