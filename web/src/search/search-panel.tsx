// What the search found, with its filters.

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

function scopeOf(asked: string | undefined): Scope {
  return asked === 'names' || asked === 'contents' ? asked : 'all';
}

/** So many names come before what is in the files; the rest comes behind. */
const NAMES_FIRST = 24;

/** Names and places as one list: the best names, then what is in the files, by the kind of file, then all other names. */
function together(
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
  const places = [...contents].sort((a, b) => rank(a) - rank(b));
  return [...names.slice(0, NAMES_FIRST), ...places, ...names.slice(NAMES_FIRST)];
}

interface SearchPanelProps {
  query: string;
  input: RefObject<HTMLInputElement | null>;
}

export function SearchPanel({ query, input }: SearchPanelProps) {
  const asked = route.value.query;
  const scope = scopeOf(asked.in);
  const filter: Filter = {
    game: asked.game ?? '',
    format: asked.format ?? '',
    view: asked.has ?? '',
    state: asked.state ?? '',
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
    () => together(scope, query === '' && !isFiltered, contents.results, nameMatches.value?.results ?? []),
    [scope, query, isFiltered, contents.results, nameMatches.value, recent.value],
  );

  const open = (result: Result | undefined) => {
    if (!result) return;
    closeSearch();
    input.current?.blur();
    go(result.path, result.target);
    document.getElementById('main')?.focus();
  };
  // Before the next key can come: Enter opens what is shown, not what was shown before.
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
      <Results results={results} at={at} onOpen={open} onPoint={setAt} />
    </div>
  );
}

function nameStatus(query: string, isFiltered: boolean, filter: Filter): string {
  const byKind = needsKinds(filter);
  if (namesFailure.value) return namesFailure.value;
  if (!names.value) return 'Reading names…';
  if (byKind && kindsFailure.value) return kindsFailure.value;
  if (byKind && !kinds.value) return 'Reading the formats of all files…';
  if (query === '' && !isFiltered)
    return recent.value.length > 0 ? 'Recent' : 'Type a few letters of a name, in any order of words.';
  const answer = nameMatches.value;
  if (!answer) return 'Searching…';
  const progress = needsChecks(filter) ? checkProgress.value : null;
  if (progress && progress.checked < progress.total) {
    return `${count(answer.total)} so far: ${count(progress.checked)} of ${count(progress.total)} files are checked.`;
  }
  if (answer.total === 0) return isFiltered ? 'No file is like that.' : 'No file has such a name';
  const shown = answer.results.length < answer.total ? `, the first ${count(answer.results.length)} shown` : '';
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
