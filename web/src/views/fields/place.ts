// Where the chosen field stands: the way down to it, and its bytes.

import { getJson, viewAddress } from '../../api/request';
import type { Place } from '../../api/types';
import { useRequest } from '../../api/use-request';
import { patch, route } from '../../state/route';

export interface ChosenField {
  path: string;
  /** The fields around it, the outermost first, and itself. */
  steps: Place[];
  start: number | null;
  end: number | null;
  value: string | null;
}

/** The field that the address names, once the program has found it. */
export function useChosenField(path: string): ChosenField | null {
  const at = route.value.query.at ?? '';
  const answer = useRequest(`${path}\n${at}`, async signal => {
    if (at === '') return null;
    const { fields } = await getJson<{ fields: Place[] }>(viewAddress(path, 'locate', { at }), signal);
    return fields;
  });
  if (answer.state !== 'ready' || !answer.value) return null;
  const own = answer.value[answer.value.length - 1];
  if (!own) return null;
  return { path: own.path, steps: answer.value, start: own.start, end: own.end, value: own.value };
}

/** Chooses a field, and the byte where it begins. */
export function chooseField(path: string | null, start: number | null): void {
  patch({ at: path, offset: start === null ? null : String(start) });
}
