// Bounding boxes of all drawn objects, as lines.

import { Box3, BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, type Scene } from 'three';
import { boxOf } from './framing';
import { isShown, type Part } from './objects';

/** Pairs of corner indices. The bits of a corner index select the maximum: 1 for X, 2 for Y, 4 for Z. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

export class Boxes {
  private readonly lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0xe8a33d }));
  private readonly box = new Box3();

  constructor(
    scene: Scene,
    private readonly parts: readonly Part[],
  ) {
    this.lines.visible = false;
    this.lines.frustumCulled = false;
    scene.add(this.lines);
  }

  show(on: boolean): void {
    this.lines.visible = on;
    if (on) this.measure();
  }

  /** Updates the boxes after objects have moved. */
  measure(): void {
    if (!this.lines.visible) return;
    const points = new Float32Array(this.parts.length * EDGES.length * 3);
    let at = 0;
    for (const { mesh } of this.parts) {
      if (!isShown(mesh)) continue;
      this.box.copy(boxOf([{ mesh }]));
      if (this.box.isEmpty()) continue;
      const { min, max } = this.box;
      for (const corner of EDGES) {
        points[at++] = corner & 1 ? max.x : min.x;
        points[at++] = corner & 2 ? max.y : min.y;
        points[at++] = corner & 4 ? max.z : min.z;
      }
    }
    const { geometry } = this.lines;
    geometry.setAttribute('position', new BufferAttribute(points, 3));
    geometry.setDrawRange(0, at / 3);
  }

  dispose(): void {
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }
}
