// Combines the canvas and its controls.

import type { CameraMode } from './camera';
import { el } from './dom';
import { HoverLabel } from './hover-label';
import { listenToKeys } from './keys';
import type { LoadedScene } from './load';
import { fieldOf, type Item } from './objects';
import { ClipBar } from './panels/clipbar';
import { Panels } from './panels/panels';
import { Toolbar } from './panels/toolbar';
import { PointerLock } from './pointer-lock';
import { fileName, saveScreenshot } from './screenshot';
import { ViewState } from './state';
import { TouchPad } from './touch-pad';
import { Turntable } from './turntable';
import type { FrameCost, SceneOptions, Theme } from './types';
import { meters } from './units';
import { SceneView, type ViewEvents } from './view';
import { Viewer } from './viewer';

/** Number of triangles above which a scene is slow on many computers. */
const SLOW_TRIANGLES = 3_000_000;

/** Duration of a message, in milliseconds. */
const MESSAGE_MS = 8000;

const HELP =
  '3D view. Drag to orbit, scroll to zoom, click to select. Arrow keys orbit, plus and minus zoom, F frames the scene.';

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
  private pad: TouchPad | null = null;
  private pointerLock: PointerLock | null = null;
  private fadeTimer = 0;
  private recording: AbortController | null = null;
  /** The last selected field, from here or from the page. */
  private lastPicked: string | null = null;
  private wasSelected = false;

  static async create(
    element: HTMLElement,
    loaded: LoadedScene,
    options: SceneOptions,
    signal: AbortSignal,
  ): Promise<Stage> {
    const stage = new Stage(element, options, signal);
    try {
      await stage.initialize(loaded);
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
    // The page reports the clicked field back: it is already selected, and the camera must not move.
    if (!this.view || field === this.lastPicked) return;
    this.lastPicked = field;
    // A camera position in the URL takes precedence over framing the selected field.
    const isRestored = !this.wasSelected && this.state.get('eye') !== '';
    this.wasSelected = true;
    const isFound = this.view.select(field, isRestored ? 'select' : 'select and frame');
    this.panels?.select(this.view.selection.items);
    this.reportSelection(this.view.selection.items[0] ?? null);
    if (field !== null && !isFound) this.showMessage(`${field} has no object in this scene.`);
    else this.showMessage('');
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
    this.recording?.abort();
    clearTimeout(this.fadeTimer);
    this.observer.disconnect();
    this.state.dispose();
    this.view?.dispose();
    this.view = null;
    this.viewer.dispose();
  }

  private async initialize(loaded: LoadedScene): Promise<void> {
    const { viewer, surface, state, options, signal } = this;
    const events: ViewEvents = {
      picked: (item, field) => this.picked(item, field),
      measured: text => this.showMessage(text, 'announce'),
      played: () => {
        this.clips?.update();
        this.panels?.update();
      },
    };
    const view = await SceneView.of(viewer, loaded, this.acceptsKeys, state, options.theme, events, signal);
    this.view = view;
    this.clips = new ClipBar(view, state, signal, options.announce);
    if (!options.compact) this.addControls(view, this.clips);
    // The controls have changed the size of the canvas.
    viewer.resize();
    view.restore();
    this.toolbar?.showCamera();
    this.showPad(view.rig.mode);
    const actions = {
      screenshot: () => void this.screenshot(),
      clear: () => this.clear(),
      announce: options.announce,
    };
    listenToKeys(this.acceptsKeys, view, this.toolbar, this.clips, actions, signal);
    this.describe(view, loaded);
    const hovered = (item: Item | null): void => {
      const target = item ? view.selectionTarget(item) : null;
      view.hover(target ? [target] : []);
      options.onHover(target ? fieldOf(view.index, target) : null);
    };
    if (!options.compact)
      new HoverLabel(surface, viewer.canvas, view.picking, signal, item => nameOf(view.selectionTarget(item)), hovered);
    viewer.onTick(() => {
      this.showInfo(view);
      return false;
    });
    viewer.request();
  }

  private addControls(view: SceneView, clips: ClipBar): void {
    const { state, signal } = this;
    this.panels = new Panels(view, signal, {
      item: item => this.onPanelChoice([item], item),
      surface: items => this.onPanelChoice(items, null),
      blended: () => this.viewer.request(),
    });
    this.pad = new TouchPad(view.rig.fly, signal);
    this.pointerLock = new PointerLock(this.viewer, view.rig, text => this.showMessage(text), signal);
    this.toolbar = new Toolbar(view, state, signal, {
      onModeChange: mode => this.onModeChange(mode),
      screenshot: () => void this.screenshot(),
      gif: () => void this.turntable('gif'),
      video: () => void this.turntable('video'),
      measure: on => this.setMeasuring(on),
    });
    this.element.append(this.pad.element);
    if (clips.element) this.element.append(clips.element);
    this.element.prepend(this.toolbar.element);
    this.panels.select(view.selection.items);
  }

  /** Whether the scene handles keys pressed on a target: inside the scene, or where no other element handles them. */
  private readonly acceptsKeys = (target: EventTarget | null): boolean => {
    if (!(target instanceof Node)) return false;
    if (this.element.contains(target)) return true;
    const isNowhere = target === document.body || (target instanceof Element && target.id === 'main');
    return isNowhere && !this.options.compact && !document.querySelector('dialog[open]');
  };

  /** Handles a change of the camera mode: focuses the canvas and captures the mouse. */
  private onModeChange(mode: CameraMode): void {
    this.showPad(mode);
    this.surface.focus({ preventScroll: true });
    if (mode === 'orbit') {
      this.pointerLock?.release();
      this.showMessage('');
      return;
    }
    this.showMessage(isTouchDevice() ? 'Drag to look, use the buttons to move.' : 'W A S D to move, drag to look.');
    if (!isTouchDevice()) this.pointerLock?.request();
  }

  private showPad(mode: CameraMode): void {
    if (this.pad) this.pad.element.hidden = mode === 'orbit' || !isTouchDevice();
  }

  /** Selects the items of a chosen panel row, like a click, and frames them. */
  private onPanelChoice(items: readonly Item[], item: Item | null): void {
    const { view } = this;
    if (!view) return;
    view.choose(items);
    view.viewpoint.frameSelection();
    if (item) this.picked(item, fieldOf(view.index, item));
    else this.showMessage(`${items.length} selected`);
  }

  private picked(item: Item | null, field: string | null): void {
    const name = item ? nameOf(item) : null;
    this.lastPicked = field;
    this.wasSelected = true;
    this.options.onPick(field, name);
    this.panels?.select(item ? [item] : []);
    this.reportSelection(item);
    this.showMessage(name ?? '', 'announce');
  }

  private reportSelection(item: Item | null): void {
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
    if (this.pointerLock?.isOn) {
      this.pointerLock.release();
      return;
    }
    if (this.view?.measure.isOn) this.toolbar?.press('measure');
    this.view?.choose([]);
    this.picked(null, null);
    this.recording?.abort();
  }

  private setMeasuring(on: boolean): void {
    this.view?.measure.setActive(on);
    this.surface.classList.toggle('scene-measuring', on);
    this.showMessage(on ? 'Click the first point.' : '', 'announce');
    this.viewer.request();
  }

  private async screenshot(): Promise<void> {
    try {
      await saveScreenshot(this.viewer, this.name);
      this.options.announce('Screenshot saved');
    } catch (error) {
      this.showMessage(`Cannot save the screenshot: ${String(error)}`, 'announce');
    }
  }

  private async turntable(kind: 'gif' | 'video'): Promise<void> {
    const { view } = this;
    if (!view || this.recording) return;
    const recording = new AbortController();
    this.recording = recording;
    const progress = (part: number): void =>
      this.showMessage(`Recording: ${Math.round(part * 100)}%. Press Escape to stop.`);
    try {
      const table = new Turntable(this.viewer, view.rig, view.player, view.viewpoint.box(), view.grid);
      await table[kind](this.name, recording.signal, progress);
      this.showMessage(recording.signal.aborted ? 'Stopped' : 'Saved', 'announce');
    } catch (error) {
      this.showMessage(error instanceof Error ? error.message : String(error), 'announce');
    } finally {
      this.recording = null;
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
    if (view.index.parts.length === 0) this.showMessage('This scene has no visible objects.', 'announce');
    else if (view.viewpoint.isPartial)
      this.showMessage('Showing the main group of objects. Press F to frame the scene.');
    else if (triangles > SLOW_TRIANGLES)
      this.showMessage(`Large scene (${counts}, ${Math.round(bytes / 1e6)} MB); rendering may be slow.`, 'announce');
  }

  private showInfo(view: SceneView): void {
    const text = this.state.isOn('grid') ? `Grid ${meters(view.grid.spacing)}` : '';
    if (this.info.textContent !== text) this.info.textContent = text;
  }

  private showMessage(text: string, how: 'silent' | 'announce' = 'silent'): void {
    this.message.textContent = text;
    clearTimeout(this.fadeTimer);
    this.message.classList.remove('is-gone');
    // Hints fade out; messages that were announced stay.
    if (text !== '' && how === 'silent')
      this.fadeTimer = window.setTimeout(() => this.message.classList.add('is-gone'), MESSAGE_MS);
    if (how === 'announce' && text !== '') this.options.announce(text);
  }

  private listenToContext(canvas: HTMLCanvasElement): void {
    const { signal } = this;
    canvas.addEventListener(
      'webglcontextlost',
      event => {
        if (!this.view) return;
        event.preventDefault();
        this.showMessage('The WebGL context was lost. Rendering resumes when the browser restores it.', 'announce');
      },
      { signal },
    );
    canvas.addEventListener(
      'webglcontextrestored',
      () => {
        this.showMessage('');
        this.viewer.request();
      },
      { signal },
    );
  }
}

/** Whether the primary pointer is a finger. */
function isTouchDevice(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}

/** The name of an item; a part is prefixed with its node's name. */
function nameOf(item: Item): string {
  return item.kind === 'part' && item.parent ? `${item.parent.name}: ${item.name}` : item.name;
}
