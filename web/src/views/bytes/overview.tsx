// A map of the file: entropy, zero bytes and top-level fields.

import { useEffect, useRef, useState } from 'preact/hooks';
import { getJson, viewUrl } from '../../api/request';
import type { MapAnswer } from '../../api/types';
import { useRequest } from '../../api/use-request';
import { theme } from '../../state/theme';
import { hex } from '../../text/number';
import { visible } from '../../text/visible';

const BLOCKS = 256;

interface OverviewProps {
  path: string;
  length: number;
  offset: number;
  onGo(offset: number): void;
}

export function Overview({ path, length, offset, onGo }: OverviewProps) {
  const url = viewUrl(path, 'map', { blocks: BLOCKS });
  const answer = useRequest(url, signal => getJson<MapAnswer>(url, signal));
  const map = answer.state === 'ready' ? answer.value : null;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hover, setHover] = useState<number | null>(null);
  const [width, setWidth] = useState(0);
  const colors = theme.value;
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (canvas.current && map && width > 0) draw(canvas.current, map, width);
  }, [map, width, colors]);
  const at = (event: { clientX: number; currentTarget: HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(length - 1, Math.floor(((event.clientX - box.left) / box.width) * length)));
  };
  const shown = hover ?? offset;
  const region = map?.regions.find(other => shown >= other.start && shown < other.end);
  const block = map?.blocks.find(other => shown >= other.start && shown < other.end);
  const step = Math.max(1, Math.floor(length / BLOCKS));
  return (
    <div class="overview">
      <div
        class="overview-strip"
        role="slider"
        aria-label="Map of the file"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, length - 1)}
        aria-valuenow={offset}
        aria-valuetext={`offset 0x${hex(offset)}${region ? `, ${visible(region.path)}` : ''}`}
        tabIndex={0}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId);
          onGo(at(event));
        }}
        onPointerMove={event => {
          setHover(at(event));
          if (event.buttons === 1) onGo(at(event));
        }}
        onPointerLeave={() => setHover(null)}
        onKeyDown={event => {
          const moves: Record<string, number> = {
            ArrowRight: offset + step,
            ArrowLeft: offset - step,
            PageDown: offset + step * 16,
            PageUp: offset - step * 16,
            Home: 0,
            End: length - 1,
          };
          const move = moves[event.key];
          if (move === undefined || event.altKey) return;
          event.preventDefault();
          onGo(Math.max(0, Math.min(length - 1, move)));
        }}
      >
        <canvas ref={canvas} aria-hidden="true" />
        <span class="overview-mark" style={{ left: `${length > 0 ? (offset / length) * 100 : 0}%` }} />
      </div>
      <p class="overview-note mono faint ellipsis">
        {answer.state === 'failed' ? 'Cannot build the map of this file.' : `0x${hex(shown)}`}
        {region && `  ${visible(region.path)}`}
        {block &&
          `  entropy ${block.entropy.toFixed(2)}${block.zeros > 0 ? `, zeros ${Math.round(block.zeros * 100)} %` : ''}`}
      </p>
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, map: MapAnswer, width: number): void {
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  const context = canvas.getContext('2d');
  if (!context || map.total === 0) return;
  const style = getComputedStyle(canvas);
  const high = Math.round(canvas.height * 0.7);
  const x = (offset: number) => (offset / map.total) * canvas.width;
  const accent = style.getPropertyValue('--accent');
  for (const block of map.blocks) {
    const left = x(block.start);
    const right = Math.max(left + 1, x(block.end));
    context.globalAlpha = 0.12 + 0.88 * block.entropy * (1 - block.zeros);
    context.fillStyle = accent;
    const tall = Math.max(2, high * Math.max(block.entropy, 0.05));
    context.fillRect(left, high - tall, right - left, tall);
  }
  context.globalAlpha = 1;
  for (const [index, region] of map.regions.entries()) {
    const left = x(region.start);
    const right = x(region.end);
    context.fillStyle = style.getPropertyValue(`--byte-${index % 8}`);
    context.fillRect(left, high + 3, Math.max(1, right - left - (right - left > 4 ? 1 : 0)), canvas.height - high - 3);
  }
}
