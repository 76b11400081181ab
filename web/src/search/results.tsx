// The list of search results. The focus stays in the search box; the list highlights the result that Enter opens.

import { useEffect } from 'preact/hooks';
import { span, useRows } from '../list/use-rows';
import { kindOfPath } from '../state/kinds';
import { nameOf, parentOf } from '../state/route';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';
import { kindIcon } from '../ui/kind-icon';
import { StateMark } from '../ui/state-mark';

export interface Result {
  path: string;
  marks: number[];
  /** The match in the file's content; null for a file name. */
  found: { kind: string; text: string; field: string | null } | null;
  /** Query parameters of the location in the file. */
  target: Record<string, string>;
}

interface ResultsProps {
  results: readonly Result[];
  at: number;
  onOpen(result: Result): void;
  onHighlight(index: number): void;
}

export function Results({ results, at, onOpen, onHighlight }: ResultsProps) {
  const rows = useRows(results.length, 44);
  useEffect(() => rows.reveal(at), [at]);
  const shown = span(rows.first, rows.end);
  if (at < results.length && !shown.includes(at)) shown.push(at);
  return (
    <div
      ref={rows.host}
      id="search-results"
      class="scroll search-results"
      role="listbox"
      aria-label="Results"
      tabIndex={-1}
    >
      <div class="rows" role="presentation" style={{ height: `${rows.total}px` }}>
        {shown.map(index => {
          const result = results[index];
          if (!result) return null;
          return (
            <div
              key={index}
              id={`search-result-${index}`}
              class="row result"
              role="option"
              aria-selected={index === at}
              aria-posinset={index + 1}
              aria-setsize={results.length}
              style={{ transform: `translateY(${rows.top(index)}px)`, height: '44px' }}
              onClick={() => onOpen(result)}
              onPointerMove={() => {
                if (index !== at) onHighlight(index);
              }}
            >
              <span class="result-icon">
                <Icon name={kindIcon(kindOfPath(result.path))} />
              </span>
              {result.found === null ? (
                <NamedFile result={result} />
              ) : (
                <ContentMatch result={result} found={result.found} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function NamedFile({ result: { path, marks } }: { result: Result }) {
  const slash = path.lastIndexOf('/');
  return (
    <>
      <span class="result-name name ellipsis">
        <Marked text={path.slice(slash + 1)} from={slash + 1} marks={marks} />
        <StateMark path={path} />
      </span>
      <span class="result-folder name ellipsis">
        <Marked text={path.slice(0, Math.max(0, slash))} from={0} marks={marks} />
      </span>
    </>
  );
}

/** A match in a file's content, followed by its location. */
function ContentMatch({ result: { path }, found }: { result: Result; found: NonNullable<Result['found']> }) {
  const location = [nameOf(path), parentOf(path), found.field].filter(part => part).join('  ·  ');
  return (
    <>
      <span class="result-name name ellipsis">
        {visible(found.text)}
        <span class="result-kind">{found.kind}</span>
      </span>
      <span class="result-folder name ellipsis">{visible(location)}</span>
    </>
  );
}

/** A part of a path, starting at `from`, with highlighted matches. */
function Marked({ text, from, marks }: { text: string; from: number; marks: readonly number[] }) {
  const parts = [];
  let done = 0;
  for (let index = 0; index + 1 < marks.length; index += 2) {
    const begin = Math.max(done, (marks[index] ?? 0) - from);
    const end = Math.min(text.length, (marks[index + 1] ?? 0) - from);
    if (end <= begin) continue;
    parts.push(visible(text.slice(done, begin)), <mark key={index}>{visible(text.slice(begin, end))}</mark>);
    done = end;
  }
  return (
    <>
      {parts}
      {visible(text.slice(done))}
    </>
  );
}
