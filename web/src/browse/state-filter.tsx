// Filters the files of a folder by their `check` result.

import { patch, route } from '../state/route';

/** File states and their labels. */
export const STATES: readonly [string, string][] = [
  ['error', 'Damaged'],
  ['warning', 'With warnings'],
  ['ok', 'No problems'],
  ['unknown', 'Unknown format'],
  ['large', 'Too large, not checked'],
];

export function selectedState(): string | null {
  const requested = route.value.query.only;
  return STATES.some(([state]) => state === requested) ? (requested ?? null) : null;
}

export function StateFilter() {
  return (
    <select
      class="select"
      aria-label="State"
      value={selectedState() ?? ''}
      onChange={event => patch({ only: event.currentTarget.value || null })}
    >
      <option value="">Any state</option>
      {STATES.map(([state, label]) => (
        <option key={state} value={state}>
          {label}
        </option>
      ))}
    </select>
  );
}
