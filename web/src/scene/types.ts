// What the shell gives to a scene view and gets back from it.

export interface SceneOptions {
  /** Address of the GLB, relative to the page. */
  url: string;
  /** What the address of the page says about this view. */
  state: Record<string, string>;
  /** Called, debounced, with what differs from the defaults. */
  onState(state: Record<string, string>): void;
  /** Called with the field that the clicked object comes from, and with its name. */
  onPick(field: string | null, name: string | null): void;
  /** Called with what is selected now, whoever selected it. */
  onSelected(thing: SelectedThing | null): void;
  /** Called with the field of what the pointer is on, or null. */
  onHover(field: string | null): void;
  /** Says a text to screen readers. */
  announce(text: string): void;
  /** A small surface without panels. */
  compact: boolean;
  theme: Theme;
  /** Aborted when the view is left, also while the scene is still loading. */
  signal: AbortSignal;
}

/** Something that is selected in a scene. */
export interface SelectedThing {
  readonly name: string;
  readonly layer: string;
  readonly field: string | null;
  /** What the file says of it. */
  readonly extras: Readonly<Record<string, unknown>>;
  /** The names of the clips that are its own. */
  readonly clips: readonly string[];
}

/** Whether a move of the camera has come to its end. */
export type Move = 'ended' | 'going on';

/** Milliseconds of script in recent frames. */
export interface FrameCost {
  readonly frames: number;
  readonly mean: number;
  /** One frame of 20 takes longer. */
  readonly p95: number;
  readonly worst: number;
}

export type Theme = 'dark' | 'light';

export interface SceneHandle {
  /** Layers, nodes and materials, to be shown wherever the page has room; null for a small surface. */
  readonly panels: HTMLElement | null;
  /** Plays a clip by its name. */
  playClip(name: string): void;
  /** Highlights and frames what stands for this field. */
  select(field: string | null): void;
  /** Marks what stands for a field that the pointer is on elsewhere. */
  hover(field: string | null): void;
  setTheme(theme: Theme): void;
  resize(): void;
  dispose(): void;
  /** Milliseconds of this page's own script in recent frames, drawing left out. */
  frameCost(): FrameCost;
}
