// Where to look from, so that one sees what the file is about.

import { Box3, Mesh, type PerspectiveCamera, type SkinnedMesh, Vector3 } from 'three';
import { TERRAIN } from './layer-names';
import type { Part } from './objects';

export interface View {
  readonly eye: Vector3;
  readonly target: Vector3;
}

/** Triangles that are enough to tell which way a scene faces. */
const ENOUGH_TRIANGLES = 60_000;

/** Vertices that are enough to fit a picture. */
const ENOUGH_POINTS = 30_000;

/** Degrees around the vertical axis from +Z on, and above the horizon. */
const MODEL_ANGLES = [212, 14] as const;
/** Models of these games face -Z, unless their extras say where their `front` is. Radians from +Z on. */
const FRONT = Math.PI;
const ROOM_ANGLES = [32, 48] as const;
const LAND_ANGLES = [32, 34] as const;

/** The box around parts, as they stand now. */
export function boxOf(parts: readonly Pick<Part, 'mesh'>[]): Box3 {
  const box = new Box3();
  const one = new Box3();
  for (const { mesh } of parts) {
    // Boxes of skinned meshes are kept by three.js, and hold for the pose in which they were asked for.
    if ('isSkinnedMesh' in mesh) (mesh as SkinnedMesh).computeBoundingBox();
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
  const boxes = parts.map(part => boxOf([part])).filter(box => !box.isEmpty());
  const trimmed = new Box3();
  for (const axis of ['x', 'y', 'z'] as const) {
    const low = boxes.map(box => box.min[axis]).sort((a, b) => a - b);
    const high = boxes.map(box => box.max[axis]).sort((a, b) => a - b);
    const cut = Math.floor(boxes.length * 0.02);
    trimmed.min[axis] = low[cut] ?? whole.min[axis];
    trimmed.max[axis] = high[high.length - 1 - cut] ?? whole.max[axis];
  }
  // What was cut off counts where it would only make the picture a little smaller.
  const size = (box: Box3): number => box.getSize(new Vector3()).length();
  return trimmed.isEmpty() || size(whole) < 2 * size(trimmed) ? whole : trimmed;
}

/** A part whose size is so small a part of the scene is a dot in its picture. */
const DOT = 1 / 250;
/** A part whose size is so large a part of the scene is ground rather than a thing. */
const GROUND = 1 / 6;
/** So many things are asked how many others are near. */
const MANY_THINGS = 500;
/** How far around a thing one sees more than a dot of it, in its own sizes. */
const AROUND = 40;

/**
 * Where things are, in a scene so wide that one would see none of them: around the first start, else where most of them are. Null for any other scene.
 */
export function crowdedBox(parts: readonly Part[], box: Box3, starts: readonly Vector3[]): Box3 | null {
  const whole = box.min.distanceTo(box.max);
  const sizeOf = (it: Box3): number => it.min.distanceTo(it.max);
  const things = parts.filter(part => part.item.layer !== TERRAIN);
  const boxes = things.map(part => boxOf([part])).filter(it => !it.isEmpty() && sizeOf(it) < whole * GROUND);
  const sizes = boxes.map(sizeOf).sort((a, b) => a - b);
  const usual = sizes[sizes.length >> 1] ?? 0;
  if (boxes.length < 3 || usual <= 0 || usual > whole * DOT) return null;
  const centers = boxes.map(it => it.getCenter(new Vector3()));
  const reach = usual * AROUND;
  const around = (spot: Vector3): number[] =>
    [...centers.keys()].filter(i => (centers[i]?.distanceToSquared(spot) ?? Infinity) < reach * reach);
  const step = Math.ceil(centers.length / MANY_THINGS);
  const spots = starts.length > 0 ? starts.slice(0, 1) : centers.filter((_, i) => i % step === 0);
  let best: number[] = [];
  for (const spot of spots) {
    const near = around(spot);
    if (near.length > best.length) best = near;
  }
  if (best.length === 0) return starts.length > 0 ? crowdedBox(parts, box, []) : null;
  const crowd = new Box3();
  for (const i of best) crowd.union(boxes[i] ?? crowd);
  return crowd;
}

/** The view that shows a scene well: into a room from above, onto land from high up, a model from its front and side. */
export function firstView(
  parts: readonly Part[],
  box: Box3,
  camera: PerspectiveCamera,
  front: readonly [number, number, number] | null,
  pose: 'one pose' | 'many poses',
): View {
  const [around, above] = kindOf(parts, box) === 'room' ? ROOM_ANGLES : isFlat(box) ? LAND_ANGLES : MODEL_ANGLES;
  const turn = front ? Math.atan2(front[0], front[2]) - FRONT : 0;
  const [a, b] = [(around * Math.PI) / 180 + turn, (above * Math.PI) / 180];
  const direction = new Vector3(Math.sin(a) * Math.cos(b), Math.sin(b), Math.cos(a) * Math.cos(b));
  // What moves fills its box in time.
  return fitted(pose === 'many poses' ? cornersOf(box) : outlineOf(parts, box), box, direction, camera);
}

/** Whether one looks into it or at it. */
export function kindOf(parts: readonly Part[], box: Box3): 'room' | 'model' {
  return facesInward(parts, box) ? 'room' : 'model';
}

function isFlat(box: Box3): boolean {
  const size = box.getSize(new Vector3());
  return size.y < 0.3 * Math.max(size.x, size.z);
}

/** The view along a direction that is as near as all points are seen. */
export function fitted(points: readonly Vector3[], box: Box3, direction: Vector3, camera: PerspectiveCamera): View {
  const center = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
  const forward = direction.clone().normalize();
  const right = new Vector3(0, 1, 0).cross(forward);
  if (right.lengthSq() < 1e-6) right.set(1, 0, 0);
  right.normalize();
  const above = forward.clone().cross(right);
  const up = Math.tan((camera.fov * Math.PI) / 360) * 0.94;
  const side = up * camera.aspect;
  // Each side of the picture asks for a distance; opposite sides together say where the middle is.
  const most = { right: -Infinity, left: -Infinity, top: -Infinity, bottom: -Infinity };
  const at = new Vector3();
  for (const point of points) {
    at.copy(point).sub(center);
    const [x, y, z] = [at.dot(right), at.dot(above), at.dot(forward)];
    most.right = Math.max(most.right, x + z * side);
    most.left = Math.max(most.left, -x + z * side);
    most.top = Math.max(most.top, y + z * up);
    most.bottom = Math.max(most.bottom, -y + z * up);
  }
  const distance = Math.max((most.right + most.left) / (2 * side), (most.top + most.bottom) / (2 * up));
  if (!(distance > 1e-6) || !Number.isFinite(distance))
    return { eye: center.clone().addScaledVector(forward, 2), target: center };
  const target = center
    .clone()
    .addScaledVector(right, (most.right - most.left) / 2)
    .addScaledVector(above, (most.top - most.bottom) / 2);
  return { eye: target.clone().addScaledVector(forward, distance), target };
}

/** The corners of a box. */
export function cornersOf(box: Box3): Vector3[] {
  const corner = (i: number): Vector3 =>
    new Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
  return [0, 1, 2, 3, 4, 5, 6, 7].map(corner);
}

/** Some of the vertices within a box, which fill the picture better than its corners do. */
function outlineOf(parts: readonly Part[], box: Box3): Vector3[] {
  const total = parts.reduce((sum, { mesh }) => sum + (mesh.geometry.getAttribute('position')?.count ?? 0), 0);
  const step = Math.max(1, Math.ceil(total / ENOUGH_POINTS));
  const wide = box.clone().expandByScalar(box.min.distanceTo(box.max) * 1e-3);
  const out: Vector3[] = [];
  for (const { mesh } of parts) {
    // The vertices of what is bent by bones or placed by instances are not where they are drawn.
    if (!(mesh instanceof Mesh) || 'isSkinnedMesh' in mesh || 'isInstancedMesh' in mesh) {
      out.push(...cornersOf(boxOf([{ mesh }])));
      continue;
    }
    const position = mesh.geometry.getAttribute('position');
    for (let i = 0; i < position.count; i += step) {
      const at = new Vector3().fromBufferAttribute(position, i).applyMatrix4(mesh.matrixWorld);
      if (wide.containsPoint(at)) out.push(at);
    }
  }
  return out.length > 0 ? out : cornersOf(box);
}

/** Whether most of the surface faces the middle, as the walls of a room do: the volume that it encloses is negative. */
function facesInward(parts: readonly Part[], box: Box3): boolean {
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
        out
          .fromBufferAttribute(position, index ? index.getX(i + corner) : i + corner)
          .applyMatrix4(mesh.matrixWorld)
          .sub(center);
      at(0, a);
      at(1, b);
      at(2, c);
      volume += a.dot(b.cross(c));
    }
  }
  return volume < 0;
}
