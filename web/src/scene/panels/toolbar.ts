// The buttons above the picture.

import { CAMERA_MODES, isCameraMode, type CameraMode } from '../camera';
import { button, choice, el, setPressed, toggle } from '../dom';
import { BRIGHTNESS, isBrightness, isShading, SHADINGS, type Shading } from '../materials/library';
import { isPixels, PIXELS, type Pixels } from '../pixels';
import { withKey } from '../shortcuts';
import type { ViewState } from '../state';
import type { SceneView } from '../view';

export interface ToolbarActions {
  screenshot(): void;
  gif(): void;
  film(): void;
  measure(on: boolean): void;
  panels(on: boolean): void;
}

export class Toolbar {
  readonly element: HTMLElement;
  readonly measure: HTMLButtonElement;
  private readonly cameras = new Map<CameraMode, HTMLButtonElement>();
  private readonly shading: HTMLSelectElement;
  private readonly pixels: HTMLSelectElement;
  private readonly grid: HTMLButtonElement;
  private readonly boxes: HTMLButtonElement;
  private readonly panels: HTMLButtonElement;
  private readonly air: HTMLButtonElement;

  constructor(
    private readonly view: SceneView,
    state: ViewState,
    signal: AbortSignal,
    actions: ToolbarActions,
  ) {
    CAMERA_MODES.forEach(([mode, label], i) => {
      const it = button(label, withKey(`Camera: ${label.toLowerCase()}`, String(i + 1)), signal, () => this.setCamera(mode));
      this.cameras.set(mode, it);
    });
    this.shading = choice('Shading', withKey('Shading', 'V'), SHADINGS, view.shading, signal, (value) => {
      if (isShading(value)) view.setShading(value);
      this.showAir();
    });
    const pixels = state.get('pixels');
    this.pixels = choice('Pixels', withKey('How pixels are enlarged', 'X'), PIXELS, isPixels(pixels) ? pixels : 'file', signal, (value) => {
      if (isPixels(value)) view.setPixels(value);
    });
    const bright = state.get('bright');
    const brightness = choice('Brightness', 'How bright surfaces are', BRIGHTNESS, isBrightness(bright) ? bright : '1', signal, (value) => {
      view.setBrightness(value);
    });
    this.grid = toggle('Grid', withKey('Grid of meters, and axes', 'G'), state.isOn('grid'), signal, (on) => view.showGrid(on));
    this.boxes = toggle('Boxes', withKey('Bounding boxes', 'B'), state.isOn('boxes'), signal, (on) => view.showBoxes(on));
    this.measure = toggle('Measure', withKey('Measure from point to point', 'M'), false, signal, actions.measure);
    this.panels = toggle('Panels', withKey('Layers, nodes, materials', 'L'), state.isOn('panels'), signal, actions.panels);
    this.air = toggle('Fog and sky', 'The air of the world, as one sees it from within', view.hasAir, signal, (on) => view.setAir(on ? 'on' : 'off'));
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const moving = toggle('Moving textures', 'Textures whose picture moves', state.isOn('moving') && !isCalm, signal, (on) => view.moveTextures(on));
    this.element = el(
      'div',
      { class: 'scene-toolbar', role: 'toolbar', 'aria-label': 'Scene' },
      group('Camera', ...this.cameras.values()),
      group(
        'Frame',
        button('Frame all', withKey('Show everything', 'F'), signal, () => view.vantage.frameAll()),
        button('Frame selection', withKey('Show the selection', '.'), signal, () => view.vantage.frameSelection()),
      ),
      group('Shading', this.shading, brightness, this.pixels),
      group('Show', this.grid, this.boxes, ...(view.moving.count > 0 || view.knowsAir ? [moving] : []), ...(view.knowsAir ? [this.air] : []), this.panels),
      group(
        'Tools',
        this.measure,
        button('Screenshot', withKey('Save the picture as PNG', 'P'), signal, actions.screenshot),
        button('GIF', withKey('Save a turn around the scene as GIF', 'T'), signal, actions.gif),
        button('Film', 'Save a turn around the scene as a film', signal, actions.film),
      ),
    );
    this.showCamera();
  }

  setCamera(mode: CameraMode): void {
    this.view.vantage.setMode(mode);
    this.showCamera();
  }

  /** A camera by its number, from 0. */
  pressCamera(number: number): void {
    const mode = CAMERA_MODES[number]?.[0];
    if (mode !== undefined && isCameraMode(mode)) this.setCamera(mode);
  }

  nextShading(by: number): string {
    const it = next(SHADINGS, this.view.shading, by);
    this.view.setShading(it[0] as Shading);
    this.shading.value = it[0];
    this.showAir();
    return it[1];
  }

  nextPixels(): string {
    const it = next(PIXELS, this.pixels.value, 1);
    this.view.setPixels(it[0] as Pixels);
    this.pixels.value = it[0];
    return it[1];
  }

  press(which: 'grid' | 'boxes' | 'measure' | 'panels'): void {
    this[which].click();
  }

  /** Says whether fog and sky are shown now: only what the game draws has them. */
  private showAir(): void {
    setPressed(this.air, this.view.hasAir);
    this.air.disabled = this.view.shading !== 'game';
  }

  /** Marks the way the camera moves now. */
  showCamera(): void {
    for (const [mode, it] of this.cameras) setPressed(it, mode === this.view.rig.mode);
    this.view.showAir();
    this.showAir();
  }
}

function next(list: readonly (readonly [string, string])[], current: string, by: number): readonly [string, string] {
  const at = list.findIndex(([key]) => key === current);
  return list[(at + by + list.length) % list.length] ?? ['', ''];
}

function group(label: string, ...children: Node[]): HTMLElement {
  return el('div', { class: 'scene-group', role: 'group', 'aria-label': label }, ...children);
}
