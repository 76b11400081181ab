// Guesses the format of a file from its name.

import { computed } from '@preact/signals';
import type { Format } from '../api/types';
import { session } from './session';

const byExtension = computed(() => {
  const found = new Map<string, Format>();
  for (const format of session.value?.formats ?? [])
    for (const extension of format.extensions) if (!found.has(extension)) found.set(extension, format);
  return found;
});

export function formatByName(name: string): Format | null {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return byExtension.value.get(/^\d+$/.test(extension) ? '###' : extension) ?? null;
}
