// Compares two files: their differences, and both scenes or images side by side.

import { getJson, requestUrl, viewUrl } from '../api/request';
import type { Asset, Change, Diff } from '../api/types';
import { useRequest } from '../api/use-request';
import { span, useRows } from '../list/use-rows';
import { link, nameOf, patch, route } from '../state/route';
import { count, counted } from '../text/number';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';
import { Empty, Failure, Loading } from '../ui/state';
import { type Tab, Tabs } from '../ui/tabs';
import { SceneSurface } from '../views/scene-view';
import { SideImage } from './side-image';

export function Comparison({ path, other }: { path: string; other: string }) {
  const answer = useRequest(`${path}\n${other}`, async signal => {
    const [first, second] = await Promise.all([
      getJson<Asset>(requestUrl('asset', path), signal),
      getJson<Asset>(requestUrl('asset', other), signal),
    ]);
    return { first, second };
  });
  return (
    <section class="page is-filled" aria-labelledby="place-name">
      <div class="page-head">
        <h1 id="place-name">Comparison</h1>
        <a class="button" href={link(path)}>
          <Icon name="back" />
          Back to {visible(nameOf(path))}
        </a>
      </div>
      <div class="compare-names">
        <Side label="Before" path={path} />
        <Side label="After" path={other} />
      </div>
      {answer.state === 'loading' && <Loading what="Reading both files…" />}
      {answer.state === 'failed' && <Failure reason={answer.reason} retry={answer.retry} />}
      {answer.state === 'ready' && <ComparisonTabs first={answer.value.first} second={answer.value.second} />}
    </section>
  );
}

function Side({ label, path }: { label: string; path: string }) {
  return (
    <p class="ellipsis">
      <span class="faint">{label}</span> <a href={link(path)}>{visible(path)}</a>
    </p>
  );
}

function ComparisonTabs({ first, second }: { first: Asset; second: Asset }) {
  const has = (kind: string) => [first, second].every(asset => asset.views.some(view => view.kind === kind));
  const tabs: Tab[] = [{ id: 'changes', label: 'Differences', icon: 'compare' }];
  if (has('scene')) tabs.push({ id: 'scene', label: 'Scenes', icon: 'scene' });
  if (has('image')) tabs.push({ id: 'image', label: 'Images', icon: 'image' });
  const requested = route.value.query.view;
  const current = tabs.some(tab => tab.id === requested) ? (requested ?? 'changes') : 'changes';
  return (
    <>
      <Tabs label="Comparison" tabs={tabs} current={current} panel="comparison" onChange={view => patch({ view })} />
      <div id="comparison" class="view" role="tabpanel" aria-labelledby={`comparison-tab-${current}`}>
        {current === 'changes' && <Changes first={first.path} second={second.path} />}
        {current === 'scene' && (
          <div class="side-by-side">
            {[first, second].map(asset => (
              <SceneSurface key={asset.path} url={viewUrl(asset.path, 'scene')} name={asset.name} isCompact />
            ))}
          </div>
        )}
        {current === 'image' && (
          <div class="side-by-side">
            {[first, second].map(asset => (
              <SideImage key={asset.path} path={asset.path} name={asset.name} />
            ))}
          </div>
        )}
      </div>
    </>
  );
}

function Changes({ first, second }: { first: string; second: string }) {
  const url = requestUrl('diff', null, { a: first, b: second });
  const answer = useRequest(url, signal => getJson<Diff>(url, signal));
  if (answer.state === 'loading') return <Loading what="Comparing…" />;
  if (answer.state === 'failed') return <Failure reason={answer.reason} retry={answer.retry} />;
  const diff = answer.value;
  if (diff.error) return <Failure reason={new Error(diff.error.text || diff.error.message)} />;
  if (diff.changes.length === 0) return <Empty>{STATUS_MESSAGES[diff.status] ?? 'The files differ.'}</Empty>;
  const more = diff.count > diff.changes.length ? ` (first ${count(diff.changes.length)} shown)` : '';
  return (
    <div class="is-filled">
      <p class="toolbar faint" role="status">
        {counted(diff.count, 'difference')}
        {more}
      </p>
      <ChangeList changes={diff.changes} />
    </div>
  );
}

/** Messages for comparisons without differing fields. */
const STATUS_MESSAGES: Record<string, string> = {
  equal: 'The files are identical.',
  formats: 'The files have different formats.',
  bytes: 'The bytes differ, but all fields are equal.',
};

/** Longest value shown; the fields view shows the complete value. */
const MAX_VALUE_LENGTH = 400;

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

function TextCell({ text }: { text: string }) {
  const shown = visible(text);
  return (
    <div class="cell mono ellipsis" role="cell" title={shown}>
      {shown}
    </div>
  );
}

const MARKS = { added: '+', removed: '−', changed: '≠' } as const;

function ChangeList({ changes }: { changes: readonly Change[] }) {
  const rows = useRows(changes.length, 28, { head: 30 });
  return (
    <div
      ref={rows.host}
      class="scroll grid changes"
      role="table"
      aria-label="Differences"
      aria-rowcount={changes.length + 1}
      tabIndex={0}
    >
      <div class="grid-head" role="row" aria-rowindex={1}>
        {['Kind', 'Field', 'Before', 'After'].map(name => (
          <div key={name} class="cell" role="columnheader">
            {name}
          </div>
        ))}
      </div>
      <div class="rows" role="rowgroup" style={{ height: `${rows.total}px` }}>
        {span(rows.first, rows.end).map(index => {
          const change = changes[index];
          if (!change) return null;
          return (
            <div
              key={index}
              class={`row grid-row is-${change.kind}`}
              role="row"
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${rows.top(index)}px)`, height: '28px' }}
            >
              <div class="cell change-kind" role="cell">
                <span aria-hidden="true">{MARKS[change.kind]}</span> {change.kind}
              </div>
              <TextCell text={change.path === '' ? 'entire file' : change.path} />
              <TextCell text={valueText(change.before)} />
              <TextCell text={valueText(change.after)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
