// Zoom factors: screen pixels per image pixel.

export type Zoom = 'fit' | number;

const STEPS = [0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48];
const MARGIN = 32;
/** Maximum zoom for fitting small images. */
const MAX_FIT = 8;

export function clampZoom(zoom: number): number {
  return Number.isFinite(zoom) && zoom > 0 ? Math.max(0.05, Math.min(64, zoom)) : 1;
}

export function stepZoom(zoom: number, by: 1 | -1): number {
  const next = by > 0 ? STEPS.find(step => step > zoom * 1.001) : STEPS.findLast(step => step < zoom * 0.999);
  return next ?? zoom;
}

/** The largest zoom at which the image fits; an integer when enlarging, so that pixels stay square. */
export function fitZoom(surface: HTMLElement | null, width: number, height: number): number {
  if (!surface || width === 0 || height === 0) return 1;
  const fit = Math.min((surface.clientWidth - MARGIN) / width, (surface.clientHeight - MARGIN) / height);
  return fit >= 1 ? Math.min(MAX_FIT, Math.floor(fit)) : clampZoom(fit);
}
