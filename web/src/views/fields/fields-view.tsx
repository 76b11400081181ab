// The field tree of a file: names, values and offsets.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { getJson, viewUrl } from '../../api/request';
import type { Asset, Field, FieldPage } from '../../api/types';
import { TreeModel } from '../../list/tree-model';
import { TreeView } from '../../list/tree-view';
import { hover, hovered } from '../../state/hover';
import { route } from '../../state/route';
import { limits } from '../../state/session';
import { counted, hex } from '../../text/number';
import { visible } from '../../text/visible';
import { type SelectedField, selectField, useSelectedField } from './selected-field';

export function FieldsView({ asset }: { asset: Asset }) {
  return <FieldsTree asset={asset} chosen={useSelectedField(asset.path)} />;
}

interface FieldsTreeProps {
  asset: Asset;
  chosen: SelectedField | null;
  /** Whether to expand the top-level fields initially, if they are few. */
  isOpen?: boolean;
}

/** Maximum number of top-level fields that are expanded initially. */
const MAX_EXPANDED = 12;

export function FieldsTree({ asset, chosen, isOpen = false }: FieldsTreeProps) {
  const [damage, setDamage] = useState<string | null>(null);
  const model = useMemo(() => {
    const count = Math.min(500, limits().count);
    return new TreeModel<Field>({
      pageSize: count,
      async load(at, from, signal) {
        const page = await getJson<FieldPage>(viewUrl(asset.path, 'fields', { at, from, count }), signal);
        if (at === '') setDamage(page.damage ?? null);
        return { total: page.total, from: page.from, items: page.fields };
      },
      keyOf: field => field.path,
      isExpandable: field => field.children > 0,
    });
  }, [asset.path]);
  useEffect(() => () => model.dispose(), [model]);
  useEffect(() => {
    if (!isOpen) return;
    void model.ensure('', 0).then(() => {
      const total = model.total('') ?? 0;
      for (let index = 0; index < total && total <= MAX_EXPANDED; index++) {
        const field = model.child('', index);
        if (field && field.children > 0) void model.open(field.path);
      }
    });
  }, [model, isOpen]);
  useEffect(() => () => hover(null), []);
  useEffect(() => {
    if (chosen) void model.reveal(chosen.steps.map(step => step.path));
  }, [model, chosen?.path]);
  const selected = route.value.query.at ?? null;
  return (
    <div class="fields">
      {damage !== null && <p class="problem">{visible(damage)}</p>}
      <div class="fields-head" aria-hidden="true">
        <span class="grow">Field</span>
        <span class="fields-value">Value</span>
        <span class="fields-offset">Offset</span>
      </div>
      <TreeView
        model={model}
        label="Fields"
        rowHeight={24}
        selected={selected}
        empty="No fields"
        nameOf={field => field.name}
        onSelect={(path, field) => selectField(path, field.start)}
        onHover={(field: Field | null) => hover(field)}
        hovered={hovered.value?.path ?? null}
        class="mono"
        row={field => <FieldRow field={field} />}
      />
    </div>
  );
}

function FieldRow({ field }: { field: Field }) {
  const about = [field.type, field.about]
    .filter(Boolean)
    .map(part => visible(part ?? ''))
    .join('\n');
  return (
    <>
      <span class="field-name grow ellipsis" title={about || undefined}>
        {visible(field.name)}
        {field.type && <span class="field-type faint"> {visible(field.type)}</span>}
      </span>
      <span
        class="fields-value ellipsis"
        title={field.value !== null && field.value.length > 20 ? visible(field.value) : undefined}
      >
        {field.value === null ? (
          <span class="faint">{field.children > 0 ? counted(field.children, 'field') : ''}</span>
        ) : (
          visible(field.value)
        )}
      </span>
      <span class="fields-offset faint">{field.start === null ? '' : hex(field.start, 6)}</span>
    </>
  );
}
