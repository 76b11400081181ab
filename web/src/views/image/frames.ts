// The frames of an image, decoded once and kept while the image is open.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { getBuffer, isAbort, type Query, viewAddress } from '../../api/request';

export interface Frame {
  bitmap: ImageBitmap;
  colors: ImageData;
}

/** Decoded pixels beyond this are let go, the oldest frame first. */
const KEPT_PIXELS = 24_000_000;

export class Frames {
  count = 1;
  /** Milliseconds of each frame; empty for a still image. */
  delays: readonly number[] = [];
  private readonly kept = new Map<number, Promise<Frame>>();
  private readonly controller = new AbortController();

  constructor(
    private readonly path: string,
    private readonly query: Query,
  ) {}

  get(frame: number): Promise<Frame> {
    let asked = this.kept.get(frame);
    if (!asked) {
      asked = this.load(frame);
      asked.catch(() => this.kept.delete(frame));
      this.kept.set(frame, asked);
    }
    return asked;
  }

  dispose(): void {
    this.controller.abort();
    for (const frame of this.kept.values())
      frame.then(
        ({ bitmap }) => bitmap.close(),
        () => undefined,
      );
    this.kept.clear();
  }

  private async load(frame: number): Promise<Frame> {
    const url = viewAddress(this.path, 'image', { ...this.query, frame: frame === 0 ? null : frame });
    const { buffer, headers } = await getBuffer(url, this.controller.signal);
    this.count = Math.max(1, Number(headers.get('Antiquary-Frames') ?? 1) || 1);
    const delays = headers.get('Antiquary-Delays') ?? '';
    this.delays = delays === '' ? [] : delays.split(',').map(part => Number(part) || 100);
    const bitmap = await createImageBitmap(new Blob([buffer], { type: 'image/png' }), {
      premultiplyAlpha: 'none',
      colorSpaceConversion: 'none',
    });
    this.forget(bitmap.width * bitmap.height);
    return { bitmap, colors: colorsOf(bitmap) };
  }

  private forget(pixels: number): void {
    const most = Math.max(4, Math.floor(KEPT_PIXELS / Math.max(1, pixels)));
    const [oldest] = this.kept.keys();
    if (this.kept.size > most && oldest !== undefined) this.kept.delete(oldest);
  }
}

function colorsOf(bitmap: ImageBitmap): ImageData {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('The browser has no canvas to read the colors of this image.');
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

export interface Shown {
  frame: Frame | null;
  index: number;
  failure: unknown;
}

/** The frame to show. The one before stays until the next is there. */
export function useFrame(path: string, query: Query, index: number): { frames: Frames; shown: Shown } {
  const key = JSON.stringify([path, query]);
  const frames = useMemo(() => new Frames(path, query), [key]);
  const [shown, setShown] = useState<Shown & { of: Frames | null }>({ frame: null, index: 0, failure: null, of: null });
  useEffect(() => () => frames.dispose(), [frames]);
  useEffect(() => {
    let left = false;
    frames.get(index).then(
      frame => {
        if (!left) setShown({ frame, index, failure: null, of: frames });
      },
      (failure: unknown) => {
        if (!left && !isAbort(failure)) setShown({ frame: null, index, failure, of: frames });
      },
    );
    return () => {
      left = true;
    };
  }, [frames, index]);
  return { frames, shown: shown.of === frames ? shown : { frame: null, index, failure: null } };
}
