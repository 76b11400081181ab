// The layers of a scene, and which of them are shown.

import { EdgesGeometry, LineSegments, type Material } from 'three';
import type { Glyphs } from './glyphs';
import { isShownAtFirst, labelOf } from './layer-names';
import { outline, volume } from './materials/volume';
import type { Item, SceneIndex } from './objects';
import type { Screens } from './screens';

const COLORS: Record<string, number> = { collision: 0xe0524d, triggers: 0x46c08c };
const SCREENS = 'screens';

export interface Layer {
  readonly name: string;
  readonly label: string;
  readonly count: number;
  isShown: boolean;
}

export class Layers {
  readonly list: Layer[] = [];
  private readonly hasOnlyHelpers: boolean;
  private readonly edges: LineSegments[] = [];
  private readonly materials: Material[] = [];
  /** Meshes that keep a material of their own whatever the shading. */
  readonly fixed = new Set<object>();

  constructor(
    private readonly index: SceneIndex,
    private readonly glyphs: Glyphs,
    private readonly screens: Screens,
    /** `-props,lights`: what differs from the first view. */
    changes: string,
    /** The layer that is shown and hidden with the air of the world. */
    ofAir: string | null,
  ) {
    const counts = countsOf(index);
    if (ofAir !== null) counts.delete(ofAir);
    for (const { name, items } of glyphs.layers) counts.set(name, (counts.get(name) ?? 0) + items.length);
    const words = new Set(changes.split(','));
    // A file of nothing but helpers is about them.
    this.hasOnlyHelpers = index.parts.every(part => !isShownAtFirst(part.item.layer));
    for (const [name, count] of counts) {
      const isFirst = this.isFirst(name);
      const isShown = isFirst ? !words.has(`-${name}`) : words.has(name);
      this.list.push({ name, label: labelOf(name), count, isShown });
    }
    this.makeVolumes();
    for (const layer of this.list) this.show(layer.name, layer.isShown);
  }

  show(name: string, on: boolean): void {
    const layer = this.list.find(it => it.name === name);
    if (layer) layer.isShown = on;
    for (const part of this.index.parts) {
      if (part.item.layer !== name) continue;
      if (on) part.mesh.layers.enable(0);
      else part.mesh.layers.disable(0);
    }
    for (const it of this.edges) {
      if (it.parent) it.layers.mask = it.parent.layers.mask & 1;
    }
    this.glyphs.show(name, on);
    if (name === SCREENS) this.screens.show(on);
  }

  private isFirst(name: string): boolean {
    return this.hasOnlyHelpers || isShownAtFirst(name);
  }

  /** What differs from the first view, for the address of the page. */
  changes(): string {
    return this.list
      .filter(it => it.isShown !== this.isFirst(it.name))
      .map(it => (it.isShown ? it.name : `-${it.name}`))
      .join(',');
  }

  dispose(): void {
    for (const it of this.edges) it.geometry.dispose();
    for (const it of this.materials) it.dispose();
  }

  /** What the game never draws has no material: it is seen through, with edges. */
  private makeVolumes(): void {
    for (const [name, color] of Object.entries(COLORS)) {
      const parts = this.index.parts.filter(it => it.item.layer === name && it.surface.index < 0);
      if (parts.length === 0) continue;
      const [fill, line] = [volume(color), outline(color)];
      this.materials.push(fill, line);
      for (const { mesh } of parts) {
        mesh.material = fill;
        mesh.renderOrder = 1;
        this.fixed.add(mesh);
        const edges = new LineSegments(new EdgesGeometry(mesh.geometry, 20), line);
        edges.raycast = () => undefined;
        edges.renderOrder = 1;
        this.edges.push(edges);
        mesh.add(edges);
      }
    }
  }
}

/** How many nodes each layer draws; how many parts, where that is all one node. */
function countsOf(index: SceneIndex): Map<string, number> {
  const nodes = new Map<string, Set<Item>>();
  const parts = new Map<string, number>();
  for (const { item } of index.parts) {
    const node = item.kind === 'part' && item.parent ? item.parent : item;
    nodes.set(item.layer, (nodes.get(item.layer) ?? new Set()).add(node));
    parts.set(item.layer, (parts.get(item.layer) ?? 0) + 1);
  }
  const counts = new Map<string, number>();
  for (const [layer, set] of nodes) counts.set(layer, set.size > 1 ? set.size : (parts.get(layer) ?? 0));
  return counts;
}
