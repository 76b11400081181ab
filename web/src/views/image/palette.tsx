// The palette of an image and the palette indices of its pixels.

import { useEffect, useState } from 'preact/hooks';
import { decodeBase64, getJson, isAbort, type Query, viewUrl } from '../../api/request';
import type { Pixels } from '../../api/types';
import type { Pixel } from './image-canvas';

export interface IndexedPixels {
  width: number;
  height: number;
  palette: string[] | null;
  indices: Uint8Array | null;
}

/** Loads the indexed pixels once the image is loaded; null if unavailable. */
export function usePixels(path: string, query: Query, isWanted: boolean): IndexedPixels | null {
  const url = viewUrl(path, 'pixels', query);
  const [kept, setKept] = useState<{ url: string; pixels: IndexedPixels } | null>(null);
  useEffect(() => {
    if (!isWanted) return undefined;
    const controller = new AbortController();
    getJson<Pixels>(url, controller.signal).then(
      answer =>
        setKept({ url, pixels: { ...answer, indices: answer.indices === null ? null : decodeBase64(answer.indices) } }),
      (reason: unknown) => {
        // The image is shown without indices.
        if (!isAbort(reason)) setKept(null);
      },
    );
    return () => controller.abort();
  }, [url, isWanted]);
  // Keep the palette of the previous frame until the next one is loaded, to avoid layout shifts during playback.
  return kept?.pixels ?? null;
}

export function indexAt(pixels: IndexedPixels | null, pixel: Pixel | null): number | null {
  if (!pixels?.indices || !pixel) return null;
  return pixels.indices[pixel.y * pixels.width + pixel.x] ?? null;
}

export function Palette({ pixels, pixel }: { pixels: IndexedPixels; pixel: Pixel | null }) {
  const palette = pixels.palette ?? [];
  const under = indexAt(pixels, pixel);
  return (
    <ol class="palette" aria-label={`Palette, ${palette.length} colors`} start={0}>
      {palette.map((color, index) => (
        <li
          key={index}
          class={index === under ? 'is-here' : ''}
          title={`${index}: ${color}`}
          style={{ backgroundColor: color }}
        >
          <span class="visually-hidden">{color}</span>
        </li>
      ))}
    </ol>
  );
}
