// Keyboard shortcuts of the scene view, for its tooltips and the help dialog.

export interface Shortcut {
  keys: string;
  description: string;
}

export const shortcuts: Shortcut[] = [
  { keys: '1, 2, 3', description: 'orbit, fly, walk' },
  { keys: 'W A S D', description: 'move while flying or walking' },
  { keys: 'Q, E', description: 'move down, up while flying' },
  { keys: 'Shift', description: 'move faster' },
  { keys: 'Arrow keys', description: 'orbit the scene; move while flying or walking' },
  { keys: 'R', description: 'reset the view' },
  { keys: 'F', description: 'frame the scene' },
  { keys: 'C', description: 'frame the selection' },
  { keys: 'V, Shift+V', description: 'next, previous shading mode' },
  { keys: 'X', description: 'next texture filtering' },
  { keys: 'G', description: 'show or hide the grid' },
  { keys: 'B', description: 'show or hide bounding boxes' },
  { keys: 'M', description: 'measure a distance' },
  { keys: 'P', description: 'save a screenshot' },
  { keys: 'J, K', description: 'previous, next clip' },
  { keys: 'Escape', description: 'clear the selection, stop measuring, release the mouse' },
];

/** Appends a keyboard shortcut to a tooltip. */
export function withKey(text: string, key: string): string {
  return `${text} (${key})`;
}

/** Whether a control handles a key instead of the scene. */
export function isTyping(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  )
    return true;
  // Space presses a button, and arrow keys move in a list.
  const handlesKeys =
    target instanceof HTMLButtonElement || target.getAttribute('role') === 'listbox' || target.tagName === 'SUMMARY';
  return handlesKeys && (event.key === ' ' || event.key === 'Enter' || event.key.startsWith('Arrow'));
}
