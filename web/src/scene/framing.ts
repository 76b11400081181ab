// Computes initial views and frames objects.

import { Box3, Mesh, type PerspectiveCamera, type SkinnedMesh, Vector3 } from 'three';
import { TERRAIN } from './layer-names';
import type { Part } from './objects';

export interface View {
  readonly eye: Vector3;
  readonly target: Vector3;
}

/** Maximum number of triangles sampled to decide whether a scene is an interior. */
const MAX_TRIANGLES = 60_000;

/** Maximum number of vertices sampled for framing. */
const MAX_POINTS = 30_000;

/** Azimuth from +Z and elevation, in degrees. */
const MODEL_ANGLES = [212, 14] as const;
/** Default front of models, -Z, in radians from +Z. The `front` of the extras overrides it. */
const FRONT = Math.PI;
const ROOM_ANGLES = [32, 48] as const;
const LAND_ANGLES = [32, 34] as const;

/** The bounding box of parts in their current pose. */
export function boxOf(parts: readonly Pick<Part, 'mesh'>[]): Box3 {
  const box = new Box3();
  const one = new Box3();
  for (const { mesh } of parts) {
    // three.js caches the box of a skinned mesh, which is only valid for the pose at the time.
    if ('isSkinnedMesh' in mesh) (mesh as SkinnedMesh).computeBoundingBox();
    one.setFromObject(mesh);
    if (Number.isFinite(one.min.x) && Number.isFinite(one.max.x)) box.union(one);
  }
  return box;
}

/** The bounding box of a scene, without a few outliers far from all other parts. */
export function sceneBox(parts: readonly Part[]): Box3 {
  const fullBox = boxOf(parts);
  const minParts = 40;
  if (parts.length < minParts || fullBox.isEmpty()) return fullBox;
  const boxes = parts.map(part => boxOf([part])).filter(box => !box.isEmpty());
  const trimmed = new Box3();
  for (const axis of ['x', 'y', 'z'] as const) {
    const low = boxes.map(box => box.min[axis]).sort((a, b) => a - b);
    const high = boxes.map(box => box.max[axis]).sort((a, b) => a - b);
    const cut = Math.floor(boxes.length * 0.02);
    trimmed.min[axis] = low[cut] ?? fullBox.min[axis];
    trimmed.max[axis] = high[high.length - 1 - cut] ?? fullBox.max[axis];
  }
  // Keep the outliers if they enlarge the box by less than a factor of 2.
  const size = (box: Box3): number => box.getSize(new Vector3()).length();
  return trimmed.isEmpty() || size(fullBox) < 2 * size(trimmed) ? fullBox : trimmed;
}

/** Objects below this fraction of the scene's size are only dots in the view. */
const DOT_RATIO = 1 / 250;
/** Objects above this fraction of the scene's size count as ground. */
const GROUND_RATIO = 1 / 6;
/** Maximum number of objects whose neighbors are counted. */
const MAX_SAMPLES = 500;
/** Radius of a cluster, in sizes of a typical object. */
const CLUSTER_RADIUS = 40;

/**
 * The box of the main cluster in a scene too large to see its objects: around the first start, or around the object with the most
 * neighbors. Null for any other scene.
 */
export function clusterBox(parts: readonly Part[], box: Box3, starts: readonly Vector3[]): Box3 | null {
  const diagonal = box.min.distanceTo(box.max);
  const sizeOf = (it: Box3): number => it.min.distanceTo(it.max);
  const objects = parts.filter(part => part.item.layer !== TERRAIN);
  const boxes = objects.map(part => boxOf([part])).filter(it => !it.isEmpty() && sizeOf(it) < diagonal * GROUND_RATIO);
  const sizes = boxes.map(sizeOf).sort((a, b) => a - b);
  const median = sizes[sizes.length >> 1] ?? 0;
  if (boxes.length < 3 || median <= 0 || median > diagonal * DOT_RATIO) return null;
  const centers = boxes.map(it => it.getCenter(new Vector3()));
  const reach = median * CLUSTER_RADIUS;
  const around = (candidate: Vector3): number[] =>
    [...centers.keys()].filter(i => (centers[i]?.distanceToSquared(candidate) ?? Infinity) < reach * reach);
  const step = Math.ceil(centers.length / MAX_SAMPLES);
  const candidates = starts.length > 0 ? starts.slice(0, 1) : centers.filter((_, i) => i % step === 0);
  let best: number[] = [];
  for (const candidate of candidates) {
    const near = around(candidate);
    if (near.length > best.length) best = near;
  }
  if (best.length === 0) return starts.length > 0 ? clusterBox(parts, box, []) : null;
  const cluster = new Box3();
  for (const i of best) cluster.union(boxes[i] ?? cluster);
  return cluster;
}

/** The initial view: into a room from above, down on terrain, or a model from its front and side. */
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
  // An animated model fills its box over time.
  return fitted(pose === 'many poses' ? cornersOf(box) : outlineOf(parts, box), box, direction, camera);
}

/** Whether the scene is an interior or an object seen from outside. */
export function kindOf(parts: readonly Part[], box: Box3): 'room' | 'model' {
  return facesInward(parts, box) ? 'room' : 'model';
}

function isFlat(box: Box3): boolean {
  const size = box.getSize(new Vector3());
  return size.y < 0.3 * Math.max(size.x, size.z);
}

/** The closest view along a direction that contains all points. */
export function fitted(points: readonly Vector3[], box: Box3, direction: Vector3, camera: PerspectiveCamera): View {
  const center = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
  const forward = direction.clone().normalize();
  const right = new Vector3(0, 1, 0).cross(forward);
  if (right.lengthSq() < 1e-6) right.set(1, 0, 0);
  right.normalize();
  const above = forward.clone().cross(right);
  const up = Math.tan((camera.fov * Math.PI) / 360) * 0.94;
  const side = up * camera.aspect;
  // Each side of the view requires a distance; opposite sides determine the center.
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

/** Sampled vertices within a box, which give a tighter fit than its corners. */
function outlineOf(parts: readonly Part[], box: Box3): Vector3[] {
  const total = parts.reduce((sum, { mesh }) => sum + (mesh.geometry.getAttribute('position')?.count ?? 0), 0);
  const step = Math.max(1, Math.ceil(total / MAX_POINTS));
  const wide = box.clone().expandByScalar(box.min.distanceTo(box.max) * 1e-3);
  const out: Vector3[] = [];
  for (const { mesh } of parts) {
    // Vertices of skinned and instanced meshes are not drawn at their stored positions.
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

/** Whether most surfaces face the center, like the walls of a room: the signed volume is negative. */
function facesInward(parts: readonly Part[], box: Box3): boolean {
  const center = box.getCenter(new Vector3());
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  let left = MAX_TRIANGLES;
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
