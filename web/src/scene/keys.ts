// What keys do while the focus is in the scene view, or nowhere.

import type { ClipBar } from './panels/clipbar';
import type { Toolbar } from './panels/toolbar';
import { isTyping } from './shortcuts';
import type { SceneView } from './view';

/** Radians for one press of an arrow. */
const TURN = Math.PI / 24;
const NEARER = 0.85;

export interface KeyActions {
  screenshot(): void;
  clear(): void;
  announce(text: string): void;
}

export function listenToKeys(
  isMeant: (target: EventTarget | null) => boolean,
  view: SceneView,
  toolbar: Toolbar | null,
  clips: ClipBar,
  actions: KeyActions,
  signal: AbortSignal,
): void {
  const does: Record<string, (event: KeyboardEvent) => void> = {
    '1': () => toolbar?.pressCamera(0),
    '2': () => toolbar?.pressCamera(1),
    '3': () => toolbar?.pressCamera(2),
    r: () => toolbar?.reset(),
    f: () => view.vantage.frameAll(),
    c: () => view.vantage.frameSelection(),
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
    arrowleft: () => view.rig.orbitBy(-TURN, 0),
    arrowright: () => view.rig.orbitBy(TURN, 0),
    arrowup: () => view.rig.orbitBy(0, TURN),
    arrowdown: () => view.rig.orbitBy(0, -TURN),
    '+': () => view.rig.zoomBy(NEARER),
    '=': () => view.rig.zoomBy(NEARER),
    '-': () => view.rig.zoomBy(1 / NEARER),
  };
  document.addEventListener(
    'keydown',
    event => {
      if (
        !isMeant(event.target) ||
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTyping(event)
      )
        return;
      const action = does[event.key.toLowerCase()];
      if (!action) return;
      // The page has keys of its own; these were meant for the picture.
      event.preventDefault();
      event.stopPropagation();
      action(event);
    },
    { signal },
  );
}
