// The picture and its controls, put together.

import type { CameraMode } from './camera';
import { Capture } from './capture';
import { el } from './dom';
import { HoverName } from './hover';
import { listenToKeys } from './keys';
import type { LoadedScene } from './load';
import { fieldOf, type Item } from './objects';
import { Pad } from './pad';
import { ClipBar } from './panels/clipbar';
import { Panels } from './panels/panels';
import { Toolbar } from './panels/toolbar';
import { fileName, saveScreenshot } from './screenshot';
import { ViewState } from './state';
import { Turntable } from './turntable';
import type { FrameCost, SceneOptions, Theme } from './types';
import { meters } from './units';
import { SceneView, type ViewEvents } from './view';
import { Viewer } from './viewer';

/** Scenes with more triangles than this are slow on many computers. */
const MANY_TRIANGLES = 3_000_000;

/** A message stays for so long, in milliseconds. */
const READ_MS = 8000;

const HELP =
  '3D view. Drag to turn, scroll to zoom, click to select. Arrow keys turn, plus and minus zoom, F frames everything.';

export class Stage {
  private readonly message = el('p', { class: 'scene-message', role: 'status' });
  private readonly info = el('p', { class: 'scene-info' });
  private readonly surface: HTMLElement;
  private readonly state: ViewState;
  private readonly observer: ResizeObserver;
  private readonly name: string;
  private view: SceneView | null = null;
  private toolbar: Toolbar | null = null;
  private panels: Panels | null = null;
  private clips: ClipBar | null = null;
  private pad: Pad | null = null;
  private capture: Capture | null = null;
  private fade = 0;
  private work: AbortController | null = null;
  /** The field that was selected last, here or by the page. */
  private lastPicked: string | null = null;
  private wasSelected = false;

  static async make(
    element: HTMLElement,
    loaded: LoadedScene,
    options: SceneOptions,
    signal: AbortSignal,
  ): Promise<Stage> {
    const stage = new Stage(element, options, signal);
    try {
      await stage.fill(loaded);
    } catch (error) {
      stage.dispose();
      throw error;
    }
    return stage;
  }

  private readonly viewer: Viewer;

  private constructor(
    private readonly element: HTMLElement,
    private readonly options: SceneOptions,
    private readonly signal: AbortSignal,
  ) {
    this.name = fileName(options.url);
    const canvas = el('canvas', { class: 'scene-canvas', role: 'img', 'aria-label': `Scene: ${this.name}` });
    this.surface = el(
      'div',
      { class: 'scene-stage', tabindex: '0', role: 'group', 'aria-label': HELP },
      canvas,
      this.message,
      this.info,
    );
    element.append(this.surface);
    this.state = new ViewState(options.state, state => options.onState(state));
    this.viewer = new Viewer(canvas, this.surface);
    this.observer = new ResizeObserver(() => this.viewer.resize());
    this.observer.observe(this.surface);
    canvas.addEventListener('pointerdown', () => this.surface.focus({ preventScroll: true }), { signal });
    this.listenToContext(canvas);
  }

  select(field: string | null): void {
    // The page answers a click with the field of what was clicked: that is selected already, and the camera stays.
    if (!this.view || field === this.lastPicked) return;
    this.lastPicked = field;
    // An address that says where one stands says more than the field that is selected there.
    const isRestored = !this.wasSelected && this.state.get('eye') !== '';
    this.wasSelected = true;
    const isFound = this.view.select(field, isRestored ? 'only' : 'and frame');
    this.panels?.select(this.view.selection.items);
    this.tellSelection(this.view.selection.items[0] ?? null);
    if (field !== null && !isFound) this.say(`${field} has nothing in the picture.`);
    else this.say('');
  }

  get panelElement(): HTMLElement | null {
    return this.panels?.element ?? null;
  }

  playClip(name: string): void {
    this.clips?.chooseNamed(name);
  }

  hover(field: string | null): void {
    this.view?.hoverField(field);
  }

  setTheme(theme: Theme): void {
    this.view?.setTheme(theme);
  }

  resize(): void {
    this.viewer.resize();
  }

  frameCost(): FrameCost {
    return this.viewer.frameCost();
  }

  dispose(): void {
    this.work?.abort();
    clearTimeout(this.fade);
    this.observer.disconnect();
    this.state.dispose();
    this.view?.dispose();
    this.view = null;
    this.viewer.dispose();
  }

  private async fill(loaded: LoadedScene): Promise<void> {
    const { viewer, surface, state, options, signal } = this;
    const events: ViewEvents = {
      picked: (item, field) => this.picked(item, field),
      measured: text => this.say(text, 'aloud'),
      played: () => {
        this.clips?.update();
        this.panels?.update();
      },
    };
    const view = await SceneView.of(viewer, loaded, this.isMeant, state, options.theme, events, signal);
    this.view = view;
    this.clips = new ClipBar(view, state, signal, options.announce);
    if (!options.compact) this.addControls(view, this.clips);
    // The controls have taken their room.
    viewer.resize();
    view.restore();
    this.toolbar?.showCamera();
    this.showPad(view.rig.mode);
    const actions = {
      screenshot: () => void this.screenshot(),
      clear: () => this.clear(),
      announce: options.announce,
    };
    listenToKeys(this.isMeant, view, this.toolbar, this.clips, actions, signal);
    this.describe(view, loaded);
    const hovered = (item: Item | null): void => {
      const meant = item ? view.meant(item) : null;
      view.hover(meant ? [meant] : []);
      options.onHover(meant ? fieldOf(view.index, meant) : null);
    };
    if (!options.compact)
      new HoverName(surface, viewer.canvas, view.picking, signal, item => nameOf(view.meant(item)), hovered);
    viewer.onTick(() => {
      this.showInfo(view);
      return false;
    });
    viewer.request();
  }

  private addControls(view: SceneView, clips: ClipBar): void {
    const { state, signal } = this;
    this.panels = new Panels(view, signal, {
      item: item => this.chosen([item], item),
      surface: items => this.chosen(items, null),
      blended: () => this.viewer.request(),
    });
    this.pad = new Pad(view.rig.fly, signal);
    this.capture = new Capture(this.viewer, view.rig, text => this.say(text), signal);
    this.toolbar = new Toolbar(view, state, signal, {
      moved: mode => this.movesAs(mode),
      screenshot: () => void this.screenshot(),
      gif: () => void this.turntable('gif'),
      film: () => void this.turntable('film'),
      measure: on => this.setMeasuring(on),
    });
    this.element.append(this.pad.element);
    if (clips.element) this.element.append(clips.element);
    this.element.prepend(this.toolbar.element);
    this.panels.select(view.selection.items);
  }

  /** Whether a key that was pressed there is meant for the picture: in it, or where nothing else takes keys. */
  private readonly isMeant = (target: EventTarget | null): boolean => {
    if (!(target instanceof Node)) return false;
    if (this.element.contains(target)) return true;
    const isNowhere = target === document.body || (target instanceof Element && target.id === 'main');
    return isNowhere && !this.options.compact && !document.querySelector('dialog[open]');
  };

  /** The camera moves in another way: its keys act at once, and the mouse looks around. */
  private movesAs(mode: CameraMode): void {
    this.showPad(mode);
    this.surface.focus({ preventScroll: true });
    if (mode === 'orbit') {
      this.capture?.release();
      this.say('');
      return;
    }
    this.say(isTouched() ? 'Drag to look, use the buttons to move.' : 'W A S D to move, drag to look.');
    if (!isTouched()) this.capture?.request();
  }

  private showPad(mode: CameraMode): void {
    if (this.pad) this.pad.element.hidden = mode === 'orbit' || !isTouched();
  }

  /** A row of a panel was chosen: the same as a click on it, and it is brought into view. */
  private chosen(items: readonly Item[], item: Item | null): void {
    const { view } = this;
    if (!view) return;
    view.choose(items);
    view.vantage.frameSelection();
    if (item) this.picked(item, fieldOf(view.index, item));
    else this.say(`${items.length} selected`);
  }

  private picked(item: Item | null, field: string | null): void {
    const name = item ? nameOf(item) : null;
    this.lastPicked = field;
    this.wasSelected = true;
    this.options.onPick(field, name);
    this.panels?.select(item ? [item] : []);
    this.tellSelection(item);
    this.say(name ?? '', 'aloud');
  }

  private tellSelection(item: Item | null): void {
    const { view } = this;
    if (!view) return;
    const { script } = item?.extras ?? {};
    const clips = view.player.clips
      .map(clip => clip.name)
      .filter(name => typeof script === 'string' && name.startsWith(`${script}: `));
    this.options.onSelected(
      item
        ? { name: nameOf(item), layer: item.layer, field: fieldOf(view.index, item), extras: item.extras, clips }
        : null,
    );
  }

  private clear(): void {
    if (this.capture?.isOn) {
      this.capture.release();
      return;
    }
    if (this.view?.measure.isOn) this.toolbar?.press('measure');
    this.view?.choose([]);
    this.picked(null, null);
    this.work?.abort();
  }

  private setMeasuring(on: boolean): void {
    this.view?.measure.turn(on);
    this.surface.classList.toggle('scene-measuring', on);
    this.say(on ? 'Click one end of what is to be measured.' : '', 'aloud');
    this.viewer.request();
  }

  private async screenshot(): Promise<void> {
    try {
      await saveScreenshot(this.viewer, this.name);
      this.options.announce('Screenshot saved');
    } catch (error) {
      this.say(`The screenshot cannot be saved: ${String(error)}`, 'aloud');
    }
  }

  private async turntable(kind: 'gif' | 'film'): Promise<void> {
    const { view } = this;
    if (!view || this.work) return;
    const work = new AbortController();
    this.work = work;
    const progress = (part: number): void => this.say(`Recording: ${Math.round(part * 100)} %. Escape stops it.`);
    try {
      const table = new Turntable(this.viewer, view.rig, view.player, view.vantage.box(), view.grid);
      await table[kind](this.name, work.signal, progress);
      this.say(work.signal.aborted ? 'Stopped' : 'Saved', 'aloud');
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), 'aloud');
    } finally {
      this.work = null;
    }
  }

  private describe(view: SceneView, { bytes }: LoadedScene): void {
    let triangles = 0;
    for (const { mesh } of view.index.parts) {
      const { geometry } = mesh;
      triangles += (geometry.getIndex()?.count ?? geometry.getAttribute('position')?.count ?? 0) / 3;
    }
    const counts = `${view.index.parts.length} objects, ${Math.round(triangles).toLocaleString('en')} triangles`;
    this.viewer.canvas.setAttribute('aria-label', `Scene: ${this.name}, ${counts}`);
    if (view.index.parts.length === 0) this.say('There is nothing to see in this scene.', 'aloud');
    else if (view.vantage.isPartial) this.say('Shown: where things are. F shows everything.');
    else if (triangles > MANY_TRIANGLES)
      this.say(`A large scene (${counts}, ${Math.round(bytes / 1e6)} MB): it may be slow.`, 'aloud');
  }

  private showInfo(view: SceneView): void {
    const text = this.state.isOn('grid') ? `Grid ${meters(view.grid.spacing)}` : '';
    if (this.info.textContent !== text) this.info.textContent = text;
  }

  private say(text: string, how: 'quiet' | 'aloud' = 'quiet'): void {
    this.message.textContent = text;
    clearTimeout(this.fade);
    this.message.classList.remove('is-gone');
    // A hint has been read after a while; what was asked for stays.
    if (text !== '' && how === 'quiet')
      this.fade = window.setTimeout(() => this.message.classList.add('is-gone'), READ_MS);
    if (how === 'aloud' && text !== '') this.options.announce(text);
  }

  private listenToContext(canvas: HTMLCanvasElement): void {
    const { signal } = this;
    canvas.addEventListener(
      'webglcontextlost',
      event => {
        if (!this.view) return;
        event.preventDefault();
        this.say('The graphics card has dropped the picture; it comes back as soon as the card allows.', 'aloud');
      },
      { signal },
    );
    canvas.addEventListener(
      'webglcontextrestored',
      () => {
        this.say('');
        this.viewer.request();
      },
      { signal },
    );
  }
}

/** Whether fingers are the first way to point here. */
function isTouched(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}

/** What an item is called; a part with the thing that it is of. */
function nameOf(item: Item): string {
  return item.kind === 'part' && item.parent ? `${item.parent.name}: ${item.name}` : item.name;
}
