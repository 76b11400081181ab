// Short sentences for those who listen to the page instead of seeing it, and notices that pass by.

import { signal } from '@preact/signals';

export const spoken = signal('');
export const notice = signal('');

let timer: ReturnType<typeof setTimeout> | null = null;

export function announce(text: string): void {
  spoken.value = text;
}

/** Says something to everybody; it goes away by itself. */
export function notify(text: string): void {
  notice.value = text;
  announce(text);
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(() => {
    notice.value = '';
  }, 6000);
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(`Copied ${what}.`);
  } catch {
    notify('The browser did not allow copying.');
  }
}
