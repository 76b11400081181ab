// What is known of a file: summary, counts, findings, and what it can be saved as.

import { useState } from 'preact/hooks';
import { address } from '../api/request';
import type { Asset } from '../api/types';
import { count, fileSize } from '../text/number';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';
import { Download } from './download';
import { Findings } from './findings';
import { Outputs } from './outputs';
import { ComparePicker } from '../compare/picker';
import { Selection } from './selection';

export function About({ asset }: { asset: Asset }) {
  const [isComparing, setComparing] = useState(false);
  return (
    <aside class="about scroll" aria-label="About this file" tabIndex={0}>
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
              <dt>Name</dt>
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
      <Selection asset={asset} />
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
            <Download url={address('raw', asset.path)} name={asset.name}>
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
