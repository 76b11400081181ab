// File details: the selection, scene panels, summary, counts, findings and downloads.

import { useEffect, useRef, useState } from 'preact/hooks';
import { requestUrl } from '../api/request';
import type { Asset } from '../api/types';
import { ComparePicker } from '../compare/picker';
import { shownScene } from '../state/scene';
import { count, fileSize } from '../text/number';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';
import { PaletteChoice } from '../views/palette-choice';
import { Download } from './download';
import { Findings } from './findings';
import { Outputs } from './outputs';
import { Selection } from './selection';

interface AboutProps {
  asset: Asset;
  /** The view shown next to the details. */
  view: string;
  onClose(): void;
}

export function About({ asset, view, onClose }: AboutProps) {
  const [isComparing, setComparing] = useState(false);
  const isScene = view === 'scene';
  return (
    <aside class="about scroll" aria-label="About this file" tabIndex={0}>
      <button
        type="button"
        class="button is-plain about-close"
        aria-label="Close details"
        title="Close details (I)"
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
      <Selection asset={asset} />
      {isScene && <ScenePanels />}
      {isScene && <PaletteChoice asset={asset} />}
      <section>
        <h2>File</h2>
        {asset.summary && <p>{visible(asset.summary)}</p>}
        <dl class="facts">
          <div>
            <dt>Format</dt>
            <dd>{asset.format ? visible(asset.format.name) : 'Unknown'}</dd>
          </div>
          {asset.format && (
            <div>
              <dt>Format ID</dt>
              <dd class="mono">{asset.format.id}</dd>
            </div>
          )}
          <div>
            <dt>Size</dt>
            <dd>
              {fileSize(asset.length)}
              {asset.length >= 1024 && <span class="faint"> {count(asset.length)} B</span>}
            </dd>
          </div>
          {asset.counts.map(([name, value]) => (
            <div key={name}>
              <dt>{visible(name)}</dt>
              <dd>{count(value)}</dd>
            </div>
          ))}
        </dl>
      </section>
      {asset.report.length > 0 && (
        <section>
          <h2>Report</h2>
          <Findings asset={asset} limit={6} />
        </section>
      )}
      <section>
        <h2>Save</h2>
        <ul class="actions">
          <li>
            <Download url={requestUrl('raw', asset.path)} name={asset.name}>
              <Icon name="download" />
              <span>Original file</span>
              <span class="faint">{fileSize(asset.length)}</span>
            </Download>
          </li>
        </ul>
        <Outputs asset={asset} />
      </section>
      <section>
        <h2>Compare</h2>
        <button type="button" class="button" onClick={() => setComparing(true)}>
          <Icon name="compare" />
          Compare with…
        </button>
        {isComparing && <ComparePicker path={asset.path} onClose={() => setComparing(false)} />}
      </section>
    </aside>
  );
}

/** Layers, nodes and materials of the current scene. */
function ScenePanels() {
  const host = useRef<HTMLDivElement>(null);
  const panels = shownScene.value?.panels ?? null;
  useEffect(() => {
    if (panels) host.current?.replaceChildren(panels);
  }, [panels]);
  return panels ? <div ref={host} class="about-panels" /> : null;
}
