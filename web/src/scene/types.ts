// The interface between the page and a scene view.

export interface SceneOptions {
  /** URL of the GLB, relative to the page. */
  url: string;
  /** View state from the URL of the page. */
  state: Record<string, string>;
  /** Called, debounced, with the state that differs from the defaults. */
  onState(state: Record<string, string>): void;
  /** Called with the source field and the name of the clicked object. */
  onPick(field: string | null, name: string | null): void;
  /** Called with the current selection, regardless of its origin. */
  onSelected(object: SelectedObject | null): void;
  /** Called with the field of the object under the pointer, or null. */
  onHover(field: string | null): void;
  /** Announces a text to screen readers. */
  announce(text: string): void;
  /** Whether to show a small view without panels. */
  compact: boolean;
  theme: Theme;
  /** Aborted when the view is closed, even while the scene is loading. */
  signal: AbortSignal;
}

/** A selected object of a scene. */
export interface SelectedObject {
  readonly name: string;
  readonly layer: string;
  readonly field: string | null;
  /** Extras of the object. */
  readonly extras: Readonly<Record<string, unknown>>;
  /** Names of the object's clips. */
  readonly clips: readonly string[];
}

/** Whether a camera movement has ended. */
export type Move = 'ended' | 'ongoing';

/** Script time of recent frames, in milliseconds. */
export interface FrameCost {
  readonly frames: number;
  readonly mean: number;
  /** 95th percentile. */
  readonly p95: number;
  readonly worst: number;
}

export type Theme = 'dark' | 'light';

export interface SceneHandle {
  /** Element with the layers, nodes and materials panels; null for a compact view. */
  readonly panels: HTMLElement | null;
  /** Plays a clip by name. */
  playClip(name: string): void;
  /** Selects and frames the objects of a field. */
  select(field: string | null): void;
  /** Highlights the objects of a field that is hovered in another view. */
  hover(field: string | null): void;
  setTheme(theme: Theme): void;
  resize(): void;
  dispose(): void;
  /** Script time of recent frames in milliseconds, without rendering. */
  frameCost(): FrameCost;
}
