// What is open, asked once.

import { computed, signal } from '@preact/signals';
import { address, getJson } from '../api/request';
import type { Format, Session } from '../api/types';

export const session = signal<Session | null>(null);

const byId = computed(() => new Map((session.value?.formats ?? []).map(format => [format.id, format])));

export function formatOf(id: string | null): Format | null {
  return id === null ? null : (byId.value.get(id) ?? null);
}

export async function loadSession(): Promise<Session> {
  const answer = await getJson<Session>(address('session', null));
  session.value = answer;
  return answer;
}

export function limits(): Session['limits'] {
  return session.value?.limits ?? { count: 500, bytes: 65536, rows: 1000 };
}
