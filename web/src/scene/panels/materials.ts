// The materials of the scene. Choosing one selects all objects that use it.

import type { Surface } from '../materials/surface';
import type { Item } from '../objects';
import type { SceneView } from '../view';
import { VirtualList } from './list';
import { section } from './section';

export class MaterialsPanel {
  readonly element: HTMLElement | null;
  private readonly list: VirtualList | null = null;
  private readonly surfaces: Surface[];

  constructor(
    private readonly view: SceneView,
    signal: AbortSignal,
    chosen: (items: Item[], surface: Surface) => void,
  ) {
    this.surfaces = [...new Set(view.index.parts.map(part => part.surface))];
    if (this.surfaces.length === 0) {
      this.element = null;
      return;
    }
    this.list = new VirtualList(
      'Materials',
      number => {
        const surface = this.surfaces[number];
        return { label: surface?.name ?? '', detail: surface ? describe(surface) : '', depth: 0, isDimmed: false };
      },
      number => {
        const surface = this.surfaces[number];
        if (surface) chosen(this.itemsOf(surface), surface);
      },
      signal,
    );
    this.list.setRows(this.surfaces.map((_, i) => i));
    this.element = section(`Materials (${this.surfaces.length})`, false, this.list.element);
  }

  /** Highlights the materials of the selected items. */
  select(items: readonly Item[]): void {
    const wanted = new Set(items.flatMap(item => item.drawn));
    const used = this.view.index.parts
      .filter(part => wanted.has(part.mesh))
      .map(part => this.surfaces.indexOf(part.surface));
    this.list?.select(used);
  }

  private itemsOf(surface: Surface): Item[] {
    return this.view.index.parts.filter(part => part.surface === surface).map(part => part.item);
  }
}

function describe(surface: Surface): string {
  const words: string[] = [];
  if (surface.lightmap) words.push('lightmap');
  else words.push(surface.isUnlit ? 'unlit' : 'lit');
  if (surface.alpha === 'MASK') words.push('masked');
  if (surface.alpha === 'BLEND') words.push('blended');
  if (surface.frames.length > 1) words.push(`${surface.frames.length} frames`);
  return words.join(', ');
}
