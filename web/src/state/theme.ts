// The color theme: from the system, or from the URL.

import { computed, effect, signal } from '@preact/signals';
import { patch, route } from './route';

export type Theme = 'dark' | 'light';

const system = matchMedia('(prefers-color-scheme: light)');
const light = signal(system.matches);

export const theme = computed<Theme>(() => {
  const requested = route.value.query.theme;
  if (requested === 'dark' || requested === 'light') return requested;
  return light.value ? 'light' : 'dark';
});

export function toggleTheme(): void {
  patch({ theme: theme.value === 'dark' ? 'light' : 'dark' });
}

export function startTheme(): void {
  system.addEventListener('change', event => {
    light.value = event.matches;
  });
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}
