// Mounts the scene view: loads a GLB into an element, with all controls.

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
  // The frame is the container of CSS container queries.
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
    fail('Cannot show the scene: WebGL 2 is unavailable or disabled in this browser.');
    return handle;
  }
  try {
    const loaded: LoadedScene = await loadScene(options.url, abort.signal);
    if (abort.signal.aborted) return handle;
    view.replaceChildren();
    stage = await Stage.create(view, loaded, options, abort.signal);
    stage.setTheme(theme);
  } catch (error) {
    if (!abort.signal.aborted) {
      fail(
        error instanceof SceneError
          ? error.message
          : `Cannot show the scene, which may be malformed: ${messageOf(error)}.`,
      );
    }
  }
  return handle;
}

let webGLSupport: boolean | null = null;

/** Whether WebGL 2 is available. Checked here because three.js would log an error. */
function hasWebGL(): boolean {
  webGLSupport ??= detectWebGL();
  return webGLSupport;
}

function detectWebGL(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}
