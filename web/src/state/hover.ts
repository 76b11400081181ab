// What the pointer is over, wherever that is shown: a field in a tree, its bytes, its part of the picture.

import { signal } from '@preact/signals';

export interface Hovered {
  path: string;
  start: number | null;
  end: number | null;
}

export const hovered = signal<Hovered | null>(null);

export function hover(field: Hovered | null): void {
  if (field?.path !== hovered.peek()?.path) hovered.value = field;
}
