// The canvas, and frames on demand: nothing is drawn while nothing changes.

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

// These games mix colors as they are on the screen, so no number is converted on its way there: see materials/display.ts.
ColorManagement.enabled = false;

/** Moves something by so many seconds. True asks for another frame. */
export type Ticker = (seconds: number) => boolean;

/** More pixels than this for each CSS pixel cost much and show little. */
const FINEST = 2;
const LONGEST_STEP = 0.1;
const KEPT_COSTS = 240;

export class Viewer {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(50, 1, 0.05, 1000);
  readonly background = new Color();
  private readonly tickers: Ticker[] = [];
  private readonly passes: (() => void)[] = [];
  private readonly costs = new Float32Array(KEPT_COSTS);
  private counted = 0;
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
    // Asking for errors waits for the driver, and these shaders are known.
    this.renderer.debug.checkShaderErrors = false;
    this.scene.background = this.background;
    this.scene.matrixWorldAutoUpdate = true;
  }

  /** Called in each frame, before it is drawn. */
  onTick(ticker: Ticker): void {
    this.tickers.push(ticker);
  }

  /** Called after the scene was drawn, to draw over it. */
  onDrawn(pass: () => void): void {
    this.passes.push(pass);
  }

  /** Asks for one frame. */
  request(): void {
    if (this.pending === 0 && !this.isDisposed) this.pending = requestAnimationFrame(this.frame);
  }

  /** Draws at once, for a picture that is read back in the same task. */
  draw(): void {
    if (this.isDisposed || this.renderer.getContext().isContextLost()) return;
    this.renderer.render(this.scene, this.camera);
    for (let i = 0; i < this.passes.length; i++) this.passes[i]?.();
  }

  resize(): void {
    const width = Math.max(1, this.surface.clientWidth);
    const height = Math.max(1, this.surface.clientHeight);
    const ratio = Math.min(window.devicePixelRatio || 1, FINEST);
    // To set the size clears the picture.
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
    this.paint();
  }

  /** What is behind everything in a world, as a display color; null for that of the page. */
  setBackdrop(color: readonly [number, number, number] | null): void {
    this.backdrop = color;
    this.paint();
  }

  private paint(): void {
    if (this.backdrop) this.background.setRGB(...this.backdrop);
    else this.background.set(this.theme === 'dark' ? 0x1b1f24 : 0xdfe3e8);
    this.request();
  }

  /** Milliseconds of script in the last frames, without drawing. */
  frameCost(): FrameCost {
    const frames = Math.min(this.counted, KEPT_COSTS);
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
    const seconds = this.last === 0 ? 0 : Math.min(Math.max(0, (now - this.last) / 1000), LONGEST_STEP);
    const start = performance.now();
    let goesOn = false;
    for (let i = 0; i < this.tickers.length; i++) {
      if (this.tickers[i]?.(seconds)) goesOn = true;
    }
    this.costs[this.counted % KEPT_COSTS] = performance.now() - start;
    this.counted++;
    this.draw();
    // After a pause time goes on from the next frame, not from the last.
    this.last = goesOn ? now : 0;
    if (goesOn) this.request();
  };
}
