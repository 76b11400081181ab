// The chosen field beside a picture: what it holds and where its bytes stand.

import { getJson, viewAddress } from '../api/request';
import type { Asset, FieldPage } from '../api/types';
import { useRequest } from '../api/use-request';
import { hover, hovered } from '../state/hover';
import { link, route } from '../state/route';
import { counted, hex } from '../text/number';
import { visible } from '../text/visible';
import { chooseField, useChosenField } from '../views/fields/place';
import { Thing } from './thing';

const SHOWN = 40;

export function Selection({ asset }: { asset: Asset }) {
  const { query } = route.value;
  const at = query.at;
  // Where the fields themselves are shown, this would say everything twice.
  const isElsewhere = ['both', 'fields', 'bytes'].includes(query.view ?? '');
  if (at === undefined || isElsewhere || !asset.views.some(view => view.kind === 'fields')) return null;
  return <Chosen asset={asset} at={at} />;
}

function Chosen({ asset, at }: { asset: Asset; at: string }) {
  const chosen = useChosenField(asset.path);
  const url = viewAddress(asset.path, 'fields', { at, from: 0, count: SHOWN });
  const answer = useRequest(url, signal => getJson<FieldPage>(url, signal));
  const fields = answer.state === 'ready' ? answer.value.fields : [];
  return (
    <section aria-label="Selected field">
      <h2>Selected</h2>
      <Thing asset={asset} at={at} />
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
                  onClick={() => chooseField(field.path, field.start)}
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
