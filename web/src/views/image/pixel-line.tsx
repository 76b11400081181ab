// Coordinates, color and palette index of the pixel under the pointer.

import { hex } from '../../text/number';
import type { Pixel } from './image-canvas';
import { type IndexedPixels, indexAt } from './palette';

interface PixelLineProps {
  colors: ImageData;
  pixel: Pixel | null;
  pixels: IndexedPixels | null;
}

export function PixelLine({ colors, pixel, pixels }: PixelLineProps) {
  if (!pixel) return <span class="faint">Point at a pixel to see its color.</span>;
  const at = (pixel.y * colors.width + pixel.x) * 4;
  const [red = 0, green = 0, blue = 0, alpha = 0] = colors.data.subarray(at, at + 4);
  const color = `#${hex(red, 2)}${hex(green, 2)}${hex(blue, 2)}`.toLowerCase();
  const index = indexAt(pixels, pixel);
  return (
    <span class="pixel-line mono" role="status">
      <span>
        {pixel.x}, {pixel.y}
      </span>
      <span class="swatch" style={{ backgroundColor: alpha === 0 ? 'transparent' : color }} />
      <span>{color}</span>
      <span class="faint">
        {red} {green} {blue}
        {alpha < 255 ? `, alpha ${alpha}` : ''}
      </span>
      {index !== null && <span>index {index}</span>}
    </span>
  );
}
