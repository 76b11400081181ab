// The picture as a file.

import { download } from './dom';
import type { Viewer } from './viewer';

export async function saveScreenshot(viewer: Viewer, name: string): Promise<void> {
  // Drawn and read in one task: the browser clears the picture after it.
  viewer.draw();
  const blob = await new Promise<Blob | null>(done => viewer.canvas.toBlob(done, 'image/png'));
  if (!blob) throw new Error('the browser cannot write PNG');
  download(blob, `${name}.png`);
}

/** The name of what an address shows, fit for a file. */
export function fileName(url: string): string {
  const path = url.split('?')[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1);
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // An address that is not encoded is a name as well.
  }
  return name.replace(/\.(glb|gltf)$/i, '').replace(/[^\p{L}\p{N}._-]+/gu, '_') || 'scene';
}
