// Markers for nodes without geometry: lights, sounds, waypoints, screens. One draw call per layer.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  type Light,
  LineBasicMaterial,
  LineSegments,
  type PerspectiveCamera,
  Points,
  PointsMaterial,
  type Scene,
  Vector3,
} from 'three';
import { iconOf } from './icons';
import { numberOf, objectOf } from './json';
import { GEOMETRY, isMarkerLayer, SHAPELESS } from './layer-names';
import { toDisplay } from './materials/display';
import type { Item, SceneIndex } from './objects';

/** In CSS pixels. */
const SIZE = 22;
const NEAR_PIXELS = 14;
const RING_PARTS = 48;

const COLORS: Record<string, number> = {
  sounds: 0x6fb7ff,
  waypoints: 0x7fe07f,
  markers: 0xffd166,
  screens: 0xe0e0e0,
  starts: 0xff8fd0,
  shapeless: 0xc9b6ff,
};

export interface GlyphLayer {
  readonly name: string;
  readonly items: readonly Item[];
  readonly points: Points<BufferGeometry, PointsMaterial>;
  readonly rings: LineSegments<BufferGeometry, LineBasicMaterial> | null;
}

export class Glyphs {
  readonly layers: GlyphLayer[] = [];
  private readonly at = new Vector3();

  constructor(scene: Scene, index: SceneIndex, units: number | null) {
    const found = new Map<string, Item[]>();
    for (const item of shapeless(index)) {
      const layer = isMarkerLayer(item.layer) ? item.layer : SHAPELESS;
      const list = found.get(layer) ?? [];
      list.push(item);
      found.set(layer, list);
    }
    for (const [name, items] of found) {
      const layer = { name, items, points: pointsOf(name, items), rings: ringsOf(name, items, units) };
      this.layers.push(layer);
      scene.add(layer.points);
      if (layer.rings) scene.add(layer.rings);
    }
  }

  show(layer: string, on: boolean): void {
    for (const it of this.layers) {
      if (it.name !== layer) continue;
      it.points.visible = on;
      if (it.rings) it.rings.visible = on;
    }
  }

  /** The marker at a point of the canvas, in CSS pixels. */
  pick(x: number, y: number, [width, height]: readonly [number, number], camera: PerspectiveCamera): Item | null {
    let best: Item | null = null;
    let nearest = NEAR_PIXELS;
    for (const layer of this.layers) {
      if (!layer.points.visible) continue;
      for (const item of layer.items) {
        item.object.getWorldPosition(this.at);
        this.at.project(camera);
        if (this.at.z > 1) continue;
        const away = Math.hypot(((this.at.x + 1) / 2) * width - x, ((1 - this.at.y) / 2) * height - y);
        if (away >= nearest) continue;
        nearest = away;
        best = item;
      }
    }
    return best;
  }

  dispose(): void {
    for (const { points, rings } of this.layers) {
      points.geometry.dispose();
      points.material.map?.dispose();
      points.material.dispose();
      rings?.geometry.dispose();
      rings?.material.dispose();
    }
  }
}

/** Nodes without geometry, in themselves and all descendants. */
function shapeless(index: SceneIndex): Item[] {
  const withShape = new Set<Item>();
  for (const { item } of index.parts) {
    for (let it: Item | null = item; it && !withShape.has(it); it = it.parent) withShape.add(it);
  }
  return index.items.filter(it => it.kind === 'node' && it.layer !== GEOMETRY && !withShape.has(it));
}

function pointsOf(layer: string, items: readonly Item[]): Points<BufferGeometry, PointsMaterial> {
  const positions = new Float32Array(items.length * 3);
  const colors = new Float32Array(items.length * 3);
  const at = new Vector3();
  const color = new Color();
  items.forEach((item, i) => {
    item.object.getWorldPosition(at).toArray(positions, i * 3);
    color.set(COLORS[layer] ?? 0xffffff);
    const light = item.object as Light;
    if (light.isLight) color.setRGB(toDisplay(light.color.r), toDisplay(light.color.g), toDisplay(light.color.b));
    else if (layer === 'lights') color.set(0xffe9a8);
    color.toArray(colors, i * 3);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('color', new BufferAttribute(colors, 3));
  const material = new PointsMaterial({
    size: SIZE,
    sizeAttenuation: false,
    map: iconOf(layer),
    vertexColors: true,
    transparent: true,
    alphaTest: 0.05,
    // Visible through walls, because markers are easily hidden.
    depthTest: false,
    depthWrite: false,
  });
  const points = new Points(geometry, material);
  points.renderOrder = 2;
  return points;
}

/** Three circles around each sound, with its audible range as the radius. */
function ringsOf(
  layer: string,
  items: readonly Item[],
  units: number | null,
): LineSegments<BufferGeometry, LineBasicMaterial> | null {
  const points: number[] = [];
  const at = new Vector3();
  for (const item of items) {
    const range = numberOf(objectOf(item.extras.entity).range);
    if (layer !== 'sounds' || range === null || units === null) continue;
    item.object.getWorldPosition(at);
    circles(at, range / units, points);
  }
  if (points.length === 0) return null;
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  return new LineSegments(
    geometry,
    new LineBasicMaterial({ color: COLORS[layer] ?? 0xffffff, transparent: true, opacity: 0.6, depthWrite: false }),
  );
}

function circles({ x, y, z }: Vector3, radius: number, out: number[]): void {
  for (let i = 0; i < RING_PARTS; i++) {
    const [a, b] = [(i / RING_PARTS) * Math.PI * 2, ((i + 1) / RING_PARTS) * Math.PI * 2];
    const [c0, s0] = [Math.cos(a) * radius, Math.sin(a) * radius];
    const [c1, s1] = [Math.cos(b) * radius, Math.sin(b) * radius];
    out.push(x + c0, y, z + s0, x + c1, y, z + s1);
    out.push(x + c0, y + s0, z, x + c1, y + s1, z);
    out.push(x, y + c0, z + s0, x, y + c1, z + s1);
  }
}
