// A text as it is, and beside settings what their lines mean.

import { getJson, viewAddress } from '../../api/request';
import type { Asset, TextAnswer } from '../../api/types';
import { useRequest } from '../../api/use-request';
import { choices } from '../../state/options';
import { patch, route } from '../../state/route';
import { Failure, Loading } from '../../ui/state';
import { DataView } from '../data-view';
import type { ViewProps } from '../view-panel';
import { TextLines } from './text-lines';

export function TextView({ asset, item }: ViewProps) {
  const url = viewAddress(asset.path, 'text', { item, ...choices.value });
  const answer = useRequest(url, (signal) => getJson<TextAnswer>(url, signal));
  if (answer.state === 'loading') return <Loading what="Reading the text…" />;
  if (answer.state === 'failed') return <Failure reason={answer.reason} retry={answer.retry} />;
  const { text, language, truncated } = answer.value;
  const hasValues = language === 'ini' && asset.views.some((view) => view.kind === 'data');
  const lines = <TextLines text={text} language={language} label="Text" />;
  return (
    <div class="is-filled">
      {truncated && <p class="banner">This text is too long to be shown whole: this is its beginning.</p>}
      {hasValues ? <Beside asset={asset}>{lines}</Beside> : lines}
    </div>
  );
}

function Beside({ asset, children }: { asset: Asset; children: preact.JSX.Element }) {
  const isShown = route.value.query['values'] !== 'off';
  return (
    <>
      <div class="toolbar">
        <button type="button" class="button" aria-pressed={isShown} onClick={() => patch({ values: isShown ? 'off' : null })}>
          Values
        </button>
      </div>
      {isShown ? (
        <div class="panes is-values">
          {children}
          <section class="values" aria-label="Values">
            <DataView asset={asset} item={null} />
          </section>
        </div>
      ) : (
        children
      )}
    </>
  );
}
