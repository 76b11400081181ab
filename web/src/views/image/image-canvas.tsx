// The image canvas in a scrollable surface, with zoom at the pointer.

import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../text/visible';
import type { Frame } from './frames';
import { clampZoom, fitZoom, type Zoom } from './zoom';

export interface Pixel {
  x: number;
  y: number;
}

interface ImageCanvasProps {
  surface: RefObject<HTMLDivElement | null>;
  frame: Frame;
  zoom: Zoom;
  background: string;
  label: string;
  pixel: Pixel | null;
  onPixel(pixel: Pixel | null): void;
  onZoom(zoom: number): void;
}

export function ImageCanvas({ surface, frame, zoom, background, label, pixel, onPixel, onZoom }: ImageCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const anchor = useRef<{ x: number; y: number; left: number; top: number } | null>(null);
  const [, setSize] = useState('');
  const { width, height } = frame.bitmap;
  const scale = zoom === 'fit' ? fitZoom(surface.current, width, height) : zoom;

  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element) return;
    element.width = width;
    element.height = height;
    element.getContext('2d')?.putImageData(frame.colors, 0, 0);
  }, [frame]);

  useLayoutEffect(() => {
    const element = surface.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setSize(`${element.clientWidth} ${element.clientHeight}`));
    observer.observe(element);
    setSize(`${element.clientWidth} ${element.clientHeight}`);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = surface.current;
    const kept = anchor.current;
    anchor.current = null;
    const drawn = canvas.current;
    if (!element || !kept || !drawn) return;
    const box = drawn.getBoundingClientRect();
    element.scrollLeft += box.left + kept.x * scale - kept.left;
    element.scrollTop += box.top + kept.y * scale - kept.top;
  }, [scale]);

  const pixelAt = (event: { clientX: number; clientY: number }): Pixel | null => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box || box.width === 0) return null;
    const x = Math.floor(((event.clientX - box.left) / box.width) * width);
    const y = Math.floor(((event.clientY - box.top) / box.height) * height);
    return x >= 0 && y >= 0 && x < width && y < height ? { x, y } : null;
  };
  /** Zooms, keeping a point of the window fixed. */
  const zoomAt = (x: number, y: number, next: number) => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box) return;
    anchor.current = { x: (x - box.left) / scale, y: (y - box.top) / scale, left: x, top: y };
    onZoom(Number(clampZoom(next).toFixed(3)));
  };
  useEffect(() => {
    const element = surface.current;
    if (!element) return undefined;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      zoomAt(event.clientX, event.clientY, scale * Math.exp(-event.deltaY * 0.0018));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  });
  /** Active pointers, and the initial distance and zoom of a pinch. */
  const down = useRef(new Map<number, { x: number; y: number }>());
  const pinch = useRef<{ apart: number; scale: number } | null>(null);
  const release = (event: PointerEvent) => {
    down.current.delete(event.pointerId);
    pinch.current = null;
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = down.current.get(event.pointerId);
    const element = surface.current;
    if (!before || !element) return onPixel(pixelAt(event));
    down.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [a, b] = [...down.current.values()];
    if (a && b) {
      const apart = Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
      pinch.current ??= { apart, scale };
      zoomAt((a.x + b.x) / 2, (a.y + b.y) / 2, (pinch.current.scale * apart) / pinch.current.apart);
      return;
    }
    element.scrollLeft -= event.clientX - before.x;
    element.scrollTop -= event.clientY - before.y;
    onPixel(pixelAt(event));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const by = steps[event.key];
    if (!by || event.altKey) return;
    event.preventDefault();
    const from = pixel ?? { x: -by[0], y: -by[1] };
    onPixel({
      x: Math.max(0, Math.min(width - 1, from.x + by[0])),
      y: Math.max(0, Math.min(height - 1, from.y + by[1])),
    });
  };
  return (
    <div
      ref={surface}
      class={`scroll image-canvas is-${background}`}
      role="region"
      aria-label="Image"
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={event => {
        down.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onPointerMove={onPointerMove}
      onPointerLeave={() => onPixel(null)}
    >
      <div class="image-center">
        <div class="image-frame" style={{ width: `${width * scale}px`, height: `${height * scale}px` }}>
          <canvas ref={canvas} class={scale >= 1 ? 'is-crisp' : ''} role="img" aria-label={visible(label)} />
          {pixel && scale >= 3 && (
            <span
              class="pixel-mark"
              style={{
                left: `${pixel.x * scale}px`,
                top: `${pixel.y * scale}px`,
                width: `${scale}px`,
                height: `${scale}px`,
              }}
            />
          )}
        </div>
      </div>
    </div>
  );
}
