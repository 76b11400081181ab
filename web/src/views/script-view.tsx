// The scripts of a file: a list of owners, and each script as text. Voiced lines can be played.

import { useEffect } from 'preact/hooks';
import { getJson, viewUrl } from '../api/request';
import type { ListedScript, Script, Scripts } from '../api/types';
import { useRequest } from '../api/use-request';
import { ListBox } from '../list/list-box';
import { patch, route } from '../state/route';
import { useVoices } from '../state/voices';
import { count, counted } from '../text/number';
import { visible } from '../text/visible';
import { Empty, Failure, Loading } from '../ui/state';
import { PlayButton } from './sound/play-button';
import { listSounds } from './table/play-cell';
import { TextLines } from './text/text-lines';
import type { ViewProps } from './view-panel';

export function ScriptView({ asset }: ViewProps) {
  const url = viewUrl(asset.path, 'script');
  const answer = useRequest(url, signal => getJson<Scripts>(url, signal));
  if (answer.state === 'loading') return <Loading what="Reading the scripts…" />;
  if (answer.state === 'failed') return <Failure reason={answer.reason} retry={answer.retry} />;
  const { scripts } = answer.value;
  if (scripts.length === 0) return <Empty>This file has no scripts.</Empty>;
  return <ScriptsOf path={asset.path} hasScene={asset.views.some(view => view.kind === 'scene')} scripts={scripts} />;
}

/** The index of the script selected in the URL, by number or by a field of its owner. */
export function chosenScript(
  scripts: readonly ListedScript[],
  item: string | undefined,
  at: string | undefined,
): number {
  const owner =
    at === undefined
      ? -1
      : scripts.findIndex(({ field }) => field !== null && (at === field || at.startsWith(`${field}.`)));
  if (item !== undefined && scripts[Number(item)]) return Number(item);
  if (owner >= 0) return owner;
  // By default, select the first non-trivial script.
  return Math.max(
    0,
    scripts.findIndex(({ lines }) => lines > TRIVIAL_LINES),
  );
}

/** Number of lines of a trivial script: a header, an empty line and an `end` statement. */
const TRIVIAL_LINES = 3;

function ScriptsOf({ path, hasScene, scripts }: { path: string; hasScene: boolean; scripts: readonly ListedScript[] }) {
  const { item, at } = route.value.query;
  const chosen = chosenScript(scripts, item, at);
  const current = scripts[chosen];
  return (
    <div class="with-items">
      <ListBox
        label={`Scripts, ${count(scripts.length)}`}
        count={scripts.length}
        rowHeight={40}
        selected={chosen}
        nameAt={index => scripts[index]?.name ?? null}
        onSelect={index => patch({ item: String(index), at: scripts[index]?.field ?? null, line: null })}
        row={index => (
          <span class="item-text">
            <span class="name ellipsis">{visible(scripts[index]?.name ?? '')}</span>
            <span class="faint ellipsis">{counted(scripts[index]?.lines ?? 0, 'line')}</span>
          </span>
        )}
      />
      <div class="item-view">
        {current && <ScriptText key={current.index} path={path} script={current} hasScene={hasScene} />}
      </div>
    </div>
  );
}

/** The line of the statement at an offset. */
function lineOf({ offsets }: Script, statement: string): number | null {
  return offsets.reduce<number | null>((line, [from, own]) => (from <= Number(statement) ? own : line), null);
}

export function useScript(path: string, index: number | null) {
  const url = viewUrl(path, 'script', { item: index });
  return useRequest(index === null ? '' : url, async signal => (index === null ? null : getJson<Script>(url, signal)));
}

export function ScriptText({ path, script, hasScene }: { path: string; script: ListedScript; hasScene: boolean }) {
  const answer = useScript(path, script.index);
  const { statement } = route.value.query;
  const text = answer.state === 'ready' ? answer.value : null;
  useEffect(() => {
    if (text === null || statement === undefined) return;
    patch({ statement: null, line: String(lineOf(text, statement) ?? 1) });
  }, [text, statement]);
  const voices = useVoices(path, text !== null, listSounds);
  if (answer.state === 'loading') return <Loading what="Reading the script…" />;
  if (answer.state === 'failed') return <Failure reason={answer.reason} retry={answer.retry} />;
  if (text === null) return null;
  const lineVoices = new Map(
    text.names.filter(({ kind }) => kind === 'line').map(({ line: own, name }) => [own, voices.get(name) ?? null]),
  );
  return (
    <TextLines
      text={text.text}
      language={text.language}
      label={`Script of ${visible(script.name)}`}
      tools={
        hasScene && script.placed.length > 0 ? (
          <button type="button" class="button" onClick={() => patch({ view: 'scene', at: script.placed[0] ?? null })}>
            Show in scene
          </button>
        ) : null
      }
      gutter={index => {
        const voice = lineVoices.get(index + 1);
        return voice ? <PlayButton path={voice.path} item={voice.item} what={`the line ${index + 1}`} /> : null;
      }}
    />
  );
}
