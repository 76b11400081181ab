// The nodes of the scene, with a filter.

import { el } from '../dom';
import type { Item } from '../objects';
import type { SceneView } from '../view';
import { VirtualList } from './list';
import { section } from './section';

export class NodesPanel {
  readonly element: HTMLElement;
  private readonly list: VirtualList;

  constructor(
    private readonly view: SceneView,
    signal: AbortSignal,
    chosen: (item: Item) => void,
  ) {
    const { items } = view.index;
    const hasLayers = view.layers.list.length > 1;
    this.list = new VirtualList(
      'Nodes',
      number => {
        const item = items[number];
        return {
          label: item?.name ?? '',
          detail: item?.kind === 'part' ? 'part' : hasLayers ? (item?.layer ?? '') : '',
          depth: item?.depth ?? 0,
          isDimmed: item?.drawn.length === 0,
        };
      },
      number => {
        const item = items[number];
        if (item) chosen(item);
      },
      signal,
      number => {
        const item = number === null ? undefined : items[number];
        view.hover(item ? [item] : []);
      },
    );
    const filter = el('input', {
      type: 'search',
      class: 'scene-filter',
      placeholder: 'Filter nodes',
      'aria-label': 'Filter nodes',
    });
    filter.addEventListener('input', () => this.filter(filter.value), { signal });
    this.element = section(`Nodes (${items.length})`, true, filter, this.list.element);
    this.filter('');
  }

  select(items: readonly Item[]): void {
    this.list.select(items.map(it => it.id));
  }

  private filter(text: string): void {
    const wanted = text.trim().toLowerCase();
    const fits = (item: Item): boolean => wanted === '' || item.name.toLowerCase().includes(wanted);
    this.list.setRows(this.view.index.items.filter(fits).map(it => it.id));
  }
}
