// The decoded frames of an image, cached while the image is open.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { getBuffer, isAbort, type Query, viewUrl } from '../../api/request';

export interface Frame {
  bitmap: ImageBitmap;
  colors: ImageData;
}

/** Maximum number of cached pixels; the oldest frames are dropped first. */
const MAX_CACHED_PIXELS = 24_000_000;

export class Frames {
  count = 1;
  /** Duration of each frame in milliseconds; empty for a still image. */
  delays: readonly number[] = [];
  private readonly cache = new Map<number, Promise<Frame>>();
  private readonly controller = new AbortController();

  constructor(
    private readonly path: string,
    private readonly query: Query,
  ) {}

  get(frame: number): Promise<Frame> {
    let pending = this.cache.get(frame);
    if (!pending) {
      pending = this.load(frame);
      pending.catch(() => this.cache.delete(frame));
      this.cache.set(frame, pending);
    }
    return pending;
  }

  dispose(): void {
    this.controller.abort();
    for (const frame of this.cache.values())
      frame.then(
        ({ bitmap }) => bitmap.close(),
        () => undefined,
      );
    this.cache.clear();
  }

  private async load(frame: number): Promise<Frame> {
    const url = viewUrl(this.path, 'image', { ...this.query, frame: frame === 0 ? null : frame });
    const { buffer, headers } = await getBuffer(url, this.controller.signal);
    this.count = Math.max(1, Number(headers.get('Antiquary-Frames') ?? 1) || 1);
    const delays = headers.get('Antiquary-Delays') ?? '';
    this.delays = delays === '' ? [] : delays.split(',').map(part => Number(part) || 100);
    const bitmap = await createImageBitmap(new Blob([buffer], { type: 'image/png' }), {
      premultiplyAlpha: 'none',
      colorSpaceConversion: 'none',
    });
    this.evict(bitmap.width * bitmap.height);
    return { bitmap, colors: colorsOf(bitmap) };
  }

  private evict(pixels: number): void {
    const maxFrames = Math.max(4, Math.floor(MAX_CACHED_PIXELS / Math.max(1, pixels)));
    const [oldest] = this.cache.keys();
    if (this.cache.size > maxFrames && oldest !== undefined) this.cache.delete(oldest);
  }
}

function colorsOf(bitmap: ImageBitmap): ImageData {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('The browser cannot read the colors of this image: no 2D canvas is available.');
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

export interface Shown {
  frame: Frame | null;
  index: number;
  failure: unknown;
}

/** The frame to show. The previous frame stays until the next one is loaded. */
export function useFrame(path: string, query: Query, index: number): { frames: Frames; shown: Shown } {
  const key = JSON.stringify([path, query]);
  const frames = useMemo(() => new Frames(path, query), [key]);
  const [shown, setShown] = useState<Shown & { owner: Frames | null }>({
    frame: null,
    index: 0,
    failure: null,
    owner: null,
  });
  useEffect(() => () => frames.dispose(), [frames]);
  useEffect(() => {
    let isCancelled = false;
    frames.get(index).then(
      frame => {
        if (!isCancelled) setShown({ frame, index, failure: null, owner: frames });
      },
      (failure: unknown) => {
        if (!isCancelled && !isAbort(failure)) setShown({ frame: null, index, failure, owner: frames });
      },
    );
    return () => {
      isCancelled = true;
    };
  }, [frames, index]);
  return { frames, shown: shown.owner === frames ? shown : { frame: null, index, failure: null } };
}
