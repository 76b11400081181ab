// The selected field, with its ancestors and byte range.

import { getJson, viewUrl } from '../../api/request';
import type { FieldLocation } from '../../api/types';
import { useRequest } from '../../api/use-request';
import { patch, route } from '../../state/route';

export interface SelectedField {
  path: string;
  /** The ancestors, outermost first, and the field itself. */
  steps: FieldLocation[];
  start: number | null;
  end: number | null;
  value: string | null;
}

/** The field selected in the URL, once the program has located it. */
export function useSelectedField(path: string): SelectedField | null {
  const at = route.value.query.at ?? '';
  const answer = useRequest(`${path}\n${at}`, async signal => {
    if (at === '') return null;
    const { fields } = await getJson<{ fields: FieldLocation[] }>(viewUrl(path, 'locate', { at }), signal);
    return fields;
  });
  if (answer.state !== 'ready' || !answer.value) return null;
  const last = answer.value[answer.value.length - 1];
  if (!last) return null;
  return { path: last.path, steps: answer.value, start: last.start, end: last.end, value: last.value };
}

/** Selects a field and its first byte. */
export function selectField(path: string | null, start: number | null): void {
  patch({ at: path, offset: start === null ? null : String(start) });
}
