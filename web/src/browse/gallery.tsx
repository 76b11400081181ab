// Entries as a grid of thumbnails whose column count follows the width.

import { useEffect, useId, useState } from 'preact/hooks';
import { entryIcon } from '../frame/tree';
import { span, useRows } from '../list/use-rows';
import { go } from '../state/route';
import { formatOf } from '../state/session';
import { fileSize } from '../text/number';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';
import { StateMark } from '../ui/state-mark';
import type { Entries } from './entries';
import { formatLabel } from './entries';
import { hasThumbnail, Thumbnail } from './thumbnail';

const WIDTH = 148;
const HEIGHT = 156;

export function EntryGallery({ entries }: { entries: Entries }) {
  const total = entries.total ?? 0;
  const [columns, setColumns] = useState(1);
  const [at, setAt] = useState(0);
  const id = useId();
  const rows = useRows(Math.ceil(total / columns), HEIGHT, { overscan: 1 });
  useEffect(() => {
    if (rows.width > 0) setColumns(Math.max(1, Math.floor((rows.width - 16) / WIDTH)));
  }, [rows.width]);
  useEffect(() => entries.ensureLoaded(rows.first * columns, Math.min(total, rows.end * columns)));

  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + columns,
      ArrowUp: at - columns,
      PageDown: at + columns * rows.page,
      PageUp: at - columns * rows.page,
      Home: 0,
      End: total - 1,
    };
    const move = moves[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (move !== undefined) {
      const next = Math.max(0, Math.min(total - 1, move));
      setAt(next);
      rows.reveal(Math.floor(next / columns));
    } else if (event.key === 'Enter') {
      const entry = entries.at(at);
      if (entry) go(entry.path, { view: entry.view ?? null });
    } else return;
    event.preventDefault();
  };
  const shown = span(rows.first * columns, Math.min(total, rows.end * columns));
  const width = rows.width > 0 ? (rows.width - 16) / columns : WIDTH;
  return (
    <div
      ref={rows.host}
      class="scroll gallery"
      role="listbox"
      aria-label="Entries of this folder"
      aria-activedescendant={shown.includes(at) ? `${id}-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div class="rows" role="presentation" style={{ height: `${rows.total}px` }}>
        {shown.map(index => {
          const entry = entries.at(index);
          const position = `translate(${8 + (index % columns) * width}px, ${rows.top(Math.floor(index / columns))}px)`;
          return (
            <div
              key={index}
              id={`${id}-${index}`}
              class="row tile"
              role="option"
              aria-selected={index === at}
              aria-posinset={index + 1}
              aria-setsize={total}
              style={{ transform: position, width: `${width}px`, height: `${HEIGHT}px` }}
              title={entry ? `${visible(entry.name)}\n${formatLabel(entry)}` : undefined}
              onClick={() => {
                setAt(index);
                if (entry) go(entry.path, { view: entry.view ?? null });
              }}
            >
              {entry ? <Tile entry={entry} /> : <span class="thumbnail" />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Tile({ entry }: { entry: NonNullable<ReturnType<Entries['at']>> }) {
  const format = formatOf(entry.format);
  return (
    <>
      {entry.kind !== 'folder' ? (
        <Thumbnail path={entry.path} hasImage={hasThumbnail(entry.name, format)} icon={entryIcon(entry)} />
      ) : (
        <span class="thumbnail is-folder">
          <Icon name={entryIcon(entry)} />
        </span>
      )}
      <StateMark path={entry.path} />
      <span class="tile-name name ellipsis">{visible(entry.name)}</span>
      <span class="tile-note ellipsis">{entry.length === null ? formatLabel(entry) : fileSize(entry.length)}</span>
    </>
  );
}
