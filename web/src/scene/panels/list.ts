// A virtualized list for thousands of rows.

import { el } from '../dom';

const ROW = 24;
const OVERSCAN = 6;

export interface Row {
  readonly label: string;
  readonly detail: string;
  readonly depth: number;
  readonly isDimmed: boolean;
}

let lists = 0;

export class VirtualList {
  readonly element: HTMLDivElement;
  private readonly space = el('div', { class: 'scene-list-space', role: 'presentation' });
  private readonly id = `scene-list-${lists++}`;
  private shown: number[] = [];
  private active = -1;
  private selected = new Set<number>();

  constructor(
    label: string,
    private readonly row: (number: number) => Row,
    private readonly chosen: (number: number) => void,
    signal: AbortSignal,
    /** Called with the row under the pointer, or null. */
    onHover: (number: number | null) => void = () => undefined,
  ) {
    this.element = el('div', { class: 'scene-list', role: 'listbox', tabindex: '0', 'aria-label': label }, this.space);
    this.element.addEventListener('scroll', () => this.draw(), { signal, passive: true });
    this.element.addEventListener('keydown', event => this.onKeyDown(event), { signal });
    this.element.addEventListener('click', event => this.onClick(event), { signal });
    this.element.addEventListener('pointerover', event => onHover(this.numberAt(event)), { signal });
    this.element.addEventListener('pointerleave', () => onHover(null), { signal });
    // The height is only known when the panel is shown.
    const observer = new ResizeObserver(() => this.draw());
    observer.observe(this.element);
    signal.addEventListener('abort', () => observer.disconnect());
  }

  /** Sets the rows to show, by number. */
  setRows(numbers: number[]): void {
    this.shown = numbers;
    this.active = -1;
    this.space.style.height = `${numbers.length * ROW}px`;
    this.draw();
  }

  select(numbers: readonly number[]): void {
    this.selected = new Set(numbers);
    const at = this.shown.findIndex(number => this.selected.has(number));
    if (at >= 0) {
      this.active = at;
      this.reveal(at);
    }
    this.draw();
  }

  private onKeyDown(event: KeyboardEvent): void {
    const last = this.shown.length - 1;
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW) - 1);
    const steps: Record<string, number> = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: last,
    };
    const to = steps[event.key];
    if (to === undefined || last < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.activate(Math.min(last, Math.max(0, to)));
  }

  private onClick(event: MouseEvent): void {
    const at = rowOf(event);
    if (at !== null) this.activate(at);
  }

  private numberAt(event: MouseEvent): number | null {
    const at = rowOf(event);
    return at === null ? null : (this.shown[at] ?? null);
  }

  private activate(at: number): void {
    const number = this.shown[at];
    if (number === undefined) return;
    this.active = at;
    this.selected = new Set([number]);
    this.reveal(at);
    this.draw();
    this.chosen(number);
  }

  private reveal(at: number): void {
    const { element } = this;
    const top = at * ROW;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW - element.clientHeight;
  }

  private draw(): void {
    const { element, shown } = this;
    const first = Math.max(0, Math.floor(element.scrollTop / ROW) - OVERSCAN);
    const last = Math.min(shown.length, Math.ceil((element.scrollTop + element.clientHeight) / ROW) + OVERSCAN);
    const rows: Node[] = [];
    for (let at = first; at < last; at++) rows.push(this.rowAt(at));
    this.space.replaceChildren(...rows);
    const isSeen = this.active >= first && this.active < last;
    if (isSeen) element.setAttribute('aria-activedescendant', `${this.id}-${this.active}`);
    else element.removeAttribute('aria-activedescendant');
  }

  private rowAt(at: number): HTMLElement {
    const number = this.shown[at] ?? 0;
    const { label, detail, depth, isDimmed } = this.row(number);
    const it = el(
      'div',
      {
        class: isDimmed ? 'scene-row scene-row-dim' : 'scene-row',
        role: 'option',
        id: `${this.id}-${at}`,
        'data-row': String(at),
        'aria-selected': String(this.selected.has(number)),
        'aria-setsize': String(this.shown.length),
        'aria-posinset': String(at + 1),
        title: detail === '' ? label : `${label} – ${detail}`,
      },
      el('span', { class: 'scene-row-label' }, label),
      el('span', { class: 'scene-row-detail' }, detail),
    );
    it.style.top = `${at * ROW}px`;
    it.style.paddingLeft = `${8 + Math.min(depth, 8) * 12}px`;
    return it;
  }
}

/** The index of the visible row at an event. */
function rowOf({ target }: Event): number | null {
  const row = target instanceof Element ? target.closest('[data-row]') : null;
  return row ? Number(row.getAttribute('data-row')) : null;
}
