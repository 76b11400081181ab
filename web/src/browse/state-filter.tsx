// Which files of a folder are shown, by what `check` finds in them.

import { patch, route } from '../state/route';

/** The states by which files are filtered, and what they are called. */
export const STATES: readonly [string, string][] = [
  ['error', 'Damaged'],
  ['warning', 'With warnings'],
  ['ok', 'Nothing found'],
  ['unknown', 'Unknown format'],
  ['large', 'Large, not checked'],
];

export function chosenState(): string | null {
  const asked = route.value.query.only;
  return STATES.some(([state]) => state === asked) ? (asked ?? null) : null;
}

export function StateFilter() {
  return (
    <select
      class="select"
      aria-label="State"
      value={chosenState() ?? ''}
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
