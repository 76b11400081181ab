// Virtualized text lines with line numbers, syntax highlighting and search.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { span, useRows } from '../../list/use-rows';
import { copy } from '../../state/announce';
import { patch, route } from '../../state/route';
import { highlight, type Token } from '../../text/highlight';
import { count, counted } from '../../text/number';
import { visibleLine } from '../../text/visible';
import { Icon } from '../../ui/icon';
import { findAll, type Hit } from './find';

interface TextLinesProps {
  text: string;
  language: string;
  label: string;
  links?: LineLinks;
  /** Additional controls at the start of the toolbar. */
  tools?: ComponentChildren;
  /** Content between the line number and the text. */
  gutter?(line: number): ComponentChildren;
}

/** A range of lines; `end` is exclusive. */
export interface LineRange {
  first: number;
  end: number;
}

/** Links between lines and fields. */
export interface LineLinks {
  /** The selected lines. */
  chosen: LineRange | null;
  /** The lines of the field hovered in another view. */
  hovered: LineRange | null;
  choose(line: number): void;
}

const LINE = 20;

export function TextLines({ text, language, label, links, tools, gutter }: TextLinesProps) {
  const lines = useMemo(() => text.split(/\r\n|\n|\r/), [text]);
  const widest = useMemo(
    () => lines.reduce((most, line) => Math.max(most, line.length + 3 * (line.split('\t').length - 1)), 0),
    [lines],
  );
  const query = route.value.query.find ?? '';
  const hits = useMemo(() => findAll(lines, query), [lines, query]);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const rows = useRows(lines.length, LINE);
  const line = Number(route.value.query.line ?? 'NaN');
  useEffect(() => setAt(0), [query]);
  useEffect(() => {
    const hit = hits[at];
    if (hit) rows.reveal(hit.line, 'center');
  }, [hits, at]);
  useEffect(() => {
    if (line >= 1) rows.reveal(line - 1, 'center');
  }, [line]);
  const chosen = links?.chosen ?? null;
  useEffect(() => {
    if (chosen) rows.reveal(chosen.first);
  }, [chosen?.first, chosen?.end]);
  const cursor = useRef(0);
  const choose = (index: number) => {
    cursor.current = Math.max(0, Math.min(lines.length - 1, index));
    links?.choose(cursor.current);
  };
  const onLineKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (!links || by === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    choose(
      chosen && (cursor.current < chosen.first || cursor.current >= chosen.end)
        ? chosen.first + by
        : cursor.current + by,
    );
  };
  const isChosen = (index: number) =>
    index === line - 1 || (chosen !== null && index >= chosen.first && index < chosen.end);
  const isHovered = (index: number) =>
    links?.hovered != null && index >= links.hovered.first && index < links.hovered.end;
  const stepMatch = (by: number) => setAt(now => (hits.length === 0 ? 0 : (now + by + hits.length) % hits.length));
  const digits = String(lines.length).length;
  return (
    <div
      class="is-filled"
      onKeyDown={event => {
        if (event.key !== 'f' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        input.current?.focus();
        input.current?.select();
      }}
    >
      <div class="toolbar">
        {tools}
        <div class="field-with-icon">
          <Icon name="search" />
          <input
            ref={input}
            class="input"
            type="search"
            aria-label="Find in this text"
            placeholder="Find in this text"
            spellcheck={false}
            value={query}
            onInput={event => patch({ find: event.currentTarget.value || null })}
            onKeyDown={event => {
              if (event.key === 'Enter') stepMatch(event.shiftKey ? -1 : 1);
            }}
          />
        </div>
        {query !== '' && (
          <>
            <span class="faint" role="status">
              {hits.length === 0 ? 'No match' : `${count(at + 1)} of ${count(hits.length)}`}
            </span>
            <button
              type="button"
              class="button is-plain"
              aria-label="Previous match"
              disabled={hits.length === 0}
              onClick={() => stepMatch(-1)}
            >
              <span class="is-flipped">
                <Icon name="down" />
              </span>
            </button>
            <button
              type="button"
              class="button is-plain"
              aria-label="Next match"
              disabled={hits.length === 0}
              onClick={() => stepMatch(1)}
            >
              <Icon name="down" />
            </button>
          </>
        )}
        <span class="toolbar-end faint">{counted(lines.length, 'line')}</span>
        <button
          type="button"
          class="button is-plain"
          aria-label="Copy text"
          title="Copy text"
          onClick={() => void copy(text, 'the text')}
        >
          <Icon name="copy" />
        </button>
      </div>
      <div
        ref={rows.host}
        class="scroll text-lines mono"
        role="region"
        aria-label={label}
        tabIndex={0}
        onKeyDown={onLineKey}
      >
        <div class="rows" style={{ height: `${rows.total}px`, minWidth: `calc(${widest + digits + 5}ch + 24px)` }}>
          {span(rows.first, rows.end).map(index => (
            <div
              key={index}
              class={`row text-line${isChosen(index) ? ' is-here' : ''}${links ? ' is-linked' : ''}${isHovered(index) ? ' is-hovered' : ''}`}
              aria-current={isChosen(index) ? 'true' : undefined}
              style={{ transform: `translateY(${rows.top(index)}px)` }}
              onClick={() => {
                // Selecting text does not select the line.
                if (links && getSelection()?.isCollapsed !== false) choose(index);
              }}
            >
              <span class="line-number" aria-hidden="true" style={{ width: `${digits + 2}ch` }}>
                {index + 1}
              </span>
              {gutter && <span class="line-gutter">{gutter(index)}</span>}
              <Line text={lines[index] ?? ''} language={language} hits={hits} line={index} current={hits[at]} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

interface LineProps {
  text: string;
  language: string;
  hits: readonly Hit[];
  line: number;
  current: Hit | undefined;
}

function Line({ text, language, hits, line, current }: LineProps) {
  const own = hits.length === 0 ? [] : hits.filter(hit => hit.line === line);
  let at = 0;
  return (
    <span class="line-text">
      {highlight(text, language).map((token, index) => {
        const from = at;
        at += token.text.length;
        return (
          <span key={index} class={`t-${token.kind}`}>
            <Marked token={token} from={from} hits={own} current={current} />
          </span>
        );
      })}
    </span>
  );
}

function Marked({
  token,
  from,
  hits,
  current,
}: {
  token: Token;
  from: number;
  hits: readonly Hit[];
  current: Hit | undefined;
}) {
  const parts = [];
  let done = 0;
  for (const hit of hits) {
    const begin = Math.max(done, hit.start - from);
    const end = Math.min(token.text.length, hit.end - from);
    if (end <= begin) continue;
    parts.push(visibleLine(token.text.slice(done, begin)));
    parts.push(
      <mark key={hit.start} class={hit === current ? 'is-current' : ''}>
        {visibleLine(token.text.slice(begin, end))}
      </mark>,
    );
    done = end;
  }
  return (
    <>
      {parts}
      {visibleLine(token.text.slice(done))}
    </>
  );
}
