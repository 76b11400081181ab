// The nodes of a scene as a list, with their properties from the GLB.

import { type Material, Mesh, type Object3D } from 'three';
import { type Json, numberOf, objectOf, textOf } from './json';
import { layerOf } from './layer-names';
import type { LoadedScene } from './load';
import type { Surface } from './materials/surface';

/** A drawn object: triangles, lines or points. */
export type Drawn = Mesh;

export interface Item {
  readonly id: number;
  readonly object: Object3D;
  readonly name: string;
  readonly depth: number;
  /** A node, or one of several primitives of its mesh. */
  readonly kind: 'node' | 'part';
  readonly field: string | null;
  readonly layer: string;
  readonly extras: Json;
  /** Objects drawn by this node, without its children. */
  readonly drawn: Drawn[];
  readonly parent: Item | null;
}

export interface Part {
  readonly mesh: Drawn;
  readonly item: Item;
  readonly surface: Surface;
}

export class SceneIndex {
  readonly items: Item[] = [];
  /** All drawn objects. */
  readonly parts: Part[] = [];
  readonly partOf = new Map<Object3D, Part>();
  /** Extras of the entire scene, stored in its first node. */
  readonly extras: Json;

  /** Layers named by nodes. A node without a layer whose name is a layer's name is the root of that layer. */
  private readonly layers: ReadonlySet<string>;

  constructor(private readonly loaded: LoadedScene) {
    const { nodes } = loaded.parser.json as { nodes?: unknown[] };
    const named = (nodes ?? []).map(node => textOf(objectOf(objectOf(node).extras).layer));
    this.layers = new Set(named.filter(it => it !== null));
    for (const child of loaded.root.children) this.visit(child, null, 0);
    this.extras = this.items[0]?.extras ?? {};
  }

  /** The item that an object belongs to. */
  itemOf(object: Object3D | null): Item | null {
    for (let it = object; it; it = it.parent) {
      const part = this.partOf.get(it);
      if (part) return part.item;
    }
    return null;
  }

  private visit(object: Object3D, parent: Item | null, depth: number): void {
    const at = this.loaded.parser.associations.get(object);
    const json = this.loaded.parser.json as { nodes?: unknown[]; meshes?: unknown[] };
    const isNode = at?.nodes !== undefined;
    let item = parent;
    if (isNode) {
      const node = objectOf(json.nodes?.[at.nodes ?? -1]);
      item = this.add(
        object,
        'node',
        textOf(node.name) ?? `node ${at.nodes}`,
        objectOf(node.extras),
        node,
        parent,
        depth,
      );
    }
    if (isDrawn(object) && item) {
      const primitives = objectOf(json.meshes?.[at?.meshes ?? -1]).primitives;
      const primitive = objectOf(Array.isArray(primitives) ? (primitives as unknown[])[at?.primitives ?? -1] : null);
      const surface = this.surfaceOf(object, primitive);
      if (!isNode) {
        item = this.add(object, 'part', surface.name, objectOf(primitive.extras), primitive, item, depth);
      }
      item.drawn.push(object);
      const part = { mesh: object, item, surface };
      this.parts.push(part);
      this.partOf.set(object, part);
      if (!isNode) return;
    }
    for (const child of object.children) this.visit(child, item, isNode ? depth + 1 : depth);
  }

  private add(
    object: Object3D,
    kind: Item['kind'],
    name: string,
    extras: Json,
    json: Json,
    parent: Item | null,
    depth: number,
  ): Item {
    const item: Item = {
      id: this.items.length,
      object,
      name,
      depth,
      kind,
      field: textOf(extras.field) ?? fieldOfPrimitive(object),
      layer: kind === 'part' && parent ? parent.layer : this.layerOf(name, extras, json, parent),
      extras,
      drawn: [],
      parent,
    };
    this.items.push(item);
    return item;
  }

  private layerOf(name: string, extras: Json, json: Json, parent: Item | null): string {
    const isLayerRoot = this.layers.has(name) && textOf(extras.layer) === null;
    return isLayerRoot ? name : layerOf(name, extras, json, parent?.layer ?? null);
  }

  private surfaceOf(object: Drawn, primitive: Json): Surface {
    const material = object.material as Material;
    const index = numberOf(primitive.material) ?? this.loaded.parser.associations.get(material)?.materials;
    const { surfaces } = this.loaded;
    const found = surfaces[index ?? surfaces.length - 1] ?? surfaces[surfaces.length - 1];
    if (!found) throw new Error('there is always a default surface');
    return found;
  }
}

/** Whether the layer of an object is shown. */
export function isShown(object: Object3D): boolean {
  return (object.layers.mask & 1) !== 0;
}

/** The field of an item, or of its first material with a field, or of the nearest ancestor with a field. */
export function fieldOf(index: SceneIndex, item: Item): string | null {
  if (item.field !== null) return item.field;
  for (const mesh of item.drawn) {
    const field = index.partOf.get(mesh)?.surface.field;
    if (field) return field;
  }
  for (let it = item.parent; it; it = it.parent) {
    if (it.field !== null) return it.field;
  }
  return null;
}

/** The field of the only primitive of a node's mesh. */
function fieldOfPrimitive(object: Object3D): string | null {
  return object instanceof Mesh ? textOf((object.geometry.userData as Json).field) : null;
}

function isDrawn(object: Object3D): object is Drawn {
  return 'isMesh' in object || 'isLine' in object || 'isPoints' in object;
}
