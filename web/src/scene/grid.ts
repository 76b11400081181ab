// A meter grid on the ground. The spacing grows with the distance in powers of ten; the axes are X (red) and Z (blue).

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  LineBasicMaterial,
  LineSegments,
  type Scene,
  type Vector3,
} from 'three';
import type { Theme } from './types';

/** Number of cells from the center to each side. */
const CELLS = 20;

export class Grid {
  private readonly minor = lines(0.45);
  private readonly major = lines(0.8);
  private readonly axes: LineSegments<BufferGeometry, LineBasicMaterial>;
  /** Line spacing in meters. */
  spacing = 1;

  constructor(
    scene: Scene,
    /** Height of the ground. */
    public ground: number,
  ) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array([-1, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 1]), 3));
    const [red, blue] = [
      [0.85, 0.25, 0.25],
      [0.25, 0.45, 0.95],
    ] as const;
    geometry.setAttribute('color', new BufferAttribute(new Float32Array([...red, ...red, ...blue, ...blue]), 3));
    this.axes = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }));
    for (const it of this.all()) {
      it.frustumCulled = false;
      it.renderOrder = -1;
      scene.add(it);
    }
  }

  get visible(): boolean {
    return this.axes.visible;
  }

  set visible(on: boolean) {
    for (const it of this.all()) it.visible = on;
  }

  setTheme(theme: Theme): void {
    const color = new Color(theme === 'dark' ? 0x59626d : 0x9aa3ad);
    this.minor.material.color.copy(color);
    this.major.material.color.copy(color);
  }

  /** Adapts the spacing to the distance between camera and target. */
  update(target: Vector3, distance: number): void {
    const spacing = 10 ** Math.floor(Math.log10(Math.max(distance, 1e-6) / 4));
    this.spacing = spacing;
    // Slightly below the ground, to avoid z-fighting with floors.
    const y = this.ground - distance * 0.002;
    place(this.minor, target, spacing, y);
    place(this.major, target, spacing * 10, y);
    this.axes.scale.setScalar(spacing * 10 * CELLS);
    this.axes.position.set(0, y + distance * 0.0002, 0);
  }

  dispose(): void {
    for (const it of this.all()) {
      it.geometry.dispose();
      it.material.dispose();
    }
  }

  private all(): LineSegments<BufferGeometry, LineBasicMaterial>[] {
    return [this.minor, this.major, this.axes];
  }
}

function place(lines: LineSegments, target: Vector3, spacing: number, y: number): void {
  lines.scale.setScalar(spacing);
  // Snap to whole cells, so that lines do not move with the camera.
  const snap = (value: number): number => Math.round(value / spacing) * spacing;
  lines.position.set(snap(target.x), y, snap(target.z));
}

function lines(opacity: number): LineSegments<BufferGeometry, LineBasicMaterial> {
  const points: number[] = [];
  for (let i = -CELLS; i <= CELLS; i++) points.push(-CELLS, 0, i, CELLS, 0, i, i, 0, -CELLS, i, 0, CELLS);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  return new LineSegments(geometry, new LineBasicMaterial({ transparent: true, opacity, depthWrite: false }));
}
