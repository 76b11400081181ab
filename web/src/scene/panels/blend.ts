// Sliders for morph targets. While a clip plays, they show its weights.

import { el, slider } from '../dom';
import type { SceneView } from '../view';
import { section } from './section';

/** Maximum number of sliders; a mesh may have hundreds of frames, which are better shown as clips. */
const MAX_SLIDERS = 64;

export class BlendPanel {
  readonly element: HTMLElement | null;
  private readonly sliders: { input: HTMLInputElement; morph: number; target: number }[] = [];

  constructor(
    private readonly view: SceneView,
    signal: AbortSignal,
    changed: () => void,
  ) {
    const rows: Node[] = [];
    // Primitives of one mesh share their targets: one slider moves all of them.
    const seen = new Map<string, number[]>();
    view.morphs.forEach((morph, number) => {
      const key = `${morph.mesh.parent?.uuid ?? ''} ${morph.names.join(' ')}`;
      seen.set(key, [...(seen.get(key) ?? []), number]);
    });
    for (const numbers of seen.values()) {
      const first = view.morphs[numbers[0] ?? 0];
      const item = view.index.itemOf(first?.mesh ?? null);
      const owner = item?.kind === 'part' ? item.parent : item;
      if (seen.size > 1 && this.sliders.length < MAX_SLIDERS)
        rows.push(el('li', { class: 'scene-owner' }, owner?.name ?? ''));
      first?.names.forEach((name, target) => {
        if (this.sliders.length >= MAX_SLIDERS) return;
        const input = slider(`Morph target ${name}`, [0, 1, 0.01], 0, signal, weight => {
          for (const number of numbers) {
            const weights = view.morphs[number]?.mesh.morphTargetInfluences;
            if (weights) weights[target] = weight;
          }
          view.player.updateMorphs();
          changed();
        });
        this.sliders.push({ input, morph: numbers[0] ?? 0, target });
        rows.push(el('li', {}, el('span', { class: 'scene-row-label', title: name }, name), input));
      });
    }
    const all = [...seen.values()].reduce((sum, [first = 0]) => sum + (view.morphs[first]?.names.length ?? 0), 0);
    const listed = this.sliders.length;
    const note = all > listed ? [el('p', { class: 'scene-note' }, `Showing the first ${listed} of ${all}.`)] : [];
    this.element =
      rows.length === 0
        ? null
        : section(`Morph targets (${all})`, false, el('ul', { class: 'scene-blends' }, ...rows), ...note);
  }

  /** Shows the current weights. */
  update(): void {
    if (!(this.element instanceof HTMLDetailsElement) || !this.element.open) return;
    for (const { input, morph, target } of this.sliders) {
      const weight = String(this.view.morphs[morph]?.mesh.morphTargetInfluences?.[target] ?? 0);
      if (input.value !== weight) input.value = weight;
    }
  }
}
