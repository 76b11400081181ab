// Linked fields and bytes, side by side.

import type { Asset } from '../../api/types';
import { patch, route } from '../../state/route';
import { Segments } from '../../ui/segments';
import { BytesPanel } from '../bytes/bytes-view';
import { FieldsTree } from './fields-view';
import { useSelectedField } from './selected-field';

type Panes = 'both' | 'fields' | 'bytes';

export function FieldsAndBytes({ asset }: { asset: Asset }) {
  const requested = route.value.query.view;
  const panes: Panes = requested === 'fields' || requested === 'bytes' ? requested : 'both';
  const chosen = useSelectedField(asset.path);
  return (
    <div class="is-filled">
      <div class="toolbar">
        <Segments
          label="Show"
          value={panes}
          choices={[
            { value: 'fields', label: 'Fields' },
            { value: 'both', label: 'Both' },
            { value: 'bytes', label: 'Bytes' },
          ]}
          onChange={view => patch({ view })}
        />
        {asset.views.some(view => view.kind === 'scene') && chosen && (
          <button type="button" class="button" onClick={() => patch({ view: 'scene' })}>
            Show in scene
          </button>
        )}
      </div>
      <div class={`panes is-${panes}`}>
        {panes !== 'bytes' && <FieldsTree asset={asset} chosen={chosen} />}
        {panes !== 'fields' && <BytesPanel asset={asset} chosen={chosen} />}
      </div>
    </div>
  );
}
