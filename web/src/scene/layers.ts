// The layers of a scene and their visibility.

import { EdgesGeometry, LineSegments, type Material } from 'three';
import type { Glyphs } from './glyphs';
import { isShownByDefault, labelOf } from './layer-names';
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
  /** Meshes whose material does not depend on the shading mode. */
  readonly fixed = new Set<object>();

  constructor(
    private readonly index: SceneIndex,
    private readonly glyphs: Glyphs,
    private readonly screens: Screens,
    /** Differences from the default visibility, such as `-props,lights`. */
    changes: string,
    /** The layer whose visibility follows the atmosphere. */
    atmosphereLayer: string | null,
  ) {
    const counts = countsOf(index);
    if (atmosphereLayer !== null) counts.delete(atmosphereLayer);
    for (const { name, items } of glyphs.layers) counts.set(name, (counts.get(name) ?? 0) + items.length);
    const words = new Set(changes.split(','));
    // If a file has only helper layers, show them.
    this.hasOnlyHelpers = index.parts.every(part => !isShownByDefault(part.item.layer));
    for (const [name, count] of counts) {
      const isDefault = this.isDefault(name);
      const isShown = isDefault ? !words.has(`-${name}`) : words.has(name);
      this.list.push({ name, label: labelOf(name), count, isShown });
    }
    this.createVolumes();
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

  private isDefault(name: string): boolean {
    return this.hasOnlyHelpers || isShownByDefault(name);
  }

  /** Differences from the default visibility, for the URL. */
  changes(): string {
    return this.list
      .filter(it => it.isShown !== this.isDefault(it.name))
      .map(it => (it.isShown ? it.name : `-${it.name}`))
      .join(',');
  }

  dispose(): void {
    for (const it of this.edges) it.geometry.dispose();
    for (const it of this.materials) it.dispose();
  }

  /** Gives collision shapes and triggers, which have no material, a transparent one with edges. */
  private createVolumes(): void {
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

/** The number of drawn nodes per layer, or of parts if the layer has a single node. */
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
