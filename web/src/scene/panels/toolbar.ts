// The toolbar over the canvas: camera modes and a few actions. Other controls are in a menu.

import { CAMERA_MODES, type CameraMode, isCameraMode } from '../camera';
import { button, choice, el, setPressed, toggle, withIcon } from '../dom';
import { BRIGHTNESS, isBrightness, isShading, SHADINGS, type Shading } from '../materials/library';
import { isPixels, PIXELS, type Pixels } from '../pixels';
import { withKey } from '../shortcuts';
import type { ViewState } from '../state';
import type { SceneView } from '../view';
import { Menu } from './menu';

export interface ToolbarActions {
  /** Called when the camera mode changes. */
  onModeChange(mode: CameraMode): void;
  screenshot(): void;
  gif(): void;
  video(): void;
  measure(on: boolean): void;
}

export class Toolbar {
  readonly element: HTMLElement;
  private readonly cameras = new Map<CameraMode, HTMLButtonElement>();
  private readonly shading: HTMLSelectElement;
  private readonly pixels: HTMLSelectElement;
  private readonly grid: HTMLButtonElement;
  private readonly boxes: HTMLButtonElement;
  private readonly measure: HTMLButtonElement;
  private readonly atmosphere: HTMLButtonElement;
  private readonly menu: Menu;

  constructor(
    private readonly view: SceneView,
    private readonly state: ViewState,
    private readonly signal: AbortSignal,
    private readonly actions: ToolbarActions,
  ) {
    CAMERA_MODES.forEach(([mode, label], i) => {
      const it = button(label, withKey(HINTS[mode], String(i + 1)), signal, () => this.setCamera(mode));
      this.cameras.set(mode, it);
    });
    this.shading = choice('Shading', withKey('Shading', 'V'), SHADINGS, view.shading, signal, value => {
      if (isShading(value)) view.setShading(value);
      this.updateAtmosphereButton();
    });
    const pixels = state.get('pixels');
    this.pixels = choice(
      'Filtering',
      withKey('Texture filtering', 'X'),
      PIXELS,
      isPixels(pixels) ? pixels : 'file',
      signal,
      value => {
        if (isPixels(value)) view.setPixels(value);
      },
    );
    this.grid = toggle('Grid', withKey('Meter grid and axes', 'G'), state.isOn('grid'), signal, on =>
      view.showGrid(on),
    );
    this.boxes = toggle('Boxes', withKey('Bounding boxes', 'B'), state.isOn('boxes'), signal, on => view.showBoxes(on));
    this.measure = toggle('Measure', withKey('Measure a distance', 'M'), false, signal, on => {
      actions.measure(on);
      this.menu.close();
    });
    this.atmosphere = toggle('Fog and sky', 'Show the fog and sky of the world', view.isAtmosphereShown, signal, on =>
      view.setAtmosphere(on ? 'on' : 'off'),
    );
    this.menu = new Menu('More view options', this.menuControls(), signal);
    const frame = [
      withIcon(
        button('Reset view', withKey('Reset the view', 'R'), signal, () => this.reset()),
        'reset',
      ),
    ];
    frame.push(
      withIcon(
        button('Frame all', withKey('Frame the scene', 'F'), signal, () => view.viewpoint.frameAll()),
        'fit',
      ),
    );
    const screenshot = button('Screenshot', withKey('Save a PNG screenshot', 'P'), signal, actions.screenshot);
    this.element = el(
      'div',
      { class: 'scene-toolbar', role: 'toolbar', 'aria-label': 'Scene' },
      group('Camera', ...this.cameras.values()),
      group(
        'Frame',
        ...frame,
        ...(view.hasAtmosphere ? [withIcon(this.atmosphere, 'cloud')] : []),
        withIcon(screenshot, 'camera'),
        this.menu.element,
      ),
    );
    this.showCamera();
  }

  setCamera(mode: CameraMode): void {
    this.view.viewpoint.setMode(mode);
    this.showCamera();
    this.actions.onModeChange(mode);
  }

  reset(): void {
    this.view.viewpoint.reset();
    this.showCamera();
    this.actions.onModeChange('orbit');
  }

  /** Selects a camera mode by index. */
  pressCamera(number: number): void {
    const mode = CAMERA_MODES[number]?.[0];
    if (mode !== undefined && isCameraMode(mode)) this.setCamera(mode);
  }

  nextShading(by: number): string {
    const it = next(SHADINGS, this.view.shading, by);
    this.view.setShading(it[0] as Shading);
    this.shading.value = it[0];
    this.updateAtmosphereButton();
    return it[1];
  }

  nextPixels(): string {
    const it = next(PIXELS, this.pixels.value, 1);
    this.view.setPixels(it[0] as Pixels);
    this.pixels.value = it[0];
    return it[1];
  }

  press(which: 'grid' | 'boxes' | 'measure'): void {
    this[which].click();
  }

  /** Highlights the current camera mode. */
  showCamera(): void {
    for (const [mode, it] of this.cameras) setPressed(it, mode === this.view.rig.mode);
    this.view.updateAtmosphere();
    this.updateAtmosphereButton();
  }

  private menuControls(): Node[] {
    const { view, state, signal, actions } = this;
    const bright = state.get('bright');
    const brightness = choice(
      'Brightness',
      'Surface brightness',
      BRIGHTNESS,
      isBrightness(bright) ? bright : '1',
      signal,
      value => {
        view.setBrightness(value);
      },
    );
    const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const animated = toggle(
      'Animated textures',
      'Play texture animations',
      state.isOn('moving') && !prefersReducedMotion,
      signal,
      on => view.setTextureAnimations(on),
    );
    const hasAnimations = view.textureAnimations.count > 0 || view.hasAtmosphere;
    return [
      row('Shading', this.shading),
      row('Brightness', brightness),
      row('Filtering', this.pixels),
      group('Show', this.grid, this.boxes, ...(hasAnimations ? [animated] : [])),
      group(
        'Tools',
        this.measure,
        button('Frame selection', withKey('Frame the selection', 'C'), signal, () => view.viewpoint.frameSelection()),
      ),
      group(
        'Record',
        button('GIF', 'Save a turntable as GIF', signal, actions.gif),
        button('Video', 'Save a turntable as video', signal, actions.video),
      ),
    ];
  }

  /** Updates the fog and sky button; only game shading has an atmosphere. */
  private updateAtmosphereButton(): void {
    setPressed(this.atmosphere, this.view.isAtmosphereShown);
    this.atmosphere.disabled = this.view.shading !== 'game';
  }
}

const HINTS: Record<CameraMode, string> = {
  orbit: 'Orbit the scene',
  fly: 'Fly freely',
  walk: 'Walk on the ground',
};

function next(list: readonly (readonly [string, string])[], current: string, by: number): readonly [string, string] {
  const at = list.findIndex(([key]) => key === current);
  return list[(at + by + list.length) % list.length] ?? ['', ''];
}

function group(label: string, ...children: Node[]): HTMLElement {
  return el('div', { class: 'scene-group', role: 'group', 'aria-label': label }, ...children);
}

/** A control with a visible label; the control has a separate accessible name. */
function row(label: string, control: HTMLElement): HTMLElement {
  return el('div', { class: 'scene-menu-row' }, el('span', { 'aria-hidden': 'true' }, label), control);
}
