// What the search found, with its filters.

import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { count } from '../text/number';
import { checkAll, checkProgress } from '../state/checks';
import { kinds, kindsFailure, names, namesFailure } from '../state/names';
import { go, patch, recent, route } from '../state/route';
import { session } from '../state/session';
import { Segments } from '../ui/segments';
import { useContents } from './contents';
import type { Filter } from './messages';
import { nameMatches, needsChecks, needsKinds, searchNames } from './names';
import { Results, type Result } from './results';
import { closeSearch } from './search-box';

export const SEARCH_KEYS = ['q', 'in', 'game', 'format', 'has', 'state'];

interface SearchPanelProps {
  query: string;
  input: RefObject<HTMLInputElement | null>;
}

export function SearchPanel({ query, input }: SearchPanelProps) {
  const asked = route.value.query;
  const scope = asked['in'] === 'contents' ? 'contents' : 'names';
  const filter: Filter = { game: asked['game'] ?? '', format: asked['format'] ?? '', view: asked['has'] ?? '', state: asked['state'] ?? '' };
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const [at, setAt] = useState(0);
  useEffect(() => {
    setAt(0);
    if (scope === 'names') searchNames(query, filter);
  }, [query, scope, filter.game, filter.format, filter.view, filter.state]);
  const isChecking = scope === 'names' && needsChecks(filter);
  useEffect(() => {
    if (!isChecking) return undefined;
    const controller = new AbortController();
    void checkAll(controller.signal);
    return () => controller.abort();
  }, [isChecking]);
  const contents = useContents(scope === 'contents' ? query : '');

  const results: readonly Result[] =
    scope === 'contents'
      ? contents.results
      : query === '' && !isFiltered
        ? recent.value.map((path) => ({ path, marks: [], note: null, target: {} }))
        : (nameMatches.value?.results ?? []).map((match) => ({ ...match, note: null, target: {} }));

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
            { value: 'names', label: 'Names' },
            { value: 'contents', label: 'Contents' },
          ]}
          onChange={(value) => {
            patch({ in: value === 'names' ? null : value, q: query });
            input.current?.focus();
          }}
        />
        {scope === 'names' && <Filters filter={filter} />}
      </div>
      <p class="search-status" role="status">
        {scope === 'contents' ? contents.status : nameStatus(query, isFiltered, filter)}
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
  if (query === '' && !isFiltered) return recent.value.length > 0 ? 'Recent' : 'Type a few letters of a name, in any order of words.';
  const answer = nameMatches.value;
  if (!answer) return 'Searching…';
  const progress = needsChecks(filter) ? checkProgress.value : null;
  if (progress && progress.checked < progress.total) {
    return `${count(answer.total)} so far: ${count(progress.checked)} of ${count(progress.total)} files are checked.`;
  }
  if (answer.total === 0) return isFiltered ? 'No file is like that.' : 'Nothing has such a name.';
  const shown = answer.results.length < answer.total ? `, the first ${count(answer.results.length)} shown` : '';
  return `${count(answer.total)} ${answer.total === 1 ? 'file' : 'files'}${shown}`;
}

function Filters({ filter }: { filter: Filter }) {
  const open = session.value;
  if (!open) return null;
  const games = open.games.filter((game) => open.roots.some((root) => root.game === game.id));
  const formats = filter.game === '' ? open.formats : open.formats.filter((format) => format.game === filter.game);
  const views = [...new Set(open.formats.flatMap((format) => format.views))].filter((kind) => kind !== 'bytes' && kind !== 'report');
  return (
    <>
      <Filter label="Game" name="game" value={filter.game} choices={games.map(({ id, name }) => [id, name])} />
      <Filter label="Format" name="format" value={filter.format} choices={formats.map(({ id, name }) => [id, `${id} – ${name}`])} />
      <Filter label="View" name="has" value={filter.view} choices={views.map((kind) => [kind, kind])} />
      <Filter
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

function Filter({ label, name, value, choices }: { label: string; name: string; value: string; choices: [string, string][] }) {
  return (
    <select
      class="select is-filter"
      aria-label={label}
      value={value}
      onChange={(event) => patch({ [name]: event.currentTarget.value || null, q: route.value.query['q'] ?? '' })}
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
