// The header of a sortable column.

import { visible } from '../text/visible';
import { Icon } from './icon';

interface SortHeadProps {
  label: string;
  /** Sort order of this column; null if rows are not sorted by it. */
  order: 'up' | 'down' | null;
  class?: string;
  onSort(): void;
}

export function SortHead({ label, order, class: extraClass, onSort }: SortHeadProps) {
  const sorted = order === null ? 'none' : order === 'up' ? 'ascending' : 'descending';
  return (
    <div class={extraClass ? `cell ${extraClass}` : 'cell'} role="columnheader" aria-sort={sorted}>
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
