// Creates elements without parsing markup: names from files only become text nodes and attribute values.

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

/** Creates a button. The tooltip ends with its keyboard shortcut, if any. */
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

/** Creates a toggle button. */
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

/** Creates a select element with a label for screen readers only. */
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

/** Creates a checkbox inside its label. */
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

/** Creates a slider with an accessible name. */
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

/** Downloads a blob as a file. */
export function download(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  const link = el('a', { href, download: name });
  link.click();
  // Some browsers read the URL late.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

const SVG = 'http://www.w3.org/2000/svg';

/** Creates an icon. */
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

/** Replaces the text of a button with an icon; the label stays its accessible name. */
export function withIcon(it: HTMLButtonElement, name: IconName, label = it.textContent ?? ''): HTMLButtonElement {
  it.setAttribute('aria-label', label);
  it.classList.add('scene-icon');
  it.replaceChildren(drawing(name));
  return it;
}
