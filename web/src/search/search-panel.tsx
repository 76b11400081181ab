// Search results and filters.

import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { checkAll, checkProgress } from '../state/checks';
import { kindOfPath, kindRank } from '../state/kinds';
import { kinds, kindsFailure, names, namesFailure } from '../state/names';
import { go, patch, recent, route } from '../state/route';
import { session } from '../state/session';
import { count } from '../text/number';
import { Segments } from '../ui/segments';
import { useContents } from './contents';
import type { Filter, Match } from './messages';
import { nameMatches, needsChecks, needsKinds, searchNames } from './names';
import { type Result, Results } from './results';
import { closeSearch } from './search-box';

export const SEARCH_KEYS = ['q', 'in', 'game', 'format', 'has', 'state'];

type Scope = 'all' | 'names' | 'contents';

function scopeOf(requested: string | undefined): Scope {
  return requested === 'names' || requested === 'contents' ? requested : 'all';
}

/** Number of name matches listed before content matches. */
const TOP_NAMES = 24;

/** Merges name and content matches: the best names, content matches by kind of file, then the remaining names. */
function mergeResults(
  scope: Scope,
  isEmpty: boolean,
  contents: readonly Result[],
  matches: readonly Match[],
): readonly Result[] {
  const plain = (path: string, marks: number[] = []): Result => ({ path, marks, found: null, target: {} });
  if (scope === 'contents') return contents;
  if (isEmpty) return recent.value.map(path => plain(path));
  const names = matches.map(match => plain(match.path, match.marks));
  if (contents.length === 0) return names;
  const rank = (result: Result) => kindRank(kindOfPath(result.path));
  const sorted = [...contents].sort((a, b) => rank(a) - rank(b));
  return [...names.slice(0, TOP_NAMES), ...sorted, ...names.slice(TOP_NAMES)];
}

interface SearchPanelProps {
  query: string;
  input: RefObject<HTMLInputElement | null>;
}

export function SearchPanel({ query, input }: SearchPanelProps) {
  const requested = route.value.query;
  const scope = scopeOf(requested.in);
  const filter: Filter = {
    game: requested.game ?? '',
    format: requested.format ?? '',
    view: requested.has ?? '',
    state: requested.state ?? '',
  };
  const isFiltered = Object.values(filter).some(value => value !== '');
  const [at, setAt] = useState(0);
  useEffect(() => {
    setAt(0);
    if (scope !== 'contents') searchNames(query, filter);
  }, [query, scope, filter.game, filter.format, filter.view, filter.state]);
  const isChecking = scope !== 'contents' && needsChecks(filter);
  useEffect(() => {
    if (!isChecking) return undefined;
    const controller = new AbortController();
    void checkAll(controller.signal);
    return () => controller.abort();
  }, [isChecking]);
  const withContents = scope === 'contents' || (scope === 'all' && !isFiltered);
  const contents = useContents(withContents ? query : '');
  const results = useMemo(
    () => mergeResults(scope, query === '' && !isFiltered, contents.results, nameMatches.value?.results ?? []),
    [scope, query, isFiltered, contents.results, nameMatches.value, recent.value],
  );

  const open = (result: Result | undefined) => {
    if (!result) return;
    closeSearch();
    input.current?.blur();
    go(result.path, result.target);
    document.getElementById('main')?.focus();
  };
  // A layout effect, so that Enter opens the current result before the next key is handled.
  useLayoutEffect(() => {
    const element = input.current;
    if (!element) return undefined;
    const last = results.length - 1;
    const onKeyDown = (event: KeyboardEvent) => {
      const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10 };
      const move = moves[event.key];
      if (move !== undefined) setAt(Math.max(0, Math.min(last, move)));
      else if (event.key === 'Enter') open(results[at]);
      else return;
      event.preventDefault();
    };
    element.addEventListener('keydown', onKeyDown);
    return () => element.removeEventListener('keydown', onKeyDown);
  });
  useEffect(() => {
    const element = input.current;
    if (results.length > 0) element?.setAttribute('aria-activedescendant', `search-result-${at}`);
    else element?.removeAttribute('aria-activedescendant');
    return () => element?.removeAttribute('aria-activedescendant');
  }, [at, results.length]);

  return (
    <div class="search-panel">
      <div class="search-tools">
        <Segments
          label="Search in"
          value={scope}
          choices={[
            { value: 'all', label: 'All' },
            { value: 'names', label: 'Names' },
            { value: 'contents', label: 'Contents' },
          ]}
          onChange={value => {
            patch({ in: value === 'all' ? null : value, q: query });
            input.current?.focus();
          }}
        />
        {scope !== 'contents' && <Filters filter={filter} />}
      </div>
      <p class="search-status" role="status">
        {[
          scope === 'contents' ? '' : nameStatus(query, isFiltered, filter),
          withContents && query !== '' ? contents.status : '',
        ]
          .filter(part => part !== '')
          .join(' · ')}
      </p>
      <Results results={results} at={at} onOpen={open} onHighlight={setAt} />
    </div>
  );
}

function nameStatus(query: string, isFiltered: boolean, filter: Filter): string {
  const needsFormats = needsKinds(filter);
  if (namesFailure.value) return namesFailure.value;
  if (!names.value) return 'Reading names…';
  if (needsFormats && kindsFailure.value) return kindsFailure.value;
  if (needsFormats && !kinds.value) return 'Reading the formats of all files…';
  if (query === '' && !isFiltered)
    return recent.value.length > 0 ? 'Recent' : 'Type part of a name; words can be in any order.';
  const answer = nameMatches.value;
  if (!answer) return 'Searching…';
  const progress = needsChecks(filter) ? checkProgress.value : null;
  if (progress && progress.checked < progress.total) {
    return `${count(answer.total)} so far (${count(progress.checked)} of ${count(progress.total)} files checked)`;
  }
  if (answer.total === 0) return isFiltered ? 'No matching files' : 'No matching file names';
  const shown = answer.results.length < answer.total ? ` (first ${count(answer.results.length)} shown)` : '';
  return `${count(answer.total)} ${answer.total === 1 ? 'file' : 'files'}${shown}`;
}

function Filters({ filter }: { filter: Filter }) {
  const open = session.value;
  if (!open) return null;
  const games = open.games.filter(game => open.roots.some(root => root.game === game.id));
  const formats = filter.game === '' ? open.formats : open.formats.filter(format => format.game === filter.game);
  const views = [...new Set(open.formats.flatMap(format => format.views))].filter(
    kind => kind !== 'bytes' && kind !== 'report',
  );
  return (
    <>
      <FilterSelect label="Game" name="game" value={filter.game} choices={games.map(({ id, name }) => [id, name])} />
      <FilterSelect
        label="Format"
        name="format"
        value={filter.format}
        choices={formats.map(({ id, name }) => [id, `${id} – ${name}`])}
      />
      <FilterSelect label="View" name="has" value={filter.view} choices={views.map(kind => [kind, kind])} />
      <FilterSelect
        label="State"
        name="state"
        value={filter.state}
        choices={[
          ['error', 'damaged'],
          ['warning', 'with warnings'],
          ['known', 'known format'],
          ['unknown', 'unknown format'],
        ]}
      />
    </>
  );
}

function FilterSelect({
  label,
  name,
  value,
  choices,
}: {
  label: string;
  name: string;
  value: string;
  choices: [string, string][];
}) {
  return (
    <select
      class="select is-filter"
      aria-label={label}
      value={value}
      onChange={event => patch({ [name]: event.currentTarget.value || null, q: route.value.query.q ?? '' })}
    >
      <option value="">{`Any ${label.toLowerCase()}`}</option>
      {choices.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  );
}
