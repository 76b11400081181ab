// The keys of the scene view, for its tooltips and for the help of the page.

export interface Shortcut {
  keys: string;
  does: string;
}

export const shortcuts: Shortcut[] = [
  { keys: '1, 2, 3', does: 'orbit, fly, walk' },
  { keys: 'W A S D', does: 'move while flying or walking' },
  { keys: 'Q, E', does: 'move down, up while flying' },
  { keys: 'Shift', does: 'move faster' },
  { keys: 'Arrow keys', does: 'turn around the scene; move while flying or walking' },
  { keys: 'R', does: 'back to the first view' },
  { keys: 'F', does: 'frame everything' },
  { keys: 'C', does: 'center on the selection' },
  { keys: 'V, Shift+V', does: 'next, previous way of shading' },
  { keys: 'X', does: 'file, crisp or smooth pixels' },
  { keys: 'G', does: 'grid' },
  { keys: 'B', does: 'bounding boxes' },
  { keys: 'M', does: 'measure' },
  { keys: 'P', does: 'save a screenshot' },
  { keys: 'J, K', does: 'previous, next clip' },
  { keys: 'Escape', does: 'select nothing, stop measuring, release the mouse' },
];

/** A tooltip that ends with its key. */
export function withKey(text: string, key: string): string {
  return `${text} (${key})`;
}

/** Whether a key is meant for a control rather than for the scene. */
export function isTyping(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  )
    return true;
  // Space presses a button, and arrows walk through a list.
  const isOwn =
    target instanceof HTMLButtonElement || target.getAttribute('role') === 'listbox' || target.tagName === 'SUMMARY';
  return isOwn && (event.key === ' ' || event.key === 'Enter' || event.key.startsWith('Arrow'));
}
