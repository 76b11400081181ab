// A card for the selected object: its files and numbers, and the script, lines, clips and attributes of an actor.

import { useEffect, useState } from 'preact/hooks';
import { getJson, getLines, requestUrl, viewUrl } from '../api/request';
import type { Asset, Links, ListedScript, Scripts, SearchLine } from '../api/types';
import { useRequest } from '../api/use-request';
import { hasThumbnail, Thumbnail } from '../browse/thumbnail';
import { openSearch } from '../search/search-box';
import { formatByName } from '../state/formats';
import { kindOfPath } from '../state/kinds';
import { resolveFile } from '../state/lookup';
import { loadNames, names } from '../state/names';
import { link, nameOf, parentOf, patch } from '../state/route';
import { selectedObject, shownScene } from '../state/scene';
import { useVoices } from '../state/voices';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';
import { kindIcon } from '../ui/kind-icon';
import { ScriptText, useScript } from '../views/script-view';
import { PlayButton } from '../views/sound/play-button';
import { listSounds } from '../views/table/play-cell';

export function SelectionCard({ asset, at }: { asset: Asset; at: string }) {
  const url = requestUrl('links', asset.path, { at });
  const answer = useRequest(url, signal => getJson<Links>(url, signal).catch(() => NO_LINKS));
  const links = answer.state === 'ready' ? answer.value : NO_LINKS;
  const object = isWithin(selectedObject.value?.field ?? null, at) ? selectedObject.value : null;
  useEffect(() => void loadNames(), []);
  const title = object?.name ?? links.actor?.name ?? null;
  return (
    <>
      {title !== null && (
        <p class="selection-name">
          {visible(title)}
          {object && <span class="faint"> {visible(object.layer)}</span>}
        </p>
      )}
      <Files asset={asset} texts={namedFiles(links, object?.extras ?? {})} />
      <Numbers links={links} />
      {object && object.clips.length > 0 && <Clips clips={object.clips} />}
      {links.actor && <ActorCard asset={asset} actor={links.actor} />}
    </>
  );
}

/** Whether `at` is the field or a descendant of it. */
function isWithin(field: string | null, at: string): boolean {
  return field !== null && (at === field || at.startsWith(`${field}.`) || at.startsWith(`${field}[`));
}

const NO_LINKS: Links = { actor: null, names: [] };
const FILES = new Set(['model', 'texture', 'sound', 'palette', 'map', 'room']);

/** File names declared by the links, and strings in the extras that end with a file extension. */
function namedFiles({ names: all }: Links, extras: unknown): string[] {
  const found = all.filter(({ kind, field }) => FILES.has(kind) && !field.includes('.script[')).map(({ text }) => text);
  const walk = (value: unknown, depth: number): void => {
    if (typeof value === 'string' && /\.[a-z0-9]{1,5}$/i.test(value) && value.length < 300) found.push(value);
    else if (typeof value === 'object' && value !== null && depth > 0)
      for (const inner of Object.values(value)) walk(inner, depth - 1);
  };
  walk(extras, 2);
  return [...new Set(found)].slice(0, 12);
}

function Files({ asset, texts }: { asset: Asset; texts: readonly string[] }) {
  if (texts.length === 0 || names.value === null) return null;
  return (
    <ul class="selection-files" aria-label="Files of the selection">
      {texts.map(text => (
        <li key={text}>
          <NamedFile asset={asset} text={text} />
        </li>
      ))}
    </ul>
  );
}

/** Things without a file, which are known by their number. */
const NUMBERS: Readonly<Record<string, string>> = { world: 'World', track: 'CD track' };

/** The worlds and tracks of the selection, each with a search for its uses: the map of a world, the worlds with a track. */
function Numbers({ links }: { links: Links }) {
  const found = links.names.filter(({ kind, field }) => kind in NUMBERS && !field.includes('.script['));
  const queries = [...new Set(found.map(({ kind, text }) => `${kind}:${text}`))];
  if (queries.length === 0) return null;
  return (
    <ul class="selection-files" aria-label="Numbers of the selection">
      {queries.map(query => {
        const [kind = '', number = ''] = query.split(':');
        return (
          <li key={query}>
            <button
              type="button"
              class="text-button"
              onClick={() => {
                patch({ q: query });
                openSearch();
              }}
            >
              Find {NUMBERS[kind]} {visible(number)}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function NamedFile({ asset, text }: { asset: Asset; text: string }) {
  const direct = resolveFile(text, asset.path) ?? resolveFile(`${text}c`, asset.path);
  const found = useContainer(text, direct === null ? asset.path : null);
  const path = direct ?? found?.path ?? null;
  if (path === asset.path) return null;
  if (path === null) {
    return (
      <span class="faint" title="Not found in this game">
        {visible(text)}
      </span>
    );
  }
  const kind = kindOfPath(path);
  const isDirect = direct !== null;
  return (
    <>
      <a class="selection-file" href={link(path, isDirect ? {} : { at: found?.field ?? null })}>
        <Thumbnail path={path} hasImage={hasThumbnail(path, formatByName(nameOf(path)))} icon={kindIcon(kind)} />
        <span class="item-text">
          <span class="name ellipsis">{visible(isDirect ? nameOf(path) : text)}</span>
          <span class="faint ellipsis">{visible(isDirect ? parentOf(path) : nameOf(path))}</span>
        </span>
      </a>
      {kind === 'sounds' && <PlayButton path={path} item={null} what={visible(nameOf(path))} />}
    </>
  );
}

interface Container {
  path: string;
  field: string;
}

const containers = new Map<string, Container | null>();

/** Finds the file that contains a named object, such as a model in a model library. */
function useContainer(text: string, from: string | null): Container | null {
  const [found, setFound] = useState<Container | null>(containers.get(text) ?? null);
  useEffect(() => {
    if (from === null || /[\\/.]/.test(text) || containers.has(text)) return undefined;
    const controller = new AbortController();
    const onLines = (lines: SearchLine[]) => {
      for (const { path, places } of lines) {
        const hit = places?.find(({ field }) => field);
        // Other maps only refer to the name; a model file contains the object.
        if (path === undefined || !hit?.field || !['models', 'characters'].includes(kindOfPath(path))) continue;
        containers.set(text, { path, field: hit.field.replace(/\.header\.name$|\.name$/, '') });
        setFound(containers.get(text) ?? null);
        controller.abort();
      }
    };
    getLines<SearchLine>(requestUrl('find', null, { q: `model:${text}` }), controller.signal, onLines).catch(
      () => undefined,
    );
    return () => controller.abort();
  }, [text, from]);
  return found;
}

function Clips({ clips }: { clips: readonly string[] }) {
  return (
    <div class="selection-part">
      <h3>Clips</h3>
      <div class="selection-clips">
        {clips.map(clip => (
          <button key={clip} type="button" class="chip" onClick={() => shownScene.peek()?.playClip(clip)}>
            <Icon name="play" />
            {visible(clip.slice(clip.indexOf(': ') + 2))}
          </button>
        ))}
      </div>
    </div>
  );
}

function ActorCard({ asset, actor }: { asset: Asset; actor: NonNullable<Links['actor']> }) {
  const attributes = Object.entries(actor.attributes);
  const url = viewUrl(asset.path, 'script');
  const hasScripts = asset.views.some(view => view.kind === 'script');
  const answer = useRequest(hasScripts ? url : '', signal =>
    hasScripts ? getJson<Scripts>(url, signal) : Promise.resolve(null),
  );
  const script =
    answer.state === 'ready' ? (answer.value?.scripts.find(({ field }) => field === actor.field) ?? null) : null;
  return (
    <>
      {script && <ActorScript asset={asset} script={script} />}
      {attributes.length > 0 && (
        <div class="selection-part">
          <h3>Attributes</h3>
          <dl class="facts is-fields mono">
            {attributes.map(([name, value]) => (
              <div key={name}>
                <dt class="ellipsis" title={visible(name)}>
                  {visible(name.replace(/^attr_/, ''))}
                </dt>
                <dd>{visible(String(value))}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </>
  );
}

function ActorScript({ asset, script }: { asset: Asset; script: ListedScript }) {
  const [isOpen, setOpen] = useState(false);
  const answer = useScript(asset.path, script.index);
  const voices = useVoices(asset.path, true, listSounds);
  const lines = answer.state === 'ready' ? (answer.value?.names.filter(({ kind }) => kind === 'line') ?? []) : [];
  const target = { view: 'script', at: script.field };
  return (
    <>
      <div class="selection-part">
        <h3>Script</h3>
        <p class="links">
          <a href={link(asset.path, target)}>Open script</a>
          <button type="button" class="text-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide text' : 'Show text'}
          </button>
        </p>
        {isOpen && (
          <div class="selection-script">
            <ScriptText path={asset.path} script={script} hasScene={false} />
          </div>
        )}
      </div>
      {lines.length > 0 && (
        <div class="selection-part">
          <h3>Lines</h3>
          <ul class="selection-lines" aria-label="Lines">
            {lines.map(({ line, name, text }) => {
              const voice = voices.get(name);
              return (
                <li key={`${line} ${name}`}>
                  {voice ? <PlayButton path={voice.path} item={voice.item} what={visible(text ?? name)} /> : <span />}
                  <a href={link(asset.path, { ...target, line: String(line) })} title={visible(name)}>
                    {visible(text ?? name)}
                  </a>
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </>
  );
}
