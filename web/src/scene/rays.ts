// Raycasting against the triangles of a scene. Large meshes get a bounding volume hierarchy when a ray first comes near.

import {
  type Camera,
  type Intersection,
  Matrix3,
  Mesh,
  type Ray,
  Raycaster,
  Sphere,
  type Vector2,
  Vector3,
} from 'three';
import { acceleratedRaycast, MeshBVH } from 'three-mesh-bvh';
import { SKY } from './layer-names';
import { isShown, type Part, type SceneIndex } from './objects';

/** Smallest number of triangles for which a hierarchy is built. */
const MANY_TRIANGLES = 128;

export interface Hit {
  readonly part: Part;
  readonly distance: number;
  readonly point: Vector3;
  readonly normal: Vector3;
  /** Instance index of an instanced mesh. */
  readonly instance: number | null;
}

export class Rays {
  private readonly caster = new Raycaster();
  private readonly sphere = new Sphere();
  private readonly hits: Intersection[] = [];
  private readonly normalMatrix = new Matrix3();

  constructor(private readonly index: SceneIndex) {
    this.caster.firstHitOnly = true;
  }

  /** The nearest visible triangle from a point along a unit direction. */
  nearest(from: Vector3, direction: Vector3, far: number): Hit | null {
    this.caster.set(from, direction);
    this.caster.far = far;
    return this.cast();
  }

  /** The nearest visible triangle at a point in normalized device coordinates (-1 to 1). */
  pick(at: Vector2, camera: Camera): Hit | null {
    this.caster.setFromCamera(at, camera);
    this.caster.far = Infinity;
    this.caster.params.Line.threshold = 0.02 * camera.position.length();
    return this.cast();
  }

  get ray(): Ray {
    return this.caster.ray;
  }

  private cast(): Hit | null {
    const { caster, hits } = this;
    let best: Hit | null = null;
    let far = caster.far;
    for (const part of this.index.parts) {
      const { mesh } = part;
      if (part.item.layer === SKY || !isShown(mesh) || !this.isNear(mesh, far)) continue;
      this.prepare(mesh);
      hits.length = 0;
      caster.far = far;
      mesh.raycast(caster, hits);
      for (const hit of hits) {
        if (hit.distance >= far) continue;
        far = hit.distance;
        best = this.hitOf(part, hit);
      }
    }
    return best;
  }

  private hitOf(part: Part, hit: Intersection): Hit {
    const normal = new Vector3(0, 1, 0);
    if (hit.face) {
      normal.copy(hit.face.normal).applyMatrix3(this.normalMatrix.getNormalMatrix(part.mesh.matrixWorld)).normalize();
      // Treat surfaces as double-sided.
      if (normal.dot(this.caster.ray.direction) > 0) normal.negate();
    }
    return { part, distance: hit.distance, point: hit.point.clone(), normal, instance: hit.instanceId ?? null };
  }

  /** Whether the ray hits the bounding sphere of a mesh. Skinned and instanced meshes test this themselves. */
  private isNear(mesh: Mesh, far: number): boolean {
    if ('isSkinnedMesh' in mesh || 'isInstancedMesh' in mesh) return true;
    const { geometry } = mesh;
    if (!geometry.boundingSphere) geometry.computeBoundingSphere();
    if (!geometry.boundingSphere) return false;
    this.sphere.copy(geometry.boundingSphere).applyMatrix4(mesh.matrixWorld);
    const { ray } = this.caster;
    if (!ray.intersectsSphere(this.sphere)) return false;
    return ray.origin.distanceTo(this.sphere.center) - this.sphere.radius <= far;
  }

  private prepare(mesh: Mesh): void {
    // Not for deforming meshes, whose hierarchy would become invalid.
    if (!(mesh instanceof Mesh) || 'isSkinnedMesh' in mesh || 'isInstancedMesh' in mesh || mesh.morphTargetInfluences)
      return;
    const { geometry } = mesh;
    if (geometry.boundsTree) {
      mesh.raycast = acceleratedRaycast;
      return;
    }
    const triangles = (geometry.getIndex()?.count ?? geometry.getAttribute('position').count) / 3;
    if (triangles < MANY_TRIANGLES) return;
    geometry.boundsTree = new MeshBVH(geometry, { indirect: true });
    mesh.raycast = acceleratedRaycast;
  }
}
