// Handles drops on the page. Browsers hide the paths of dropped files, so only a path dropped as text can be opened.

import { notify } from '../state/announce';
import { go } from '../state/route';
import { session } from '../state/session';

/** Converts a file system path into an explorer path; null if it is outside all open folders. */
export function explorerPath(text: string): string | null {
  const wanted = plainPath(text);
  for (const root of session.value?.roots ?? []) {
    const base = root.path.replaceAll('\\', '/').replace(/\/+$/, '');
    if (wanted === base) return root.name;
    if (wanted.startsWith(`${base}/`)) return `${root.name}/${wanted.slice(base.length + 1)}`;
  }
  return null;
}

function plainPath(text: string): string {
  const first = text.trim().split(/[\r\n]/)[0] ?? '';
  let path = first;
  if (first.startsWith('file://')) {
    try {
      path = decodeURIComponent(new URL(first).pathname).replace(/^\/([A-Za-z]:)/, '$1');
    } catch {
      path = first;
    }
  }
  return path.replaceAll('\\', '/').replace(/\/+$/, '');
}

function drop(event: DragEvent): void {
  event.preventDefault();
  const data = event.dataTransfer;
  const text = data?.getData('text/uri-list') || data?.getData('text/plain') || '';
  const path = text === '' ? null : explorerPath(text);
  if (path !== null) {
    go(path);
    return;
  }
  const name = data?.files[0]?.name;
  if (name !== undefined)
    notify('The browser hides the path of a dropped file. Run `antiquary view FOLDER` to open its folder.');
  else if (text !== '')
    notify('This path is outside the open folders. Run `antiquary view FOLDER` to open its folder.');
}

export function startDrop(): () => void {
  const over = (event: DragEvent) => event.preventDefault();
  addEventListener('dragover', over);
  addEventListener('drop', drop);
  return () => {
    removeEventListener('dragover', over);
    removeEventListener('drop', drop);
  };
}
