// A file page: views as tabs, with details in a side panel.

import { useEffect } from 'preact/hooks';
import { getJson, requestUrl } from '../api/request';
import type { Asset } from '../api/types';
import { useRequest } from '../api/use-request';
import { isWide } from '../state/media';
import { patch, route } from '../state/route';
import { visible } from '../text/visible';
import { Icon, viewIcon } from '../ui/icon';
import { isPlainKey } from '../ui/keys';
import { Failure, Loading } from '../ui/state';
import { type Tab, Tabs } from '../ui/tabs';
import { ViewPanel } from '../views/view-panel';
import { About } from './about';
import { Problem } from './findings';

const BOTH = 'both';

/** The tabs of a file. Fields and bytes share one tab. */
export function tabsOf(asset: Asset): Tab[] {
  const kinds = asset.views.map(view => view.kind);
  const isPaired = kinds.includes('fields') && kinds.includes('bytes');
  const tabs: Tab[] = [];
  for (const view of asset.views) {
    if (view.kind === 'bytes' && isPaired) continue;
    if (view.kind === 'fields' && isPaired) tabs.push({ id: BOTH, label: 'Fields and bytes', icon: 'fields' });
    else
      tabs.push({
        id: view.kind,
        label: view.label,
        icon: viewIcon(view.kind),
        badge: view.kind === 'report' && asset.report.length > 0 ? String(asset.report.length) : undefined,
      });
  }
  if (asset.report.length > 0 && !kinds.includes('report')) {
    tabs.push({ id: 'report', label: 'Report', icon: 'report', badge: String(asset.report.length) });
  }
  return tabs;
}

/** The tab that shows a view. */
function tabOf(tabs: readonly Tab[], view: string | undefined): string {
  if (view !== undefined && tabs.some(tab => tab.id === view)) return view;
  if ((view === 'fields' || view === 'bytes') && tabs.some(tab => tab.id === BOTH)) return BOTH;
  return tabs[0]?.id ?? 'bytes';
}

export function FilePage({ path }: { path: string }) {
  const answer = useRequest(path, signal => getJson<Asset>(requestUrl('asset', path), signal));
  if (answer.state === 'loading') return <Loading what="Reading this file…" />;
  if (answer.state === 'failed') return <Failure reason={answer.reason} retry={answer.retry} />;
  return <OpenFile asset={answer.value} />;
}

function OpenFile({ asset }: { asset: Asset }) {
  const { query } = route.value;
  const tabs = tabsOf(asset);
  const current = tabOf(tabs, query.view);
  const hasAbout = showsAbout(query, current);
  // Read the current URL: a key may be pressed before the next render.
  const toggleAbout = () => patch({ about: showsAbout(route.peek().query, current) ? 'off' : 'on' });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'i' && isPlainKey(event)) {
        event.preventDefault();
        toggleAbout();
      }
      if (!event.altKey || !/^[1-9]$/.test(event.key)) return;
      const tab = tabs[Number(event.key) - 1];
      if (!tab) return;
      event.preventDefault();
      patch({ view: tab.id });
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
  return (
    <section class={`file is-${current}${hasAbout ? '' : ' is-alone'}`} aria-labelledby="place-name">
      <div class="file-head">
        <h1 id="place-name" class="name ellipsis" title={visible(asset.name)}>
          {visible(asset.name)}
        </h1>
        <Tabs label="Views" tabs={tabs} current={current} panel="view" onChange={view => patch({ view })} />
        <button
          type="button"
          class="button is-plain"
          aria-label="About this file"
          title="About this file (I)"
          aria-pressed={hasAbout}
          onClick={toggleAbout}
        >
          <Icon name="panels" />
        </button>
      </div>
      <div id="view" class="view" role="tabpanel" aria-labelledby={`view-tab-${current}`}>
        {asset.error && <Problem asset={asset} error={asset.error} />}
        <ViewPanel key={current} asset={asset} kind={current} />
      </div>
      {hasAbout && <About asset={asset} view={current} onClose={toggleAbout} />}
    </section>
  );
}

/** Whether to show details: always in wide windows; otherwise on request or when an object of a scene is selected. */
function showsAbout(query: Readonly<Record<string, string>>, view: string): boolean {
  const requested = query.about;
  if (requested !== undefined) return requested !== 'off';
  return isWide.value || (view === 'scene' && query.at !== undefined);
}
