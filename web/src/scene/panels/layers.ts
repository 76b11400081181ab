// Checkboxes for the layers.

import { checkbox, el } from '../dom';
import type { SceneView } from '../view';
import { section } from './section';

export function layersPanel(view: SceneView, signal: AbortSignal): HTMLElement | null {
  const { list } = view.layers;
  if (list.length < 2) return null;
  const rows = list.map(layer => {
    const { label } = checkbox(layer.label, layer.isShown, signal, on => view.setLayer(layer.name, on));
    return el('li', {}, label, el('span', { class: 'scene-count' }, String(layer.count)));
  });
  return section('Layers', true, el('ul', { class: 'scene-checks' }, ...rows));
}
