// The contents of a game by kind: a card for rooms, characters, maps, models and sounds, with file counts and sample thumbnails.

import { useEffect } from 'preact/hooks';
import { formatByName } from '../state/formats';
import { type KindFile, kindLabels, kindsIn } from '../state/kinds';
import { loadNames, names, namesFailure } from '../state/names';
import { link } from '../state/route';
import { count } from '../text/number';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';
import { kindIcon } from '../ui/kind-icon';
import { Empty, Failure, Loading } from '../ui/state';
import { hasThumbnail, Thumbnail } from './thumbnail';

/** Number of files shown on a card. */
const MAX_SHOWN = 4;
/** Kinds without thumbnails, listed by name. */
const LISTED_KINDS = new Set(['sounds', 'scripts', 'texts', 'settings', 'archives', 'other']);

export function Overview({ root }: { root: string }) {
  useEffect(() => void loadNames(), []);
  if (namesFailure.value !== null) return <Failure reason={namesFailure.value} retry={() => void loadNames()} />;
  if (names.value === null) return <Loading what="Reading file names…" />;
  const kinds = [...kindsIn(root)];
  if (kinds.length === 0) return <Empty>This folder has no files.</Empty>;
  return (
    <ul class="kinds">
      {kinds.map(([kind, files]) => (
        <li key={kind}>
          <KindCard root={root} kind={kind} files={files} />
        </li>
      ))}
    </ul>
  );
}

function KindCard({ root, kind, files }: { root: string; kind: string; files: readonly KindFile[] }) {
  const label = kindLabels.value.get(kind) ?? kind;
  return (
    <a class={`kind-card is-${kind}`} href={link(root, { kind })}>
      {LISTED_KINDS.has(kind) ? <NameList kind={kind} files={files} /> : <ThumbnailGrid kind={kind} files={files} />}
      <span class="kind-name">
        <Icon name={kindIcon(kind)} />
        <span>{label}</span> <span class="kind-count">{count(files.length)}</span>
      </span>
    </a>
  );
}

/** Picks evenly spaced files, because the first ones are often alike. */
function sample(files: readonly KindFile[]): KindFile[] {
  const step = Math.max(1, Math.floor(files.length / MAX_SHOWN));
  return files.filter((_, index) => index % step === 0).slice(0, MAX_SHOWN);
}

function ThumbnailGrid({ kind, files }: { kind: string; files: readonly KindFile[] }) {
  const shown = sample(files);
  return (
    <span class={`kind-thumbnails has-${shown.length}`} aria-hidden="true">
      {shown.map(({ path, name }) => (
        <Thumbnail key={path} path={path} hasImage={hasThumbnail(name, formatByName(name))} icon={kindIcon(kind)} />
      ))}
    </span>
  );
}

function NameList({ kind, files }: { kind: string; files: readonly KindFile[] }) {
  return (
    <span class="kind-list" aria-hidden="true">
      <span class="kind-mark">
        <Icon name={kindIcon(kind)} />
      </span>
      <span class="kind-files">
        {sample(files).map(({ path, name }) => (
          <span key={path} class="name ellipsis">
            {visible(name)}
          </span>
        ))}
      </span>
    </span>
  );
}
