// Morph targets computed on the CPU.
//
// Old games store a frame per pose, so meshes have hundreds of targets of which one or two are active. A shader would iterate over all of
// them for each vertex, and some drivers support fewer. Here only targets with a weight have a cost, and rays hit the visible shape.

import {
  BufferAttribute,
  BufferGeometry,
  type InterleavedBufferAttribute,
  Mesh,
  type Object3D,
  type Sphere,
} from 'three';

type Attribute = BufferAttribute | InterleavedBufferAttribute;

export class Morph {
  readonly names: readonly string[];
  private readonly last: Float32Array;
  private readonly channels: Channel[] = [];

  constructor(readonly mesh: Mesh) {
    const { geometry } = mesh;
    const weights = mesh.morphTargetInfluences ?? [];
    this.last = new Float32Array(weights.length).fill(Number.NaN);
    const dictionary = Object.entries(mesh.morphTargetDictionary ?? {});
    this.names = weights.map((_, i) => dictionary.find(([, at]) => at === i)?.[0] ?? `target ${i}`);
    // Nodes share geometries but have separate weights.
    const copy = new BufferGeometry();
    copy.setIndex(geometry.getIndex());
    for (const [name, attribute] of Object.entries(geometry.attributes)) copy.setAttribute(name, attribute);
    for (const name of ['position', 'normal'] as const) {
      const targets = geometry.morphAttributes[name];
      const base = geometry.getAttribute(name) as Attribute | undefined;
      if (!targets || !base || targets.length !== weights.length) continue;
      const channel = new Channel(base, targets);
      copy.setAttribute(name, channel.shown);
      this.channels.push(channel);
    }
    copy.userData = geometry.userData;
    copy.boundingSphere = this.largestSphere(geometry);
    mesh.geometry = copy;
  }

  /** Applies the current weights. Returns whether the shape has changed. */
  update(): boolean {
    const weights = this.mesh.morphTargetInfluences;
    if (!weights) return false;
    let isChanged = false;
    for (let i = 0; i < weights.length; i++) {
      const weight = weights[i] ?? 0;
      if (weight === this.last[i]) continue;
      this.last[i] = weight;
      isChanged = true;
    }
    if (!isChanged) return false;
    for (const channel of this.channels) channel.add(weights);
    this.mesh.geometry.boundingBox = null;
    return true;
  }

  /** A bounding sphere of all poses, so that culling and rays need no update per frame. */
  private largestSphere(geometry: BufferGeometry): Sphere | null {
    geometry.computeBoundingSphere();
    const sphere = geometry.boundingSphere?.clone() ?? null;
    const position = this.channels[0];
    if (sphere && position) sphere.radius += position.maxDisplacement();
    return sphere;
  }
}

class Channel {
  readonly shown: BufferAttribute;
  private readonly base: Float32Array;
  private readonly targets: (Float32Array | null)[];

  constructor(base: Attribute, sources: readonly Attribute[]) {
    this.base = toFloat32Array(base);
    this.shown = new BufferAttribute(this.base.slice(), 3);
    this.targets = sources.map(source => {
      const values = toFloat32Array(source);
      return values.some(value => value !== 0) ? values : null;
    });
  }

  add(weights: readonly number[]): void {
    const out = this.shown.array as Float32Array;
    out.set(this.base);
    for (let i = 0; i < this.targets.length; i++) {
      const weight = weights[i] ?? 0;
      const target = this.targets[i];
      if (weight === 0 || !target) continue;
      for (let k = 0; k < out.length; k++) out[k] = (out[k] ?? 0) + weight * (target[k] ?? 0);
    }
    this.shown.needsUpdate = true;
  }

  maxDisplacement(): number {
    let max = 0;
    for (const target of this.targets) {
      if (!target) continue;
      for (let k = 0; k + 2 < target.length; k += 3) {
        const [x, y, z] = [target[k] ?? 0, target[k + 1] ?? 0, target[k + 2] ?? 0];
        max = Math.max(max, x * x + y * y + z * z);
      }
    }
    return Math.sqrt(max);
  }
}

function toFloat32Array(attribute: Attribute): Float32Array {
  const out = new Float32Array(attribute.count * 3);
  for (let i = 0; i < attribute.count; i++) {
    out[i * 3] = attribute.getX(i);
    out[i * 3 + 1] = attribute.getY(i);
    out[i * 3 + 2] = attribute.getZ(i);
  }
  return out;
}

/** Finds all descendant meshes with morph targets. */
export function findMorphs(root: Object3D): Morph[] {
  const out: Morph[] = [];
  root.traverse(it => {
    if (it instanceof Mesh && it.morphTargetInfluences && it.geometry.morphAttributes.position) out.push(new Morph(it));
  });
  return out;
}
