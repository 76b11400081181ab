// Elements without markup in strings: names from files only ever become text nodes and attribute values.

import { type IconName, PATHS } from '../ui/icon-paths';

type Child = Node | string;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A button. The tooltip ends with its key, where it has one. */
export function button(
  label: string,
  title: string,
  signal: AbortSignal,
  press: (button: HTMLButtonElement) => void,
): HTMLButtonElement {
  const it = el('button', { type: 'button', class: 'scene-button', title }, label);
  it.addEventListener('click', () => press(it), { signal });
  return it;
}

/** A button that stays down. */
export function toggle(
  label: string,
  title: string,
  on: boolean,
  signal: AbortSignal,
  change: (on: boolean) => void,
): HTMLButtonElement {
  const it = button(label, title, signal, () => {
    setPressed(it, !isPressed(it));
    change(isPressed(it));
  });
  setPressed(it, on);
  return it;
}

export function isPressed(it: HTMLButtonElement): boolean {
  return it.getAttribute('aria-pressed') === 'true';
}

export function setPressed(it: HTMLButtonElement, on: boolean): void {
  it.setAttribute('aria-pressed', String(on));
}

/** A select with a label that only screen readers need. */
export function choice(
  label: string,
  title: string,
  options: readonly (readonly [value: string, text: string])[],
  value: string,
  signal: AbortSignal,
  change: (value: string) => void,
): HTMLSelectElement {
  const it = el('select', { class: 'scene-select', 'aria-label': label, title });
  for (const [key, text] of options) it.append(el('option', { value: key }, text));
  it.value = value;
  it.addEventListener('change', () => change(it.value), { signal });
  return it;
}

/** A checkbox in its label. */
export function checkbox(
  label: string,
  on: boolean,
  signal: AbortSignal,
  change: (on: boolean) => void,
): { label: HTMLLabelElement; input: HTMLInputElement } {
  const input = el('input', { type: 'checkbox' });
  input.checked = on;
  input.addEventListener('change', () => change(input.checked), { signal });
  return { label: el('label', { class: 'scene-check' }, input, label), input };
}

/** A slider with an accessible name. */
export function slider(
  label: string,
  [min, max, step]: readonly [number, number, number],
  value: number,
  signal: AbortSignal,
  change: (value: number) => void,
): HTMLInputElement {
  const it = el('input', {
    type: 'range',
    class: 'scene-slider',
    'aria-label': label,
    min: String(min),
    max: String(max),
    step: String(step),
  });
  it.value = String(value);
  it.addEventListener('input', () => change(it.valueAsNumber), { signal });
  return it;
}

/** Gives a blob to the reader as a file. */
export function download(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  const link = el('a', { href, download: name });
  link.click();
  // The browser has taken the address by the next task, but some take it late.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

const SVG = 'http://www.w3.org/2000/svg';

/** One of the drawings of the page. */
export function drawing(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  const attributes = {
    class: 'icon',
    viewBox: '0 0 16 16',
    width: '16',
    height: '16',
    'aria-hidden': 'true',
    focusable: 'false',
  };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const stroke = {
    d: PATHS[name],
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '1.3',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  };
  for (const [key, value] of Object.entries(stroke)) path.setAttribute(key, value);
  svg.append(path);
  return svg;
}

/** Shows a drawing in place of the label of a button; the label stays its name. */
export function withIcon(it: HTMLButtonElement, name: IconName, label = it.textContent ?? ''): HTMLButtonElement {
  it.setAttribute('aria-label', label);
  it.classList.add('scene-icon');
  it.replaceChildren(drawing(name));
  return it;
}
