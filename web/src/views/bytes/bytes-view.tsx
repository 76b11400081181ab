// The bytes of a file, with the fields that they belong to.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Asset } from '../../api/types';
import { notify } from '../../state/announce';
import { hover } from '../../state/hover';
import { patch, route } from '../../state/route';
import { fileSize, hex, parseOffset } from '../../text/number';
import { visible } from '../../text/visible';
import { Empty, Failure } from '../../ui/state';
import { type SelectedField, useSelectedField } from '../fields/selected-field';
import { HexGrid } from './hex-grid';
import { Inspector } from './inspector';
import { Overview } from './overview';
import { BytePages } from './pages';

export function BytesView({ asset }: { asset: Asset }) {
  const hasFields = asset.views.some(view => view.kind === 'fields');
  return hasFields ? <LinkedBytes asset={asset} /> : <BytesPanel asset={asset} chosen={null} />;
}

function LinkedBytes({ asset }: { asset: Asset }) {
  return <BytesPanel asset={asset} chosen={useSelectedField(asset.path)} />;
}

export function BytesPanel({ asset, chosen }: { asset: Asset; chosen: SelectedField | null }) {
  const pages = useMemo(() => new BytePages(asset.path, asset.length), [asset.path, asset.length]);
  useEffect(() => () => pages.dispose(), [pages]);
  const [pointed, setPointed] = useState<number | null>(null);
  const requested = route.value.query.offset;
  const cursor = Math.max(0, Math.min(asset.length - 1, Number(requested ?? chosen?.start ?? 0) || 0));
  if (asset.length === 0) return <Empty>This file is empty.</Empty>;
  if (pages.failure.value !== null) return <Failure reason={pages.failure.value} retry={() => pages.retry()} />;
  const point = (offset: number | null) => {
    setPointed(offset);
    const field = offset === null ? null : pages.spanAt(offset);
    hover(field && field.path !== '' ? field : null);
  };
  const go = (offset: number) => patch({ offset: String(offset) });
  pages.version.value;
  const span = pages.spanAt(pointed ?? cursor);
  return (
    <section class="bytes" aria-label="Bytes">
      <Overview path={asset.path} length={asset.length} offset={cursor} onGo={go} />
      <div class="toolbar">
        <GoTo length={asset.length} onGo={go} />
        <span class="toolbar-end faint">{fileSize(asset.length)}</span>
      </div>
      <HexGrid
        pages={pages}
        cursor={cursor}
        isRequested={requested !== undefined || chosen !== null}
        chosen={chosen}
        onCursor={go}
        onPoint={point}
      />
      <p class="statusbar mono ellipsis">
        <span class="faint">0x{hex(pointed ?? cursor)}</span>
        <span class="ellipsis">
          {span && span.path !== ''
            ? visible(`${span.path}${span.value === null ? '' : ` = ${span.value}`}`)
            : 'no field covers this byte'}
        </span>
      </p>
      <Inspector pages={pages} offset={cursor} />
    </section>
  );
}

function GoTo({ length, onGo }: { length: number; onGo(offset: number): void }) {
  const [text, setText] = useState('');
  return (
    <form
      class="group"
      onSubmit={event => {
        event.preventDefault();
        const offset = parseOffset(text);
        if (offset === null) notify('Invalid offset. Enter a number such as 4096, 0x1000 or 1000h.');
        else if (offset >= length) notify(`The file ends at 0x${hex(length)}.`);
        else onGo(offset);
      }}
    >
      <input
        id="go-to-offset"
        class="input is-short mono"
        aria-label="Go to offset"
        placeholder="Offset, 0x…"
        spellcheck={false}
        value={text}
        onInput={event => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button">
        Go
      </button>
    </form>
  );
}
