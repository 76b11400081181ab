// The scene that is on the page: its panels, what is selected in it, and what can be asked of it.

import { signal } from '@preact/signals';
import type { SceneHandle, SelectedThing } from '../scene/types';

export const shownScene = signal<SceneHandle | null>(null);
export const selectedThing = signal<SelectedThing | null>(null);
