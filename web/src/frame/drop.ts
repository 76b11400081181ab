// Something dragged onto the page. A browser does not say where a file is, so only a path as text can be followed.

import { notify } from '../state/announce';
import { go } from '../state/route';
import { session } from '../state/session';

/** A path on the disk as a path of the explorer, where it lies in something that is open. */
export function placeOf(text: string): string | null {
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
  const place = text === '' ? null : placeOf(text);
  if (place !== null) {
    go(place);
    return;
  }
  const name = data?.files[0]?.name;
  if (name !== undefined)
    notify(
      'A browser does not say where a file is. Start `antiquary view FOLDER` with the folder that you want to see.',
    );
  else if (text !== '') notify('This path is not in what is open. Start `antiquary view FOLDER` with its folder.');
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
