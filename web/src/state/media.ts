// Media queries as signals.

import { type ReadonlySignal, signal } from '@preact/signals';

function matches(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const value = signal(list.matches);
  list.addEventListener('change', event => {
    value.value = event.matches;
  });
  return value;
}

/** Whether there is space for details next to the view. */
export const isWide = matches('(min-width: 1360px)');
/** Whether the file tree is in a drawer. */
export const isNarrow = matches('(max-width: 900px)');
