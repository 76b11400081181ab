// Measures the distance between two clicked points.

import {
  BufferAttribute,
  BufferGeometry,
  LineBasicMaterial,
  LineSegments,
  Points,
  PointsMaterial,
  type Scene,
  type Vector3,
} from 'three';
import { meters } from './units';

export class Measure {
  isOn = false;
  private readonly ends: Vector3[] = [];
  private readonly line: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly dots: Points<BufferGeometry, PointsMaterial>;

  constructor(
    scene: Scene,
    private readonly units: number | null,
  ) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(6), 3));
    this.line = new LineSegments(
      geometry,
      new LineBasicMaterial({ color: 0xffe14d, depthTest: false, transparent: true }),
    );
    this.dots = new Points(
      geometry,
      new PointsMaterial({ color: 0xffe14d, size: 7, sizeAttenuation: false, depthTest: false, transparent: true }),
    );
    for (const it of [this.line, this.dots]) {
      it.frustumCulled = false;
      it.renderOrder = 4;
      scene.add(it);
    }
    this.draw();
  }

  setActive(on: boolean): void {
    this.isOn = on;
    this.ends.length = 0;
    this.draw();
  }

  /** Adds a point and returns the message to show. */
  add(point: Vector3): string {
    if (this.ends.length === 2) this.ends.length = 0;
    this.ends.push(point.clone());
    this.draw();
    const [a, b] = this.ends;
    if (!a || !b) return 'Click the second point.';
    const length = a.distanceTo(b);
    const [x, y, z] = [b.x - a.x, b.y - a.y, b.z - a.z].map(it => meters(Math.abs(it)));
    const inGame = this.units === null ? '' : ` (${(length * this.units).toPrecision(5)} game units)`;
    return `${meters(length)}${inGame}; X ${x}, Y ${y}, Z ${z}`;
  }

  dispose(): void {
    this.line.geometry.dispose();
    this.line.material.dispose();
    this.dots.material.dispose();
  }

  private draw(): void {
    const position = this.line.geometry.getAttribute('position') as BufferAttribute;
    this.ends.forEach((end, i) => {
      position.setXYZ(i, end.x, end.y, end.z);
    });
    position.needsUpdate = true;
    this.line.visible = this.ends.length === 2;
    this.dots.visible = this.ends.length > 0;
    this.line.geometry.setDrawRange(0, this.ends.length);
  }
}
