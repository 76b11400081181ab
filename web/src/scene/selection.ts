// The selection: shown with an outline, and looked up by field path.

import { Box3, BufferAttribute, BufferGeometry, Points, PointsMaterial, type Scene, Vector3 } from 'three';
import { boxOf } from './framing';
import { icon, ring } from './icons';
import { fieldOf, type Item, type Part, type SceneIndex } from './objects';
import type { Outline } from './outline';

/** Box size of a node without geometry, in meters. */
const MARKER_SIZE = 0.6;

export class Selection {
  items: readonly Item[] = [];
  private readonly marks: Points<BufferGeometry, PointsMaterial>;

  constructor(
    scene: Scene,
    private readonly index: SceneIndex,
    private readonly outline: Outline,
  ) {
    const material = new PointsMaterial({
      size: 34,
      sizeAttenuation: false,
      map: icon(ring),
      color: 0xffb020,
      transparent: true,
      alphaTest: 0.05,
      depthTest: false,
    });
    this.marks = new Points(new BufferGeometry(), material);
    this.marks.visible = false;
    this.marks.frustumCulled = false;
    this.marks.renderOrder = 3;
    scene.add(this.marks);
  }

  show(items: readonly Item[]): void {
    this.items = items;
    const parts = this.partsOf(items);
    this.outline.show(parts.map(part => part.mesh));
    const without = items.filter(item => !parts.some(part => isBelow(part.item, item)));
    const at = new Vector3();
    const positions = new Float32Array(without.length * 3);
    without.forEach((item, i) => {
      item.object.getWorldPosition(at).toArray(positions, i * 3);
    });
    this.marks.geometry.setAttribute('position', new BufferAttribute(positions, 3));
    this.marks.visible = without.length > 0;
  }

  /** The bounding box of the selection; null if it is empty. */
  box(): Box3 | null {
    if (this.items.length === 0) return null;
    const box = boxOf(this.partsOf(this.items));
    const at = new Vector3();
    for (const item of this.items) {
      item.object.getWorldPosition(at);
      if (item.drawn.length === 0 && item.kind === 'node') {
        box.union(new Box3().setFromCenterAndSize(at, new Vector3().setScalar(MARKER_SIZE)));
      }
    }
    return box.isEmpty() ? null : box;
  }

  /**
   * Finds the items of a field, or of its nearest ancestor field, or of all its descendant fields.
   */
  find(field: string): Item[] {
    const exact = this.index.items.filter(item => item.field === field);
    if (exact.length > 0) return exact;
    const around = this.index.items.filter(item => item.field !== null && isWithin(field, item.field));
    const longest = around.reduce((most, item) => Math.max(most, item.field?.length ?? 0), 0);
    if (longest > 0) return around.filter(item => item.field?.length === longest);
    const within = this.index.items.filter(item => item.field !== null && isWithin(item.field, field));
    if (within.length > 0) return within;
    return this.index.items.filter(item => item.drawn.length > 0 && fieldOf(this.index, item) === field);
  }

  dispose(): void {
    this.marks.geometry.dispose();
    this.marks.material.map?.dispose();
    this.marks.material.dispose();
  }

  /** Parts drawn by nodes and their descendants. */
  partsOf(items: readonly Item[]): Part[] {
    return this.index.parts.filter(part => items.some(item => isBelow(part.item, item)));
  }
}

function isBelow(item: Item, top: Item): boolean {
  for (let it: Item | null = item; it; it = it.parent) {
    if (it === top) return true;
  }
  return false;
}

/** Whether a field equals or descends from another: `surfaces[3].texture` is within `surfaces[3]`. */
function isWithin(inner: string, outer: string): boolean {
  if (outer === '') return false;
  const next = inner.charAt(outer.length);
  return inner.startsWith(outer) && (next === '.' || next === '[' || next === '');
}
