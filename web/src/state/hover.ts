// The hovered field, shared by all views: the field tree, the bytes and the scene.

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
