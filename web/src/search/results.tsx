// The list of what was found. The focus stays in the search box; this list only shows which result Enter opens.

import { useEffect } from 'preact/hooks';
import { span, useRows } from '../list/use-rows';
import { visible } from '../text/visible';
import { StateMark } from '../ui/state-mark';

export interface Result {
  path: string;
  marks: number[];
  /** What was found in it. */
  note: string | null;
  /** Where in the file to go. */
  target: Record<string, string>;
}

interface ResultsProps {
  results: readonly Result[];
  at: number;
  onOpen(result: Result): void;
  onPoint(index: number): void;
}

export function Results({ results, at, onOpen, onPoint }: ResultsProps) {
  const rows = useRows(results.length, 44);
  useEffect(() => rows.reveal(at), [at]);
  const shown = span(rows.first, rows.end);
  if (at < results.length && !shown.includes(at)) shown.push(at);
  return (
    <div ref={rows.host} id="search-results" class="scroll search-results" role="listbox" aria-label="Results" tabIndex={-1}>
      <div class="rows" role="presentation" style={{ height: `${rows.total}px` }}>
        {shown.map((index) => {
          const result = results[index];
          if (!result) return null;
          const slash = result.path.lastIndexOf('/');
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
                if (index !== at) onPoint(index);
              }}
            >
              <span class="result-name name ellipsis">
                <Marked text={result.path.slice(slash + 1)} from={slash + 1} marks={result.marks} />
                <StateMark path={result.path} />
              </span>
              <span class="result-folder name ellipsis">
                {result.note === null ? (
                  <Marked text={result.path.slice(0, Math.max(0, slash))} from={0} marks={result.marks} />
                ) : (
                  visible(`${result.note}  ·  ${result.path.slice(0, Math.max(0, slash))}`)
                )}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** A part of a path, which begins at `from`, with what matched made strong. */
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
