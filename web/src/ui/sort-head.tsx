// The head of a column that sorts.

import { visible } from '../text/visible';
import { Icon } from './icon';

interface SortHeadProps {
  label: string;
  /** How the rows are sorted by this column; null where they are not. */
  order: 'up' | 'down' | null;
  class?: string;
  onSort(): void;
}

export function SortHead({ label, order, class: own, onSort }: SortHeadProps) {
  const sorted = order === null ? 'none' : order === 'up' ? 'ascending' : 'descending';
  return (
    <div class={own ? `cell ${own}` : 'cell'} role="columnheader" aria-sort={sorted}>
      <button type="button" class="sort" title={visible(label)} onClick={onSort}>
        <span class="ellipsis">{visible(label)}</span>
        {order !== null && (
          <span class={order === 'up' ? 'is-flipped' : ''}>
            <Icon name="down" />
          </span>
        )}
      </button>
    </div>
  );
}
