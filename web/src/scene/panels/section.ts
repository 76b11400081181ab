// A collapsible section of a panel.

import { el } from '../dom';

export function section(title: string, isOpen: boolean, ...children: Node[]): HTMLDetailsElement {
  const it = el('details', { class: 'scene-section' }, el('summary', { class: 'scene-summary' }, title), ...children);
  it.open = isOpen;
  return it;
}
