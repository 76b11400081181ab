// Keyboard shortcuts while the scene view or no element has the focus.

import type { ClipBar } from './panels/clipbar';
import type { Toolbar } from './panels/toolbar';
import { isTyping } from './shortcuts';
import type { SceneView } from './view';

/** Radians per press of an arrow key. */
const ORBIT_STEP = Math.PI / 24;
const ZOOM_STEP = 0.85;

export interface KeyActions {
  screenshot(): void;
  clear(): void;
  announce(text: string): void;
}

export function listenToKeys(
  acceptsKeys: (target: EventTarget | null) => boolean,
  view: SceneView,
  toolbar: Toolbar | null,
  clips: ClipBar,
  actions: KeyActions,
  signal: AbortSignal,
): void {
  const shortcuts: Record<string, (event: KeyboardEvent) => void> = {
    '1': () => toolbar?.pressCamera(0),
    '2': () => toolbar?.pressCamera(1),
    '3': () => toolbar?.pressCamera(2),
    r: () => toolbar?.reset(),
    f: () => view.viewpoint.frameAll(),
    c: () => view.viewpoint.frameSelection(),
    v: event => actions.announce(toolbar?.nextShading(event.shiftKey ? -1 : 1) ?? ''),
    x: () => actions.announce(toolbar?.nextPixels() ?? ''),
    g: () => toolbar?.press('grid'),
    b: () => toolbar?.press('boxes'),
    m: () => toolbar?.press('measure'),
    p: () => actions.screenshot(),
    ' ': () => clips.toggle(),
    j: () => clips.step(-1),
    k: () => clips.step(1),
    l: () => clips.pressLoop(),
    escape: () => actions.clear(),
    arrowleft: () => view.rig.orbitBy(-ORBIT_STEP, 0),
    arrowright: () => view.rig.orbitBy(ORBIT_STEP, 0),
    arrowup: () => view.rig.orbitBy(0, ORBIT_STEP),
    arrowdown: () => view.rig.orbitBy(0, -ORBIT_STEP),
    '+': () => view.rig.zoomBy(ZOOM_STEP),
    '=': () => view.rig.zoomBy(ZOOM_STEP),
    '-': () => view.rig.zoomBy(1 / ZOOM_STEP),
  };
  document.addEventListener(
    'keydown',
    event => {
      if (
        !acceptsKeys(event.target) ||
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTyping(event)
      )
        return;
      const action = shortcuts[event.key.toLowerCase()];
      if (!action) return;
      // Do not trigger the shortcuts of the page.
      event.preventDefault();
      event.stopPropagation();
      action(event);
    },
    { signal },
  );
}
