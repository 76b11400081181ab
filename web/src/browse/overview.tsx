// What a game has, by kind: a card for rooms, characters, maps, models, sounds, with how many there are and pictures of some.

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
import { isPictured, Thumbnail } from './thumbnail';

/** So many files are shown on a card. */
const SHOWN = 4;
/** What has no pictures of its own is listed by name. */
const NAMED = new Set(['sounds', 'scripts', 'texts', 'settings', 'archives', 'other']);

export function Overview({ root }: { root: string }) {
  useEffect(() => void loadNames(), []);
  if (namesFailure.value !== null) return <Failure reason={namesFailure.value} retry={() => void loadNames()} />;
  if (names.value === null) return <Loading what="Looking at what is there…" />;
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
      {NAMED.has(kind) ? <Listed kind={kind} files={files} /> : <Pictured kind={kind} files={files} />}
      <span class="kind-name">
        <Icon name={kindIcon(kind)} />
        <span>{label}</span> <span class="kind-count">{count(files.length)}</span>
      </span>
    </a>
  );
}

/** Files from the whole list, not only its beginning, which is often of one sort. */
function some(files: readonly KindFile[]): KindFile[] {
  const step = Math.max(1, Math.floor(files.length / SHOWN));
  return files.filter((_, index) => index % step === 0).slice(0, SHOWN);
}

function Pictured({ kind, files }: { kind: string; files: readonly KindFile[] }) {
  const shown = some(files);
  return (
    <span class={`kind-pictures has-${shown.length}`} aria-hidden="true">
      {shown.map(({ path, name }) => (
        <Thumbnail key={path} path={path} pictured={isPictured(name, formatByName(name))} icon={kindIcon(kind)} />
      ))}
    </span>
  );
}

function Listed({ kind, files }: { kind: string; files: readonly KindFile[] }) {
  return (
    <span class="kind-list" aria-hidden="true">
      <span class="kind-mark">
        <Icon name={kindIcon(kind)} />
      </span>
      <span class="kind-files">
        {some(files).map(({ path, name }) => (
          <span key={path} class="name ellipsis">
            {visible(name)}
          </span>
        ))}
      </span>
    </span>
  );
}
