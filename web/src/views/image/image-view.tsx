// An image view with zoom, frames, palette and pixel inspection.

import { useEffect, useRef, useState } from 'preact/hooks';
import { choices } from '../../state/options';
import { patch, route } from '../../state/route';
import { Icon } from '../../ui/icon';
import { Segments } from '../../ui/segments';
import { Failure, Loading } from '../../ui/state';
import { PaletteChoice } from '../palette-choice';
import type { ViewProps } from '../view-panel';
import { useFrame } from './frames';
import { ImageCanvas, type Pixel } from './image-canvas';
import { Palette, usePixels } from './palette';
import { PixelLine } from './pixel-line';
import { clampZoom, fitZoom, stepZoom, type Zoom } from './zoom';

export function ImageView({ asset, item }: ViewProps) {
  const { query } = route.value;
  const index = Math.max(0, Number(query.frame ?? 0) || 0);
  const imageQuery = { item, ...choices.value };
  const { frames, shown } = useFrame(asset.path, imageQuery, index);
  const pixels = usePixels(asset.path, { ...imageQuery, frame: index === 0 ? null : index }, shown.frame !== null);
  const [pixel, setPixel] = useState<Pixel | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const surface = useRef<HTMLDivElement>(null);
  const requestedZoom = query.zoom;
  const zoom: Zoom = requestedZoom === undefined ? 'fit' : clampZoom(Number(requestedZoom));
  const background = query.behind ?? 'checker';
  const showFrame = (next: number) => patch({ frame: next === 0 ? null : String(next) });

  useEffect(() => {
    if (!isPlaying || shown.index !== index || !shown.frame) return undefined;
    const timer = setTimeout(() => showFrame((index + 1) % frames.count), frames.delays[index] ?? 100);
    void frames.get((index + 1) % frames.count).catch(() => undefined);
    return () => clearTimeout(timer);
  }, [isPlaying, shown.index, shown.frame, index]);

  if (shown.failure !== null) return <Failure reason={shown.failure} retry={() => patch({ frame: null })} />;
  if (!shown.frame) return <Loading what="Reading the image…" />;
  const { width, height } = shown.frame.bitmap;
  const scale = zoom === 'fit' ? fitZoom(surface.current, width, height) : zoom;
  const setZoom = (next: Zoom) => patch({ zoom: next === 'fit' ? null : String(next) });
  const stepFrame = (by: number) => {
    setPlaying(false);
    showFrame((index + by + frames.count) % frames.count);
  };
  const keys: Record<string, () => void> = {
    '+': () => setZoom(stepZoom(scale, 1)),
    '=': () => setZoom(stepZoom(scale, 1)),
    '-': () => setZoom(stepZoom(scale, -1)),
    '0': () => setZoom(zoom === 'fit' ? 1 : 'fit'),
    ' ': () => setPlaying(!isPlaying && frames.count > 1),
    ',': () => stepFrame(-1),
    '.': () => stepFrame(1),
  };
  return (
    <div
      class="is-filled"
      onKeyDown={event => {
        const act = keys[event.key];
        if (
          !act ||
          event.ctrlKey ||
          event.altKey ||
          event.metaKey ||
          event.target instanceof HTMLButtonElement ||
          event.target instanceof HTMLInputElement
        )
          return;
        event.preventDefault();
        act();
      }}
    >
      <div class="toolbar">
        <div class="group" role="group" aria-label="Zoom">
          <button
            type="button"
            class="button is-plain"
            aria-label="Zoom out"
            onClick={() => setZoom(stepZoom(scale, -1))}
          >
            <Icon name="minus" />
          </button>
          <output class="zoom mono" aria-label="Zoom level">
            {Math.round(scale * 100)} %
          </output>
          <button
            type="button"
            class="button is-plain"
            aria-label="Zoom in"
            onClick={() => setZoom(stepZoom(scale, 1))}
          >
            <Icon name="plus" />
          </button>
          <button
            type="button"
            class="button is-plain"
            aria-label="Fit"
            title="Fit (0)"
            aria-pressed={zoom === 'fit'}
            onClick={() => setZoom('fit')}
          >
            <Icon name="fit" />
          </button>
          <button
            type="button"
            class="button is-plain"
            title="Actual size (0)"
            aria-pressed={zoom === 1}
            onClick={() => setZoom(1)}
          >
            1:1
          </button>
        </div>
        <Segments
          label="Background"
          value={background}
          choices={[
            { value: 'checker', label: 'Checkerboard' },
            { value: 'dark', label: 'Black' },
            { value: 'light', label: 'White' },
          ]}
          onChange={value => patch({ behind: value === 'checker' ? null : value })}
        />
        {frames.count > 1 && (
          <div class="group" role="group" aria-label="Frames">
            <button type="button" class="button is-plain" aria-label="Previous frame" onClick={() => stepFrame(-1)}>
              <Icon name="previous" />
            </button>
            <button
              type="button"
              class="button is-plain"
              aria-label={isPlaying ? 'Pause' : 'Play'}
              onClick={() => setPlaying(!isPlaying)}
            >
              <Icon name={isPlaying ? 'pause' : 'play'} />
            </button>
            <button type="button" class="button is-plain" aria-label="Next frame" onClick={() => stepFrame(1)}>
              <Icon name="next" />
            </button>
            <input
              type="range"
              aria-label="Frame"
              min={0}
              max={frames.count - 1}
              value={index}
              onInput={event => {
                setPlaying(false);
                showFrame(Number(event.currentTarget.value));
              }}
            />
            <span class="mono faint">
              {index + 1} / {frames.count}
            </span>
          </div>
        )}
        <PaletteChoice asset={asset} />
        <span class="toolbar-end faint mono">
          {width} × {height}
        </span>
      </div>
      <ImageCanvas
        surface={surface}
        frame={shown.frame}
        zoom={zoom}
        background={background}
        label={`${asset.name}, ${width} by ${height} pixels`}
        pixel={pixel}
        onPixel={setPixel}
        onZoom={setZoom}
      />
      <div class="statusbar">
        <PixelLine colors={shown.frame.colors} pixel={pixel} pixels={pixels} />
      </div>
      {pixels?.palette && <Palette pixels={pixels} pixel={pixel} />}
    </div>
  );
}
