import { getJson, viewAddress } from '../../api/request';
import type { TextAnswer } from '../../api/types';
import { useRequest } from '../../api/use-request';
import { choices } from '../../state/options';
import { Failure, Loading } from '../../ui/state';
import type { ViewProps } from '../view-panel';
import { TextLines } from './text-lines';

export function TextView({ asset, item }: ViewProps) {
  const url = viewAddress(asset.path, 'text', { item, ...choices.value });
  const answer = useRequest(url, (signal) => getJson<TextAnswer>(url, signal));
  if (answer.state === 'loading') return <Loading what="Reading the text…" />;
  if (answer.state === 'failed') return <Failure reason={answer.reason} retry={answer.retry} />;
  const { text, language, truncated } = answer.value;
  return (
    <div class="is-filled">
      {truncated && <p class="banner">This text is too long to be shown whole: this is its beginning.</p>}
      <TextLines text={text} language={language} label="Text" />
    </div>
  );
}
