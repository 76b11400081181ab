// Icons for nodes without geometry.

import { CanvasTexture, NoColorSpace, type Texture } from 'three';

const SIDE = 64;

type Draw = (context: CanvasRenderingContext2D) => void;

const sun: Draw = context => {
  context.arc(32, 32, 11, 0, 7);
  for (let i = 0; i < 8; i++) {
    const [x, y] = [Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4)];
    context.moveTo(32 + 17 * x, 32 + 17 * y);
    context.lineTo(32 + 26 * x, 32 + 26 * y);
  }
};

const speaker: Draw = context => {
  context.moveTo(12, 25);
  context.lineTo(22, 25);
  context.lineTo(34, 13);
  context.lineTo(34, 51);
  context.lineTo(22, 39);
  context.lineTo(12, 39);
  context.closePath();
  context.moveTo(42, 22);
  context.arc(32, 32, 14, -0.8, 0.8);
  context.moveTo(49, 15);
  context.arc(32, 32, 24, -0.8, 0.8);
};

const diamond: Draw = context => {
  context.moveTo(32, 12);
  context.lineTo(50, 32);
  context.lineTo(32, 52);
  context.lineTo(14, 32);
  context.closePath();
};

const flag: Draw = context => {
  context.moveTo(20, 54);
  context.lineTo(20, 10);
  context.lineTo(48, 20);
  context.lineTo(20, 32);
};

const frame: Draw = context => {
  context.rect(10, 16, 44, 32);
};

const person: Draw = context => {
  context.arc(32, 17, 8, 0, 7);
  context.moveTo(18, 54);
  context.lineTo(32, 30);
  context.lineTo(46, 54);
  context.closePath();
};

const dot: Draw = context => {
  context.arc(32, 32, 12, 0, 7);
};

export const ring: Draw = context => {
  context.arc(32, 32, 24, 0, 7);
};

const OF_LAYER: Record<string, Draw> = {
  lights: sun,
  sounds: speaker,
  waypoints: diamond,
  markers: flag,
  screens: frame,
  starts: person,
};

export function iconOf(layer: string): Texture {
  return icon(OF_LAYER[layer] ?? dot);
}

/** Draws an icon in white, to be tinted by vertex colors, with a dark outline for contrast. */
export function icon(draw: Draw): Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext('2d');
  if (context) {
    context.lineJoin = context.lineCap = 'round';
    for (const [color, width] of [
      ['#101010', 12],
      ['#ffffff', 5],
    ] as const) {
      context.beginPath();
      draw(context);
      context.strokeStyle = color;
      context.lineWidth = width;
      context.stroke();
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = NoColorSpace;
  return texture;
}
