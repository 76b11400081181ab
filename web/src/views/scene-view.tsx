// The 3D view. It is large, so it is loaded only when a scene is opened.

import { useEffect, useRef, useState } from 'preact/hooks';
import { viewUrl } from '../api/request';
import type { SceneHandle } from '../scene/types';
import { announce } from '../state/announce';
import { hover, hovered } from '../state/hover';
import { choices } from '../state/options';
import { patch, route } from '../state/route';
import { selectedObject, shownScene } from '../state/scene';
import { theme } from '../state/theme';
import { visible } from '../text/visible';
import { Failure, Loading } from '../ui/state';
import type { ViewProps } from './view-panel';

/** Prefix of scene state parameters in the URL. */
const PREFIX = 's.';

function sceneState(): Record<string, string> {
  const state: Record<string, string> = {};
  for (const [name, value] of Object.entries(route.peek().query))
    if (name.startsWith(PREFIX)) state[name.slice(PREFIX.length)] = value;
  return state;
}

function saveState(state: Record<string, string>): void {
  const next: Record<string, string | null> = {};
  for (const name of Object.keys(route.peek().query)) if (name.startsWith(PREFIX)) next[name] = null;
  for (const [name, value] of Object.entries(state)) next[PREFIX + name] = value;
  patch(next);
}

export function SceneView({ asset, item }: ViewProps) {
  return (
    <SceneSurface url={viewUrl(asset.path, 'scene', { item, ...choices.value })} name={asset.name} isCompact={false} />
  );
}

interface SurfaceProps {
  url: string;
  name: string;
  /** Whether this is a small view for comparisons, without saved state. */
  isCompact: boolean;
}

export function SceneSurface({ url, name, isCompact }: SurfaceProps) {
  const host = useRef<HTMLDivElement>(null);
  const handle = useRef<SceneHandle | null>(null);
  const [state, setState] = useState<'loading' | 'ready' | { reason: unknown }>('loading');
  /** Whether the hovered field comes from this scene. */
  const isHoverSource = useRef(false);
  const [attempt, setAttempt] = useState(0);
  const field = route.value.query.at ?? null;
  const colors = theme.value;

  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    let isUnmounted = false;
    const controller = new AbortController();
    const observer = new ResizeObserver(() => handle.current?.resize());
    const mount = async () => {
      const { mountScene } = await import('../scene/mount');
      if (isUnmounted) return;
      const mounted = await mountScene(element, {
        url,
        state: isCompact ? {} : sceneState(),
        onState: next => {
          if (!isCompact && !isUnmounted) saveState(next);
        },
        onPick: (picked, label) => {
          if (isCompact || isUnmounted) return;
          patch({ at: picked });
          if (picked !== null) announce(`Selected ${visible(label ?? picked)}`);
        },
        onSelected: thing => {
          if (!isCompact && !isUnmounted) selectedObject.value = thing;
        },
        onHover: field => {
          if (isUnmounted) return;
          isHoverSource.current = field !== null;
          hover(field === null ? null : { path: field, start: null, end: null });
        },
        announce,
        compact: isCompact,
        theme: theme.peek(),
        signal: controller.signal,
      });
      if (isUnmounted) {
        mounted.dispose();
        return;
      }
      handle.current = mounted;
      if (!isCompact) shownScene.value = mounted;
      observer.observe(element);
      // Another field may have been selected while the scene was loading.
      const chosen = route.peek().query.at;
      if (!isCompact && chosen !== undefined) mounted.select(chosen);
      setState('ready');
    };
    setState('loading');
    mount().catch((reason: unknown) => {
      if (!isUnmounted) setState({ reason });
    });
    return () => {
      isUnmounted = true;
      controller.abort();
      observer.disconnect();
      if (!isCompact) [shownScene.value, selectedObject.value] = [null, null];
      handle.current?.dispose();
      handle.current = null;
      element.replaceChildren();
    };
  }, [url, attempt]);
  useEffect(() => handle.current?.setTheme(colors), [colors]);
  const over = hovered.value?.path ?? null;
  useEffect(() => {
    // The scene already highlights objects that it reported.
    if (!isCompact && !isHoverSource.current) handle.current?.hover(over);
  }, [over]);
  useEffect(() => () => hover(null), []);
  useEffect(() => {
    if (!isCompact) handle.current?.select(field);
  }, [field]);

  return (
    <div class="scene">
      <div ref={host} class="scene-host" role="region" aria-label={`Scene of ${visible(name)}`} />
      {state === 'loading' && <Loading what="Building the scene…" />}
      {typeof state === 'object' && <Failure reason={state.reason} retry={() => setAttempt(count => count + 1)} />}
    </div>
  );
}
