// Icons as SVG elements.

import { type IconName, PATHS } from './icon-paths';

export type { IconName } from './icon-paths';

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.3"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** The icon of a view kind. */
export function viewIcon(kind: string | undefined): IconName {
  return kind !== undefined && kind in PATHS ? (kind as IconName) : 'file';
}
