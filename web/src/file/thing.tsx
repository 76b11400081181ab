// What is selected, as a card: the files that it is shown and heard from, and for an actor its script, lines, clips and attributes.

import { useEffect, useState } from 'preact/hooks';
import { address, getJson, getLines, viewAddress } from '../api/request';
import type { Asset, FoundLine, Links, ListedScript, Scripts } from '../api/types';
import { useRequest } from '../api/use-request';
import { isPictured, Thumbnail } from '../browse/thumbnail';
import { formatByName } from '../state/formats';
import { kindOfPath } from '../state/kinds';
import { lookUp } from '../state/lookup';
import { loadNames, names } from '../state/names';
import { link, nameOf, parentOf } from '../state/route';
import { selectedThing, shownScene } from '../state/scene';
import { useVoices } from '../state/voices';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';
import { kindIcon } from '../ui/kind-icon';
import { ScriptText, useScript } from '../views/script-view';
import { PlayButton } from '../views/sound/play-button';
import { listSounds } from '../views/table/play-cell';

export function Thing({ asset, at }: { asset: Asset; at: string }) {
  const url = address('links', asset.path, { at });
  const answer = useRequest(url, signal => getJson<Links>(url, signal).catch(() => NO_LINKS));
  const links = answer.state === 'ready' ? answer.value : NO_LINKS;
  const thing = isOf(selectedThing.value?.field ?? null, at) ? selectedThing.value : null;
  useEffect(() => void loadNames(), []);
  const title = thing?.name ?? links.actor?.name ?? null;
  return (
    <>
      {title !== null && (
        <p class="thing-name">
          {visible(title)}
          {thing && <span class="faint"> {visible(thing.layer)}</span>}
        </p>
      )}
      <Files asset={asset} texts={namedFiles(links, thing?.extras ?? {})} />
      {thing && thing.clips.length > 0 && <Clips clips={thing.clips} />}
      {links.actor && <ActorCard asset={asset} actor={links.actor} />}
    </>
  );
}

/** Whether a field is what is selected, or a part of it. */
function isOf(field: string | null, at: string): boolean {
  return field !== null && (at === field || at.startsWith(`${field}.`) || at.startsWith(`${field}[`));
}

const NO_LINKS: Links = { actor: null, names: [] };
const FILES = new Set(['model', 'texture', 'sound', 'palette', 'map', 'room']);

/** The names of files: those that the file declares, and texts of the extras that end as files do. */
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
    <ul class="thing-files" aria-label="Files of the selection">
      {texts.map(text => (
        <li key={text}>
          <NamedFile asset={asset} text={text} />
        </li>
      ))}
    </ul>
  );
}

function NamedFile({ asset, text }: { asset: Asset; text: string }) {
  const direct = lookUp(text, asset.path) ?? lookUp(`${text}c`, asset.path);
  const found = useHolder(text, direct === null ? asset.path : null);
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
  const isWhole = direct !== null;
  return (
    <>
      <a class="thing-file" href={link(path, isWhole ? {} : { at: found?.field ?? null })}>
        <Thumbnail path={path} pictured={isPictured(path, formatByName(nameOf(path)))} icon={kindIcon(kind)} />
        <span class="item-text">
          <span class="name ellipsis">{visible(isWhole ? nameOf(path) : text)}</span>
          <span class="faint ellipsis">{visible(isWhole ? parentOf(path) : nameOf(path))}</span>
        </span>
      </a>
      {kind === 'sounds' && <PlayButton path={path} item={null} what={visible(nameOf(path))} />}
    </>
  );
}

interface Holder {
  path: string;
  field: string;
}

const holders = new Map<string, Holder | null>();

/** The file that holds something of a name which is no file of its own: a model in a library of models. */
function useHolder(text: string, from: string | null): Holder | null {
  const [found, setFound] = useState<Holder | null>(holders.get(text) ?? null);
  useEffect(() => {
    if (from === null || /[\\/.]/.test(text) || holders.has(text)) return undefined;
    const controller = new AbortController();
    const take = (lines: FoundLine[]) => {
      for (const { path, places } of lines) {
        const place = places?.find(({ field }) => field);
        // Another map names it as this one does; what is made of models holds it.
        if (path === undefined || !place?.field || !['models', 'characters'].includes(kindOfPath(path))) continue;
        holders.set(text, { path, field: place.field.replace(/\.header\.name$|\.name$/, '') });
        setFound(holders.get(text) ?? null);
        controller.abort();
      }
    };
    getLines<FoundLine>(address('find', null, { q: `model:${text}` }), controller.signal, take).catch(() => undefined);
    return () => controller.abort();
  }, [text, from]);
  return found;
}

function Clips({ clips }: { clips: readonly string[] }) {
  return (
    <div class="thing-part">
      <h3>Clips</h3>
      <div class="thing-clips">
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
  const url = viewAddress(asset.path, 'script');
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
        <div class="thing-part">
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
      <div class="thing-part">
        <h3>Script</h3>
        <p class="links">
          <a href={link(asset.path, target)}>Open script</a>
          <button type="button" class="text-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide text' : 'Show text here'}
          </button>
        </p>
        {isOpen && (
          <div class="thing-script">
            <ScriptText path={asset.path} script={script} hasScene={false} />
          </div>
        )}
      </div>
      {lines.length > 0 && (
        <div class="thing-part">
          <h3>Lines</h3>
          <ul class="thing-lines" aria-label="Lines">
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
