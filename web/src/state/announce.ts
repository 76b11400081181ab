// Announcements for screen readers, and temporary notices.

import { signal } from '@preact/signals';

export const announcement = signal('');
export const notice = signal('');

let timer: ReturnType<typeof setTimeout> | null = null;

export function announce(text: string): void {
  announcement.value = text;
}

/** Shows and announces a notice, which disappears after six seconds. */
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
    notify('The browser denied access to the clipboard.');
  }
}
