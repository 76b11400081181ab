// A text as it is, and beside settings what their lines mean.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { getJson, viewAddress } from '../../api/request';
import type { Asset, Place, TextAnswer } from '../../api/types';
import { useRequest } from '../../api/use-request';
import { hovered } from '../../state/hover';
import { choices } from '../../state/options';
import { patch, route } from '../../state/route';
import { Failure, Loading } from '../../ui/state';
import { FieldsTree } from '../fields/fields-view';
import { type ChosenField, chooseField, useChosenField } from '../fields/place';
import type { ViewProps } from '../view-panel';
import { type LineRange, TextLines } from './text-lines';

export function TextView({ asset, item }: ViewProps) {
  const url = viewAddress(asset.path, 'text', { item, charset: route.value.query.charset, ...choices.value });
  const answer = useRequest(url, signal => getJson<TextAnswer>(url, signal));
  if (answer.state === 'loading') return <Loading what="Reading the text…" />;
  if (answer.state === 'failed') return <Failure reason={answer.reason} retry={answer.retry} />;
  const { text, language, lines, charset, truncated } = answer.value;
  const tools = <CharsetChoice now={charset} />;
  return (
    <div class="is-filled">
      {truncated && <p class="banner">This text is too long to be shown whole: this is its beginning.</p>}
      {lines === null ? (
        <TextLines text={text} language={language} label="Text" tools={tools} />
      ) : (
        <Linked asset={asset} text={text} language={language} lines={lines} tools={tools} />
      )}
    </div>
  );
}

/** Character sets that texts of games are in, and what they are for. */
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

/** The character set that the bytes are read in: the likeliest, or another. It matters only where there are letters beyond ASCII. */
function CharsetChoice({ now }: { now: string | null }) {
  const asked = route.value.query.charset ?? '';
  if (now === null || (now === 'utf-8' && asked === '')) return null;
  return (
    <select
      class="select"
      aria-label="Encoding"
      title="Encoding"
      value={asked}
      onChange={event => patch({ charset: event.currentTarget.value || null })}
    >
      <option value="">{asked === '' ? `Automatic (${now})` : 'Automatic'}</option>
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
  /** Where each line begins in the file. */
  lines: readonly number[];
  tools: ComponentChildren;
}

/** The lines as they are in the file, beside the values that they mean: choosing one shows the other. */
function Linked({ asset, text, language, lines, tools: before }: LinkedProps) {
  const isShown = route.value.query.values !== 'off';
  const field = useChosenField(asset.path);
  const chosen = useMemo(() => linesOf(lines, field), [lines, field?.start, field?.end]);
  const over = linesOf(lines, hovered.value);
  const asked = useRef<AbortController | null>(null);
  useEffect(() => () => asked.current?.abort(), []);
  const choose = async (line: number) => {
    asked.current?.abort();
    asked.current = new AbortController();
    try {
      const { fields } = await getJson<{ fields: Place[] }>(
        viewAddress(asset.path, 'locate', { offset: lines[line] }),
        asked.current.signal,
      );
      const own = fields[fields.length - 1];
      if (own) chooseField(own.path, own.start);
    } catch {
      // An empty line at the end is no field.
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

/** The lines that a field stands in. */
function linesOf(lines: readonly number[], field: Pick<ChosenField, 'start' | 'end'> | null): LineRange | null {
  if (!field || field.start === null || field.end === null) return null;
  return { first: Math.max(0, firstAfter(lines, field.start) - 1), end: Math.max(1, firstAfter(lines, field.end - 1)) };
}

/** The number of the first line that begins after a byte. */
function firstAfter(lines: readonly number[], byte: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) <= byte) low = middle + 1;
    else high = middle;
  }
  return low;
}
