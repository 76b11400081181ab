// Panels for layers, nodes and materials, shown next to the canvas.

import { el } from '../dom';
import type { Surface } from '../materials/surface';
import type { Item } from '../objects';
import type { SceneView } from '../view';
import { BlendPanel } from './blend';
import { layersPanel } from './layers';
import { MaterialsPanel } from './materials';
import { NodesPanel } from './nodes';

export interface PanelEvents {
  /** Called when a row is chosen. */
  item(item: Item): void;
  surface(items: Item[], surface: Surface): void;
  /** Called when a morph slider is moved. */
  blended(): void;
}

export class Panels {
  readonly element: HTMLElement;
  private readonly nodes: NodesPanel;
  private readonly materials: MaterialsPanel;
  private readonly blend: BlendPanel;

  constructor(view: SceneView, signal: AbortSignal, events: PanelEvents) {
    this.nodes = new NodesPanel(view, signal, events.item);
    this.materials = new MaterialsPanel(view, signal, events.surface);
    this.blend = new BlendPanel(view, signal, events.blended);
    const parts = [layersPanel(view, signal), this.blend.element, this.nodes.element, this.materials.element];
    this.element = el(
      'section',
      { class: 'scene-panels', 'aria-label': 'Scene panels' },
      ...parts.filter(it => it !== null),
    );
  }

  select(items: readonly Item[]): void {
    this.nodes.select(items);
    this.materials.select(items);
  }

  /** Updates the panels from the current clip. */
  update(): void {
    this.blend.update();
  }
}
