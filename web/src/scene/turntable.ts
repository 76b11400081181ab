// Records a turntable of the scene as a GIF or a video.

import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import { type Box3, Sphere, WebGLRenderTarget } from 'three';
import type { Rig } from './camera';
import type { Player } from './clips';
import { download } from './dom';
import type { Grid } from './grid';
import type { Viewer } from './viewer';

const FRAMES = 60;
const FRAME_MS = 50;
/** The longer side of a GIF in pixels. */
const MAX_SIZE = 480;
const VIDEO_TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

type Progress = (part: number) => void;

export class Turntable {
  constructor(
    private readonly viewer: Viewer,
    private readonly rig: Rig,
    private readonly player: Player,
    private readonly box: Box3,
    private readonly grid: Grid,
  ) {}

  /** Saves a GIF, unless the signal is aborted. */
  async gif(name: string, signal: AbortSignal, progress: Progress): Promise<void> {
    const { renderer, camera } = this.viewer;
    const factor = MAX_SIZE / Math.max(renderer.domElement.width, renderer.domElement.height, 1);
    const [width, height] = [renderer.domElement.width, renderer.domElement.height].map(it =>
      Math.max(1, Math.round(it * factor)),
    ) as [number, number];
    const target = new WebGLRenderTarget(width, height, { samples: 4 });
    const pixels = new Uint8Array(width * height * 4);
    const upright = new Uint8Array(pixels.length);
    const encoder = GIFEncoder();
    const restore = this.prepare();
    try {
      for (let i = 0; i < FRAMES && !signal.aborted; i++) {
        this.step();
        renderer.setRenderTarget(target);
        renderer.render(this.viewer.scene, camera);
        renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
        renderer.setRenderTarget(null);
        flipRows(pixels, upright, width, height);
        const palette = quantize(upright, 256);
        encoder.writeFrame(applyPalette(upright, palette), width, height, { palette, delay: FRAME_MS });
        progress((i + 1) / FRAMES);
        await nextTask();
      }
    } finally {
      renderer.setRenderTarget(null);
      target.dispose();
      restore();
    }
    if (signal.aborted) return;
    encoder.finish();
    download(new Blob([encoder.bytes()], { type: 'image/gif' }), `${name}.gif`);
  }

  /** Saves a video of the canvas, unless the signal is aborted. */
  async video(name: string, signal: AbortSignal, progress: Progress): Promise<void> {
    const type = VIDEO_TYPES.find(it => typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported(it));
    if (!type) throw new Error('This browser cannot record video. Save a GIF instead.');
    const stream = this.viewer.canvas.captureStream(1000 / FRAME_MS);
    const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 6_000_000 });
    const chunks: Blob[] = [];
    recorder.addEventListener('dataavailable', event => chunks.push(event.data));
    const stopped = new Promise(done => recorder.addEventListener('stop', done, { once: true }));
    const restore = this.prepare();
    recorder.start();
    for (let i = 0; i < FRAMES && !signal.aborted; i++) {
      this.step();
      this.viewer.draw();
      progress((i + 1) / FRAMES);
      await new Promise(done => setTimeout(done, FRAME_MS));
    }
    recorder.stop();
    await stopped;
    for (const track of stream.getTracks()) track.stop();
    restore();
    if (signal.aborted) return;
    const [kind = 'video/webm'] = type.split(';');
    download(new Blob(chunks, { type: kind }), `${name}.${kind === 'video/mp4' ? 'mp4' : 'webm'}`);
  }

  /** Targets the center of the scene, unless the camera targets something far from it. Returns a function that restores the view. */
  private prepare(): () => void {
    const { rig, grid } = this;
    const before = rig.view();
    const hadGrid = grid.visible;
    const { center, radius } = this.box.getBoundingSphere(new Sphere());
    if (!this.box.isEmpty() && before.target.distanceTo(center) < radius / 2) {
      const offset = before.eye.clone().sub(before.target);
      rig.goTo({ eye: center.clone().add(offset), target: center }, 'instant');
    }
    grid.visible = false;
    this.player.isRecording = true;
    return () => {
      this.player.isRecording = false;
      grid.visible = hadGrid;
      rig.goTo(before, 'instant');
    };
  }

  /** Advances the camera and the playing clip by one frame. */
  private step(): void {
    this.rig.turn((Math.PI * 2) / FRAMES);
    this.player.advance(FRAME_MS / 1000);
    this.viewer.camera.updateMatrixWorld();
  }
}

/** Flips the rows, because WebGL reads from the bottom row up. */
function flipRows(from: Uint8Array, to: Uint8Array, width: number, height: number): void {
  for (let y = 0; y < height; y++) {
    to.set(from.subarray(y * width * 4, (y + 1) * width * 4), (height - 1 - y) * width * 4);
  }
}

function nextTask(): Promise<void> {
  return new Promise(done => setTimeout(done));
}
