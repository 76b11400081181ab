// The selected field of a scene or image: its value, children and byte range.

import { getJson, viewUrl } from '../api/request';
import type { Asset, FieldPage } from '../api/types';
import { useRequest } from '../api/use-request';
import { hover, hovered } from '../state/hover';
import { link, route } from '../state/route';
import { counted, hex } from '../text/number';
import { visible } from '../text/visible';
import { selectField, useSelectedField } from '../views/fields/selected-field';
import { SelectionCard } from './selection-card';

const MAX_SHOWN = 40;

export function Selection({ asset }: { asset: Asset }) {
  const { query } = route.value;
  const at = query.at;
  // Avoid duplicating the fields view.
  const isElsewhere = ['both', 'fields', 'bytes'].includes(query.view ?? '');
  if (at === undefined || isElsewhere || !asset.views.some(view => view.kind === 'fields')) return null;
  return <Chosen asset={asset} at={at} />;
}

function Chosen({ asset, at }: { asset: Asset; at: string }) {
  const chosen = useSelectedField(asset.path);
  const url = viewUrl(asset.path, 'fields', { at, from: 0, count: MAX_SHOWN });
  const answer = useRequest(url, signal => getJson<FieldPage>(url, signal));
  const fields = answer.state === 'ready' ? answer.value.fields : [];
  return (
    <section aria-label="Selected field">
      <h2>Selected</h2>
      <SelectionCard asset={asset} at={at} />
      <p class="mono selected-path">{visible(at)}</p>
      {chosen?.value && <p class="mono">{visible(chosen.value)}</p>}
      {fields.length > 0 && (
        <dl class="facts is-fields mono">
          {fields.map(field => (
            <div
              key={field.path}
              class={field.path === hovered.value?.path ? 'is-hovered' : undefined}
              onPointerEnter={() => hover(field)}
              onPointerLeave={() => hover(null)}
            >
              <dt>
                <button
                  type="button"
                  class="text-button ellipsis"
                  title={visible(field.name)}
                  onClick={() => selectField(field.path, field.start)}
                >
                  {visible(field.name)}
                </button>
              </dt>
              <dd class="ellipsis">{field.value === null ? counted(field.children, 'field') : visible(field.value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <p class="links">
        {chosen?.start != null && (
          <span class="faint mono">
            0x{hex(chosen.start)} to 0x{hex(chosen.end ?? chosen.start)}
          </span>
        )}
        <a href={link(asset.path, { view: 'both', at, offset: chosen?.start != null ? String(chosen.start) : null })}>
          Fields and bytes
        </a>
      </p>
    </section>
  );
}
