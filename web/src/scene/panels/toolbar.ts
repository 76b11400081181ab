// The bar over the picture: how the camera moves, and little else. Further controls are behind one button.

import { CAMERA_MODES, type CameraMode, isCameraMode } from '../camera';
import { button, choice, el, setPressed, toggle, withIcon } from '../dom';
import { BRIGHTNESS, isBrightness, isShading, SHADINGS, type Shading } from '../materials/library';
import { isPixels, PIXELS, type Pixels } from '../pixels';
import { withKey } from '../shortcuts';
import type { ViewState } from '../state';
import type { SceneView } from '../view';
import { Menu } from './menu';

export interface ToolbarActions {
  /** The camera moves in another way now. */
  moved(mode: CameraMode): void;
  screenshot(): void;
  gif(): void;
  film(): void;
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
  private readonly air: HTMLButtonElement;
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
      this.showAir();
    });
    const pixels = state.get('pixels');
    this.pixels = choice(
      'Pixels',
      withKey('How pixels are enlarged', 'X'),
      PIXELS,
      isPixels(pixels) ? pixels : 'file',
      signal,
      value => {
        if (isPixels(value)) view.setPixels(value);
      },
    );
    this.grid = toggle('Grid', withKey('Grid of meters, and axes', 'G'), state.isOn('grid'), signal, on =>
      view.showGrid(on),
    );
    this.boxes = toggle('Boxes', withKey('Bounding boxes', 'B'), state.isOn('boxes'), signal, on => view.showBoxes(on));
    this.measure = toggle('Measure', withKey('Measure from point to point', 'M'), false, signal, on => {
      actions.measure(on);
      this.menu.close();
    });
    this.air = toggle('Fog and sky', 'The air of the world, as one sees it from within', view.hasAir, signal, on =>
      view.setAir(on ? 'on' : 'off'),
    );
    this.menu = new Menu('More view options', this.furtherControls(), signal);
    const frame = [
      withIcon(
        button('Reset view', withKey('Back to the first view', 'R'), signal, () => this.reset()),
        'reset',
      ),
    ];
    frame.push(
      withIcon(
        button('Frame all', withKey('Show everything', 'F'), signal, () => view.vantage.frameAll()),
        'fit',
      ),
    );
    const screenshot = button('Screenshot', withKey('Save the picture as PNG', 'P'), signal, actions.screenshot);
    this.element = el(
      'div',
      { class: 'scene-toolbar', role: 'toolbar', 'aria-label': 'Scene' },
      group('Camera', ...this.cameras.values()),
      group(
        'Frame',
        ...frame,
        ...(view.knowsAir ? [withIcon(this.air, 'cloud')] : []),
        withIcon(screenshot, 'camera'),
        this.menu.element,
      ),
    );
    this.showCamera();
  }

  setCamera(mode: CameraMode): void {
    this.view.vantage.setMode(mode);
    this.showCamera();
    this.actions.moved(mode);
  }

  reset(): void {
    this.view.vantage.reset();
    this.showCamera();
    this.actions.moved('orbit');
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

  press(which: 'grid' | 'boxes' | 'measure'): void {
    this[which].click();
  }

  /** Marks the way the camera moves now. */
  showCamera(): void {
    for (const [mode, it] of this.cameras) setPressed(it, mode === this.view.rig.mode);
    this.view.showAir();
    this.showAir();
  }

  private furtherControls(): Node[] {
    const { view, state, signal, actions } = this;
    const bright = state.get('bright');
    const brightness = choice(
      'Brightness',
      'How bright surfaces are',
      BRIGHTNESS,
      isBrightness(bright) ? bright : '1',
      signal,
      value => {
        view.setBrightness(value);
      },
    );
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const moving = toggle(
      'Moving textures',
      'Textures whose picture moves',
      state.isOn('moving') && !isCalm,
      signal,
      on => view.moveTextures(on),
    );
    const hasMoving = view.moving.count > 0 || view.knowsAir;
    return [
      row('Shading', this.shading),
      row('Brightness', brightness),
      row('Pixels', this.pixels),
      group('Show', this.grid, this.boxes, ...(hasMoving ? [moving] : [])),
      group(
        'Tools',
        this.measure,
        button('Frame selection', withKey('Show the selection', 'C'), signal, () => view.vantage.frameSelection()),
      ),
      group(
        'Record',
        button('GIF', 'Save a turn around the scene as GIF', signal, actions.gif),
        button('Film', 'Save a turn around the scene as a film', signal, actions.film),
      ),
    ];
  }

  /** Says whether fog and sky are shown now: only what the game draws has them. */
  private showAir(): void {
    setPressed(this.air, this.view.hasAir);
    this.air.disabled = this.view.shading !== 'game';
  }
}

const HINTS: Record<CameraMode, string> = {
  orbit: 'Turn around the scene',
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

/** A choice with its label before it; the choice has a name of its own. */
function row(label: string, control: HTMLElement): HTMLElement {
  return el('div', { class: 'scene-menu-row' }, el('span', { 'aria-hidden': 'true' }, label), control);
}
