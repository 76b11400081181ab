// Whether the window is wide, as a value that changes.

import { type ReadonlySignal, signal } from '@preact/signals';

function matches(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const value = signal(list.matches);
  list.addEventListener('change', event => {
    value.value = event.matches;
  });
  return value;
}

/** There is room for details beside a picture. */
export const isWide = matches('(min-width: 1360px)');
/** The files are in a drawer. */
export const isNarrow = matches('(max-width: 900px)');
