// Chosen format options. They apply to views and downloads, and are stored in the URL.

import { computed } from '@preact/signals';
import { patch, route } from './route';

const PREFIX = 'o.';

export type Choices = Readonly<Record<string, string>>;

export const choices = computed<Choices>(() => {
  const chosen: Record<string, string> = {};
  for (const [name, value] of Object.entries(route.value.query))
    if (name.startsWith(PREFIX)) chosen[name.slice(PREFIX.length)] = value;
  return chosen;
});

export function choose(name: string, value: string): void {
  patch({ [PREFIX + name]: value === '' ? null : value });
}
