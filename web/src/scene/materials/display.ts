// Color values as the games compute with them.
//
// Direct3D 7, Glide and the software renderers of these games multiply, light, filter and blend display (gamma-encoded) values. glTF stores
// its factors for linear light instead. So textures are used without conversion, factors are converted to display values once, and shaders
// compute as the game did. For products this equals glTF within the difference of the sRGB curve and a power of 2.2.

import { BufferAttribute, type BufferGeometry } from 'three';

/** Converts linear light to a display value with the sRGB curve of IEC 61966-2-1. */
export function toDisplay(linear: number): number {
  if (linear <= 0.0031308) return Math.max(0, linear) * 12.92;
  return 1.055 * linear ** (1 / 2.4) - 0.055;
}

/** Converts a linear light factor, which may be above 1, to a factor of display values: 2 on the screen is 2^2.2 in linear light. */
export function factorToDisplay(linear: number): number {
  return linear ** (1 / 2.2);
}

const done = new WeakSet<object>();

/** Converts COLOR_0 to display values. Geometries share attributes, so each attribute is converted once. */
export function colorsToDisplay(geometry: BufferGeometry): void {
  const colors = geometry.getAttribute('color');
  if (!colors || done.has(colors)) return;
  const size = colors.itemSize;
  const values = new Float32Array(colors.count * size);
  for (let i = 0; i < colors.count; i++) {
    for (let c = 0; c < size; c++) {
      const value = colors.getComponent(i, c);
      values[i * size + c] = c < 3 ? toDisplay(value) : value;
    }
  }
  const converted = new BufferAttribute(values, size);
  done.add(converted);
  geometry.setAttribute('color', converted);
}
