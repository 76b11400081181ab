// A font preview with an editable sample text.

import { useEffect, useId, useState } from 'preact/hooks';
import { getBuffer, viewUrl } from '../api/request';
import { useRequest } from '../api/use-request';
import { choices } from '../state/options';
import { patch, route } from '../state/route';
import { visible } from '../text/visible';
import { Failure, Loading } from '../ui/state';
import type { ViewProps } from './view-panel';

const SAMPLE = 'The quick brown fox jumps over the lazy dog. 0123456789';
const SIZES = [12, 16, 24, 32, 48, 72, 96];
const DEFAULT_SIZE = 32;

let fontCount = 0;

export function FontView({ asset, item }: ViewProps) {
  const url = viewUrl(asset.path, 'font', { item, ...choices.value });
  const answer = useRequest(url, async signal => {
    const { buffer } = await getBuffer(url, signal);
    fontCount += 1;
    const face = new FontFace(`antiquary-${fontCount}`, buffer);
    await face.load();
    return { face, characters: coverage(buffer) };
  });
  if (answer.state === 'loading') return <Loading what="Building the font…" />;
  if (answer.state === 'failed') return <Failure reason={answer.reason} retry={answer.retry} />;
  return <FontSheet face={answer.value.face} characters={answer.value.characters} />;
}

function FontSheet({ face, characters }: { face: FontFace; characters: readonly number[] }) {
  const { query } = route.value;
  const text = query.text ?? SAMPLE;
  const size = Number(query.size ?? DEFAULT_SIZE) || DEFAULT_SIZE;
  const [isReady, setReady] = useState(false);
  const id = useId();
  useEffect(() => {
    document.fonts.add(face);
    setReady(true);
    return () => {
      document.fonts.delete(face);
    };
  }, [face]);
  const family = `"${face.family}"`;
  return (
    <div class="page scroll font-view" tabIndex={0} role="region" aria-label="Font">
      <div class="toolbar">
        <label for={`${id}-text`}>Sample text</label>
        <input
          id={`${id}-text`}
          class="input grow"
          value={text}
          spellcheck={false}
          onInput={event => patch({ text: event.currentTarget.value })}
        />
        <label for={`${id}-size`}>Size</label>
        <input
          id={`${id}-size`}
          type="range"
          min={8}
          max={160}
          value={size}
          onInput={event => patch({ size: event.currentTarget.value })}
        />
        <output for={`${id}-size`} class="mono">
          {size} px
        </output>
      </div>
      {isReady && (
        <>
          <p class="font-text" style={{ fontFamily: family, fontSize: `${size}px` }}>
            {text}
          </p>
          <h2>Sizes</h2>
          <dl class="font-sizes">
            {SIZES.map(step => (
              <div key={step}>
                <dt class="mono faint">{step}</dt>
                <dd style={{ fontFamily: family, fontSize: `${step}px` }}>{text}</dd>
              </div>
            ))}
          </dl>
          <h2>Characters</h2>
          <ul class="glyphs">
            {characters.map(code => (
              <li key={code} title={`U+${code.toString(16).toUpperCase().padStart(4, '0')}`}>
                <span style={{ fontFamily: family }}>{String.fromCodePoint(code)}</span>
                <span class="mono faint">{visible(String.fromCodePoint(code)).trim() || 'space'}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** The characters of a TrueType font, from its segment table (`cmap`, format 4). */
export function coverage(buffer: ArrayBuffer): number[] {
  try {
    return charactersOf(new DataView(buffer));
  } catch {
    // Truncated table: fall back to printable ASCII.
    return Array.from({ length: 95 }, (_, index) => 32 + index);
  }
}

function charactersOf(data: DataView): number[] {
  let cmap = 0;
  for (let table = 0; table < data.getUint16(4); table++)
    if (data.getUint32(12 + table * 16) === 0x636d6170) cmap = data.getUint32(12 + table * 16 + 8);
  const codes = new Set<number>();
  for (let record = 0; record < data.getUint16(cmap + 2); record++) {
    const at = cmap + data.getUint32(cmap + 4 + record * 8 + 4);
    if (data.getUint16(at) !== 4) continue;
    const doubled = data.getUint16(at + 6);
    for (let segment = 0; segment < doubled; segment += 2) {
      const end = data.getUint16(at + 14 + segment);
      const start = data.getUint16(at + 16 + doubled + segment);
      for (let code = start; code <= end && code < 0xffff; code++) codes.add(code);
    }
  }
  return [...codes].sort((a, b) => a - b);
}
