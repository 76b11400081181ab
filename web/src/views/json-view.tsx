// The complete content as JSON, as a tree or as text.

import { useEffect, useMemo } from 'preact/hooks';
import { getJson, viewUrl } from '../api/request';
import type { DataAnswer } from '../api/types';
import { useRequest } from '../api/use-request';
import { TreeModel } from '../list/tree-model';
import { TreeView } from '../list/tree-view';
import { choices } from '../state/options';
import { patch, route } from '../state/route';
import { counted } from '../text/number';
import { visible } from '../text/visible';
import { Segments } from '../ui/segments';
import { Failure, Loading } from '../ui/state';
import { TextLines } from './text/text-lines';
import type { ViewProps } from './view-panel';

export function JsonView({ asset, item }: ViewProps) {
  const url = viewUrl(asset.path, 'data', { item, ...choices.value });
  const answer = useRequest(url, signal => getJson<DataAnswer>(url, signal));
  if (answer.state === 'loading') return <Loading what="Reading the data…" />;
  if (answer.state === 'failed') return <Failure reason={answer.reason} retry={answer.retry} />;
  return <Data answer={answer.value} />;
}

function Data({ answer }: { answer: DataAnswer }) {
  const parsed = useMemo(() => parse(answer.text), [answer.text]);
  const asText = parsed === null || route.value.query['as-text'] === 'on';
  return (
    <div class="is-filled">
      <div class="toolbar">
        <Segments
          label="Show as"
          value={asText ? 'text' : 'tree'}
          choices={[
            { value: 'tree', label: 'Tree' },
            { value: 'text', label: 'Text' },
          ]}
          onChange={value => patch({ 'as-text': value === 'text' ? 'on' : null })}
        />
        {answer.truncated && <span class="faint">Truncated. Save as .json for the full text.</span>}
      </div>
      {asText ? <TextLines text={answer.text} language="json" label="JSON" /> : <DataTree value={parsed.value} />}
    </div>
  );
}

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

interface Node {
  key: string;
  name: string;
  value: unknown;
}

function children(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((entry, index) => [String(index), entry as unknown]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function DataTree({ value }: { value: unknown }) {
  const model = useMemo(() => {
    const byKey = new Map<string, unknown>([['', value]]);
    return new TreeModel<Node>({
      pageSize: Number.MAX_SAFE_INTEGER,
      async load(key) {
        const items = children(byKey.get(key)).map(([name, entry], index) => ({
          key: `${key}/${index}`,
          name,
          value: entry,
        }));
        for (const item of items) byKey.set(item.key, item.value);
        return { total: items.length, from: 0, items };
      },
      keyOf: node => node.key,
      isExpandable: node => children(node.value).length > 0,
    });
  }, [value]);
  useEffect(() => () => model.dispose(), [model]);
  return (
    <TreeView
      model={model}
      label="Data"
      rowHeight={24}
      selected={null}
      empty="No data"
      nameOf={node => node.name}
      onSelect={() => undefined}
      class="mono"
      row={node => (
        <>
          <span class="field-name">{visible(node.name)}</span>
          <DataValue value={node.value} />
        </>
      )}
    />
  );
}

function DataValue({ value }: { value: unknown }) {
  if (Array.isArray(value)) return <span class="faint">{counted(value.length, 'element')}</span>;
  if (typeof value === 'object' && value !== null)
    return <span class="faint">{counted(Object.keys(value).length, 'member')}</span>;
  const kind = typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'keyword';
  return (
    <span class={`ellipsis t-${kind}`}>
      {visible(typeof value === 'string' ? JSON.stringify(value) : String(value))}
    </span>
  );
}
