// The scene view: loads a GLB into an element of the page, with everything around it.

import './scene.css';
import { el } from './dom';
import { type LoadedScene, loadScene, messageOf, SceneError } from './load';
import { Stage } from './stage';
import type { FrameCost, SceneHandle, SceneOptions, Theme } from './types';

export { shortcuts } from './shortcuts';
export type { SceneHandle, SceneOptions } from './types';

const NO_FRAMES: FrameCost = { frames: 0, mean: 0, p95: 0, worst: 0 };

export async function mountScene(host: HTMLElement, options: SceneOptions): Promise<SceneHandle> {
  const abort = new AbortController();
  options.signal.addEventListener('abort', () => abort.abort(), { once: true });
  if (options.signal.aborted) abort.abort();
  const view = el('div', { class: options.compact ? 'scene-view scene-compact' : 'scene-view' });
  // The frame is what the layout measures.
  const frame = el('div', { class: 'scene-frame' }, view);
  host.replaceChildren(frame);
  let stage: Stage | null = null;
  let theme: Theme = options.theme;
  const fail = (text: string): void => {
    stage?.dispose();
    stage = null;
    view.replaceChildren(el('p', { class: 'scene-failure', role: 'alert' }, text));
  };
  const handle: SceneHandle = {
    get panels() {
      return stage?.panelElement ?? null;
    },
    playClip: name => stage?.playClip(name),
    select: field => stage?.select(field),
    hover: field => stage?.hover(field),
    setTheme: it => {
      theme = it;
      stage?.setTheme(it);
    },
    resize: () => stage?.resize(),
    frameCost: () => stage?.frameCost() ?? NO_FRAMES,
    dispose: () => {
      abort.abort();
      stage?.dispose();
      stage = null;
      frame.remove();
    },
  };
  if (!hasWebGL()) {
    fail('The scene cannot be shown: this browser has no WebGL 2, or it is turned off.');
    return handle;
  }
  try {
    const loaded: LoadedScene = await loadScene(options.url, abort.signal);
    if (abort.signal.aborted) return handle;
    view.replaceChildren();
    stage = await Stage.make(view, loaded, options, abort.signal);
    stage.setTheme(theme);
  } catch (error) {
    if (!abort.signal.aborted) {
      fail(
        error instanceof SceneError
          ? error.message
          : `The scene cannot be shown, it may be damaged: ${messageOf(error)}.`,
      );
    }
  }
  return handle;
}

let known: boolean | null = null;

/** Asks before three.js does, which would write to the console. */
function hasWebGL(): boolean {
  known ??= askForWebGL();
  return known;
}

function askForWebGL(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}
