// A button that opens a menu panel. Escape closes it and returns the focus to the button.

import { el, withIcon } from '../dom';

let menus = 0;

export class Menu {
  readonly element: HTMLElement;
  private readonly button: HTMLButtonElement;
  private readonly panel: HTMLElement;

  constructor(label: string, content: readonly Node[], signal: AbortSignal) {
    const id = `scene-menu-${menus++}`;
    this.button = el('button', {
      type: 'button',
      class: 'scene-button',
      title: label,
      'aria-expanded': 'false',
      'aria-controls': id,
    });
    withIcon(this.button, 'more', label);
    this.panel = el('div', { class: 'scene-menu', id, role: 'group', 'aria-label': label }, ...content);
    this.panel.hidden = true;
    this.element = el('div', { class: 'scene-menu-host' }, this.button, this.panel);
    this.button.addEventListener('click', () => this.show(this.panel.hidden), { signal });
    this.element.addEventListener(
      'keydown',
      event => {
        if (event.key !== 'Escape' || this.panel.hidden) return;
        event.preventDefault();
        event.stopPropagation();
        this.close();
      },
      { signal },
    );
    addEventListener(
      'pointerdown',
      event => {
        if (event.target instanceof Node && !this.element.contains(event.target)) this.show(false);
      },
      { signal, capture: true },
    );
  }

  /** Closes the panel, and returns the focus to the button if it was inside. */
  close(): void {
    const wasInside = this.panel.contains(document.activeElement);
    this.show(false);
    if (wasInside) this.button.focus();
  }

  private show(on: boolean): void {
    if (this.panel.hidden === !on) return;
    this.panel.hidden = !on;
    this.button.setAttribute('aria-expanded', String(on));
    if (on) this.panel.querySelector<HTMLElement>('button, select')?.focus();
  }
}
