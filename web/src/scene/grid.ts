// A grid of meters on the ground. Its fields grow with the distance, by tens, and the axes are X (red) and Z (blue).

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

/** Fields from the middle to each side. */
const FIELDS = 20;

export class Grid {
  private readonly minor = lines(0.45);
  private readonly major = lines(0.8);
  private readonly axes: LineSegments<BufferGeometry, LineBasicMaterial>;
  /** Meters from line to line. */
  spacing = 1;

  constructor(
    scene: Scene,
    /** How high the ground is. */
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

  /** Fits the fields to how far one is from what one looks at. */
  update(target: Vector3, distance: number): void {
    const spacing = 10 ** Math.floor(Math.log10(Math.max(distance, 1e-6) / 4));
    this.spacing = spacing;
    // A little below the ground, so that it does not flicker through floors.
    const y = this.ground - distance * 0.002;
    place(this.minor, target, spacing, y);
    place(this.major, target, spacing * 10, y);
    this.axes.scale.setScalar(spacing * 10 * FIELDS);
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
  // Whole fields, so that lines stay where they are while one moves.
  const whole = (value: number): number => Math.round(value / spacing) * spacing;
  lines.position.set(whole(target.x), y, whole(target.z));
}

function lines(opacity: number): LineSegments<BufferGeometry, LineBasicMaterial> {
  const points: number[] = [];
  for (let i = -FIELDS; i <= FIELDS; i++) points.push(-FIELDS, 0, i, FIELDS, 0, i, i, 0, -FIELDS, i, 0, FIELDS);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  return new LineSegments(geometry, new LineBasicMaterial({ transparent: true, opacity, depthWrite: false }));
}
