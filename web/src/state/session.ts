// The open folders and known formats, requested once.

import { computed, signal } from '@preact/signals';
import { getJson, requestUrl } from '../api/request';
import type { Format, Session } from '../api/types';

export const session = signal<Session | null>(null);

const byId = computed(() => new Map((session.value?.formats ?? []).map(format => [format.id, format])));

export function formatOf(id: string | null): Format | null {
  return id === null ? null : (byId.value.get(id) ?? null);
}

export async function loadSession(): Promise<Session> {
  const answer = await getJson<Session>(requestUrl('session', null));
  session.value = answer;
  return answer;
}

export function limits(): Session['limits'] {
  return session.value?.limits ?? { count: 500, bytes: 65536, rows: 1000 };
}
