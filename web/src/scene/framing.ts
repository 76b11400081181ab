// Where to look from, so that one sees what the file is about.

import { Box3, Mesh, PerspectiveCamera, Sphere, Vector3 } from 'three';
import type { Part } from './objects';

export interface View {
  readonly eye: Vector3;
  readonly target: Vector3;
}

/** Triangles that are enough to tell which way a scene faces. */
const ENOUGH_TRIANGLES = 60_000;

/** Degrees around the vertical axis from +Z on, and above the horizon. */
const MODEL_ANGLES = [32, 16] as const;
const ROOM_ANGLES = [32, 48] as const;
const LAND_ANGLES = [32, 34] as const;

/** The box around parts, as they stand now. */
export function boxOf(parts: readonly Part[]): Box3 {
  const box = new Box3();
  const one = new Box3();
  for (const { mesh } of parts) {
    one.setFromObject(mesh);
    if (Number.isFinite(one.min.x) && Number.isFinite(one.max.x)) box.union(one);
  }
  return box;
}

/** The box around a scene, without the few parts that stand far off from all others. */
export function sceneBox(parts: readonly Part[]): Box3 {
  const whole = boxOf(parts);
  const few = 40;
  if (parts.length < few || whole.isEmpty()) return whole;
  const boxes = parts.map((part) => boxOf([part])).filter((box) => !box.isEmpty());
  const trimmed = new Box3();
  for (const axis of ['x', 'y', 'z'] as const) {
    const low = boxes.map((box) => box.min[axis]).sort((a, b) => a - b);
    const high = boxes.map((box) => box.max[axis]).sort((a, b) => a - b);
    const cut = Math.floor(boxes.length * 0.02);
    trimmed.min[axis] = low[cut] ?? whole.min[axis];
    trimmed.max[axis] = high[high.length - 1 - cut] ?? whole.max[axis];
  }
  // What was cut off counts where it would only make the picture a little smaller.
  const size = (box: Box3): number => box.getSize(new Vector3()).length();
  return trimmed.isEmpty() || size(whole) < 2 * size(trimmed) ? whole : trimmed;
}

/** The view that shows a scene well: into a room from above, onto land from high up, a model from its front and side. */
export function firstView(parts: readonly Part[], box: Box3, camera: PerspectiveCamera): View {
  const size = box.getSize(new Vector3());
  const isFlat = size.y < 0.3 * Math.max(size.x, size.z);
  const angles = facesInward(parts, box) ? ROOM_ANGLES : isFlat ? LAND_ANGLES : MODEL_ANGLES;
  return viewFrom(box, angles, camera);
}

/** The view of a box from such angles. */
export function viewFrom(box: Box3, [around, above]: readonly [number, number], camera: PerspectiveCamera): View {
  const [a, b] = [(around * Math.PI) / 180, (above * Math.PI) / 180];
  const direction = new Vector3(Math.sin(a) * Math.cos(b), Math.sin(b), Math.cos(a) * Math.cos(b));
  return fitted(box, direction, camera);
}

/** The view of a box along a direction, as near as all of it is seen. */
export function fitted(box: Box3, direction: Vector3, camera: PerspectiveCamera): View {
  const target = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
  const radius = box.isEmpty() ? 1 : Math.max(box.getBoundingSphere(new Sphere()).radius, 1e-3);
  const up = Math.tan((camera.fov * Math.PI) / 360);
  const side = up * camera.aspect;
  const forward = direction.clone().normalize();
  const right = new Vector3(0, 1, 0).cross(forward);
  if (right.lengthSq() < 1e-6) right.set(1, 0, 0);
  right.normalize();
  const above = forward.clone().cross(right);
  let distance = 0;
  const corner = new Vector3();
  for (let i = 0; i < 8; i++) {
    corner.set(
      i & 1 ? box.max.x : box.min.x,
      i & 2 ? box.max.y : box.min.y,
      i & 4 ? box.max.z : box.min.z,
    );
    corner.sub(target);
    const depth = corner.dot(forward);
    distance = Math.max(distance, depth + Math.abs(corner.dot(right)) / side, depth + Math.abs(corner.dot(above)) / up);
  }
  if (!(distance > 0) || box.isEmpty()) distance = (2 * radius) / up;
  return { eye: target.clone().addScaledVector(forward, distance * 1.06), target };
}

/** Whether most of the surface faces the middle, as the walls of a room do: the volume that it encloses is negative. */
export function facesInward(parts: readonly Part[], box: Box3): boolean {
  const center = box.getCenter(new Vector3());
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  let left = ENOUGH_TRIANGLES;
  let volume = 0;
  for (const { mesh, item } of parts) {
    if (!(mesh instanceof Mesh) || 'isSkinnedMesh' in mesh || item.layer !== 'geometry') continue;
    const position = mesh.geometry.getAttribute('position');
    const index = mesh.geometry.getIndex();
    const count = index ? index.count : position.count;
    for (let i = 0; i + 2 < count && left > 0; i += 3, left--) {
      const at = (corner: number, out: Vector3): Vector3 =>
        out.fromBufferAttribute(position, index ? index.getX(i + corner) : i + corner).applyMatrix4(mesh.matrixWorld).sub(center);
      at(0, a);
      at(1, b);
      at(2, c);
      volume += a.dot(b.cross(c));
    }
  }
  return volume < 0;
}
