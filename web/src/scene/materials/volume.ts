// Shapes that the game never shows: collision and trigger boxes. They are transparent, with a polygon offset to avoid z-fighting with
// coplanar walls.

import { DoubleSide, LineBasicMaterial, MeshBasicMaterial } from 'three';

export function volume(color: number): MeshBasicMaterial {
  return new MeshBasicMaterial({
    color,
    transparent: true,
    opacity: 0.22,
    depthWrite: false,
    side: DoubleSide,
    forceSinglePass: true,
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -4,
  });
}

export function outline(color: number): LineBasicMaterial {
  return new LineBasicMaterial({ color, transparent: true, opacity: 0.9, depthWrite: false });
}
