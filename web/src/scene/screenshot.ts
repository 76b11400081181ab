// Saves screenshots.

import { download } from './dom';
import type { Viewer } from './viewer';

export async function saveScreenshot(viewer: Viewer, name: string): Promise<void> {
  // Draw and read in the same task: the browser clears the canvas afterwards.
  viewer.draw();
  const blob = await new Promise<Blob | null>(done => viewer.canvas.toBlob(done, 'image/png'));
  if (!blob) throw new Error('the browser cannot encode PNG images');
  download(blob, `${name}.png`);
}

/** A file name derived from a URL. */
export function fileName(url: string): string {
  const path = url.split('?')[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1);
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // Not percent-encoded: use the name as is.
  }
  return name.replace(/\.(glb|gltf)$/i, '').replace(/[^\p{L}\p{N}._-]+/gu, '_') || 'scene';
}
