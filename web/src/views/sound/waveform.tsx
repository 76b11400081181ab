// The waveform of a sound; clicks and arrow keys seek.

import { useEffect, useRef, useState } from 'preact/hooks';
import { theme } from '../../state/theme';
import { clock } from '../../text/number';
import type { Player } from './player';
import { peaks } from './wav';

export function Waveform({ player }: { player: Player }) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const colors = theme.value;
  const position = player.position.value;
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (canvas.current && size.width > 0) draw(canvas.current, size, player);
  }, [size, player, colors]);
  const { duration } = player;
  const share = duration > 0 ? (position / duration) * 100 : 0;
  const seek = (event: PointerEvent) => {
    const box = host.current?.getBoundingClientRect();
    if (box && box.width > 0) player.seek(((event.clientX - box.left) / box.width) * duration);
  };
  return (
    <div
      ref={host}
      class="waveform"
      role="slider"
      aria-label="Position"
      aria-valuemin={0}
      aria-valuemax={Number(duration.toFixed(2))}
      aria-valuenow={Number(position.toFixed(2))}
      aria-valuetext={`${clock(position)} of ${clock(duration)}`}
      tabIndex={0}
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seek(event);
      }}
      onPointerMove={event => {
        if (event.buttons === 1) seek(event);
      }}
      onKeyDown={event => {
        const moves: Record<string, number> = {
          ArrowRight: position + 1,
          ArrowLeft: position - 1,
          Home: 0,
          End: duration,
        };
        const move = moves[event.key];
        if (move === undefined || event.altKey) return;
        event.preventDefault();
        player.seek(move);
      }}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <span class="playhead" style={{ left: `${share}%` }} />
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, size: { width: number; height: number }, player: Player): void {
  const ratio = devicePixelRatio;
  canvas.width = Math.round(size.width * ratio);
  canvas.height = Math.round(size.height * ratio);
  const context = canvas.getContext('2d');
  if (!context) return;
  const style = getComputedStyle(canvas);
  const { width, height } = canvas;
  const middle = height / 2;
  const { loop, buffer } = player.sound;
  if (loop) {
    context.fillStyle = style.getPropertyValue('--accent-soft');
    const left = (loop.start / buffer.duration) * width;
    context.fillRect(left, 0, ((loop.end - loop.start) / buffer.duration) * width, height);
  }
  const { low, high } = peaks(buffer, width);
  context.fillStyle = style.getPropertyValue('--accent');
  for (let column = 0; column < width; column++) {
    const top = middle - (high[column] ?? 0) * (middle - 4);
    const bottom = middle - (low[column] ?? 0) * (middle - 4);
    context.fillRect(column, top, 1, Math.max(1, bottom - top));
  }
  if (!loop) return;
  context.fillStyle = style.getPropertyValue('--warning');
  for (const edge of [loop.start, loop.end])
    context.fillRect(Math.min(width - 2, (edge / buffer.duration) * width), 0, Math.max(1, ratio), height);
}
