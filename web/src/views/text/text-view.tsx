// A text view. Settings are shown next to their values.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { getJson, viewUrl } from '../../api/request';
import type { Asset, FieldLocation, TextAnswer } from '../../api/types';
import { useRequest } from '../../api/use-request';
import { hovered } from '../../state/hover';
import { choices } from '../../state/options';
import { patch, route } from '../../state/route';
import { Failure, Loading } from '../../ui/state';
import { FieldsTree } from '../fields/fields-view';
import { type SelectedField, selectField, useSelectedField } from '../fields/selected-field';
import type { ViewProps } from '../view-panel';
import { type LineRange, TextLines } from './text-lines';

export function TextView({ asset, item }: ViewProps) {
  const url = viewUrl(asset.path, 'text', { item, charset: route.value.query.charset, ...choices.value });
  const answer = useRequest(url, signal => getJson<TextAnswer>(url, signal));
  if (answer.state === 'loading') return <Loading what="Reading the text…" />;
  if (answer.state === 'failed') return <Failure reason={answer.reason} retry={answer.retry} />;
  const { text, language, lines, charset, truncated } = answer.value;
  const tools = <CharsetChoice now={charset} />;
  return (
    <div class="is-filled">
      {truncated && <p class="banner">Truncated. Only the beginning of this text is shown.</p>}
      {lines === null ? (
        <TextLines text={text} language={language} label="Text" tools={tools} />
      ) : (
        <LinkedText asset={asset} text={text} language={language} lines={lines} tools={tools} />
      )}
    </div>
  );
}

/** Character sets used by games, with their languages. */
const CHARSETS: readonly [string, string][] = [
  ['utf-8', 'Unicode'],
  ['windows-1252', 'Western Europe'],
  ['cp437', 'Western Europe, DOS'],
  ['windows-1250', 'Central Europe'],
  ['windows-1251', 'Cyrillic'],
  ['ibm866', 'Cyrillic, DOS'],
  ['koi8-r', 'Cyrillic, Unix'],
  ['windows-1254', 'Turkish'],
  ['euc-kr', 'Korean'],
  ['shift_jis', 'Japanese'],
  ['gbk', 'Chinese, simplified'],
  ['big5', 'Chinese, traditional'],
];

/** Selects the character set of a text. Hidden for UTF-8 and ASCII texts. */
function CharsetChoice({ now }: { now: string | null }) {
  const requested = route.value.query.charset ?? '';
  if (now === null || (now === 'utf-8' && requested === '')) return null;
  return (
    <select
      class="select"
      aria-label="Encoding"
      title="Encoding"
      value={requested}
      onChange={event => patch({ charset: event.currentTarget.value || null })}
    >
      <option value="">{requested === '' ? `Automatic (${now})` : 'Automatic'}</option>
      {CHARSETS.map(([name, about]) => (
        <option key={name} value={name}>
          {`${about} (${name})`}
        </option>
      ))}
    </select>
  );
}

interface LinkedProps {
  asset: Asset;
  text: string;
  language: string;
  /** Byte offset of each line in the file. */
  lines: readonly number[];
  tools: ComponentChildren;
}

/** The lines of settings linked with their values, side by side. */
function LinkedText({ asset, text, language, lines, tools: before }: LinkedProps) {
  const isShown = route.value.query.values !== 'off';
  const field = useSelectedField(asset.path);
  const chosen = useMemo(() => linesOf(lines, field), [lines, field?.start, field?.end]);
  const over = linesOf(lines, hovered.value);
  const locateRequest = useRef<AbortController | null>(null);
  useEffect(() => () => locateRequest.current?.abort(), []);
  const choose = async (line: number) => {
    locateRequest.current?.abort();
    locateRequest.current = new AbortController();
    try {
      const { fields } = await getJson<{ fields: FieldLocation[] }>(
        viewUrl(asset.path, 'locate', { offset: lines[line] }),
        locateRequest.current.signal,
      );
      const own = fields[fields.length - 1];
      if (own) selectField(own.path, own.start);
    } catch {
      // An empty last line has no field.
    }
  };
  const tools = (
    <>
      {before}
      <button
        type="button"
        class="button"
        aria-pressed={isShown}
        onClick={() => patch({ values: isShown ? 'off' : null })}
      >
        Values
      </button>
    </>
  );
  return (
    <div class={isShown ? 'panes is-values' : 'is-filled'}>
      <TextLines
        text={text}
        language={language}
        label="Text"
        tools={tools}
        links={{ chosen, hovered: over, choose: line => void choose(line) }}
      />
      {isShown && (
        <section class="values" aria-label="Values">
          <FieldsTree asset={asset} chosen={field} isOpen />
        </section>
      )}
    </div>
  );
}

/** The lines that contain a field. */
function linesOf(lines: readonly number[], field: Pick<SelectedField, 'start' | 'end'> | null): LineRange | null {
  if (!field || field.start === null || field.end === null) return null;
  return { first: Math.max(0, firstAfter(lines, field.start) - 1), end: Math.max(1, firstAfter(lines, field.end - 1)) };
}

/** The index of the first line that starts after a byte. */
function firstAfter(lines: readonly number[], byte: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) <= byte) low = middle + 1;
    else high = middle;
  }
  return low;
}
