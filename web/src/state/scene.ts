// The mounted scene view and its selection.

import { signal } from '@preact/signals';
import type { SceneHandle, SelectedObject } from '../scene/types';

export const shownScene = signal<SceneHandle | null>(null);
export const selectedObject = signal<SelectedObject | null>(null);
