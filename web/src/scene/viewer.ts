// The canvas with on-demand rendering: frames are drawn only when something changes.

import {
  Color,
  ColorManagement,
  LinearSRGBColorSpace,
  NoToneMapping,
  PerspectiveCamera,
  Scene,
  WebGLRenderer,
} from 'three';
import type { FrameCost, Theme } from './types';

// These games compute with display values, so no color is converted; see materials/display.ts.
ColorManagement.enabled = false;

/** Advances an animation by a number of seconds. Returns whether it needs another frame. */
export type Ticker = (seconds: number) => boolean;

/** Maximum ratio of device pixels to CSS pixels; a higher resolution is slow and hardly visible. */
const MAX_PIXEL_RATIO = 2;
const MAX_STEP_SECONDS = 0.1;
const COST_SAMPLES = 240;

export class Viewer {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(50, 1, 0.05, 1000);
  readonly background = new Color();
  private readonly tickers: Ticker[] = [];
  private readonly passes: (() => void)[] = [];
  private readonly costs = new Float32Array(COST_SAMPLES);
  private frameCount = 0;
  private pending = 0;
  private last = 0;
  private theme: Theme = 'dark';
  private backdrop: readonly [number, number, number] | null = null;
  private isDisposed = false;
  private width = 0;
  private height = 0;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly surface: HTMLElement,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.toneMapping = NoToneMapping;
    // Checking for errors blocks on the driver, and these shaders are tested.
    this.renderer.debug.checkShaderErrors = false;
    this.scene.background = this.background;
    this.scene.matrixWorldAutoUpdate = true;
  }

  /** Registers a callback for each frame, called before it is drawn. */
  onTick(ticker: Ticker): void {
    this.tickers.push(ticker);
  }

  /** Registers a callback that draws over the scene. */
  onDrawn(pass: () => void): void {
    this.passes.push(pass);
  }

  /** Requests one frame. */
  request(): void {
    if (this.pending === 0 && !this.isDisposed) this.pending = requestAnimationFrame(this.frame);
  }

  /** Draws immediately, for reading pixels back in the same task. */
  draw(): void {
    if (this.isDisposed || this.renderer.getContext().isContextLost()) return;
    this.renderer.render(this.scene, this.camera);
    for (let i = 0; i < this.passes.length; i++) this.passes[i]?.();
  }

  resize(): void {
    const width = Math.max(1, this.surface.clientWidth);
    const height = Math.max(1, this.surface.clientHeight);
    const ratio = Math.min(window.devicePixelRatio || 1, MAX_PIXEL_RATIO);
    // Setting the size clears the canvas.
    if (this.width === width && this.height === height && this.renderer.getPixelRatio() === ratio) return;
    this.width = width;
    this.height = height;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.request();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.updateBackground();
  }

  /** Sets the background as a display color; null for the page's color. */
  setBackdrop(color: readonly [number, number, number] | null): void {
    this.backdrop = color;
    this.updateBackground();
  }

  private updateBackground(): void {
    if (this.backdrop) this.background.setRGB(...this.backdrop);
    else this.background.set(this.theme === 'dark' ? 0x1b1f24 : 0xdfe3e8);
    this.request();
  }

  /** Script time of recent frames in milliseconds, without rendering. */
  frameCost(): FrameCost {
    const frames = Math.min(this.frameCount, COST_SAMPLES);
    const sorted = this.costs.slice(0, frames).sort();
    const sum = sorted.reduce((total, cost) => total + cost, 0);
    const at = (part: number): number => sorted[Math.min(frames - 1, Math.floor(frames * part))] ?? 0;
    return { frames, mean: frames > 0 ? sum / frames : 0, p95: at(0.95), worst: at(1) };
  }

  dispose(): void {
    this.isDisposed = true;
    cancelAnimationFrame(this.pending);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  private readonly frame = (now: number): void => {
    this.pending = 0;
    const seconds = this.last === 0 ? 0 : Math.min(Math.max(0, (now - this.last) / 1000), MAX_STEP_SECONDS);
    const start = performance.now();
    let needsFrame = false;
    for (let i = 0; i < this.tickers.length; i++) {
      if (this.tickers[i]?.(seconds)) needsFrame = true;
    }
    this.costs[this.frameCount % COST_SAMPLES] = performance.now() - start;
    this.frameCount++;
    this.draw();
    // After a pause, time resumes at the next frame.
    this.last = needsFrame ? now : 0;
    if (needsFrame) this.request();
  };
}
