// The data inspector: the bytes at the cursor as numbers and as text.

import { patch, route } from '../../state/route';
import { hex } from '../../text/number';
import { visible } from '../../text/visible';
import { Segments } from '../../ui/segments';
import type { BytePages } from './pages';

type Reading = readonly [string, number, (data: DataView, little: boolean) => string];

const READINGS: readonly Reading[] = [
  ['i8', 1, data => String(data.getInt8(0))],
  ['u8', 1, data => String(data.getUint8(0))],
  ['i16', 2, (data, little) => String(data.getInt16(0, little))],
  ['u16', 2, (data, little) => String(data.getUint16(0, little))],
  ['i32', 4, (data, little) => String(data.getInt32(0, little))],
  ['u32', 4, (data, little) => String(data.getUint32(0, little))],
  ['i64', 8, (data, little) => String(data.getBigInt64(0, little))],
  ['u64', 8, (data, little) => String(data.getBigUint64(0, little))],
  ['f32', 4, (data, little) => float(data.getFloat32(0, little), 7)],
  ['f64', 8, (data, little) => float(data.getFloat64(0, little), 15)],
];

function float(value: number, digits: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : String(value);
}

function text(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const characters = [...bytes.subarray(0, end < 0 ? bytes.length : end)].map(byte =>
    byte < 0x20 || byte === 0x7f ? '·' : String.fromCharCode(byte),
  );
  return visible(characters.join(''));
}

export function Inspector({ pages, offset }: { pages: BytePages; offset: number }) {
  pages.version.value;
  const isLittle = route.value.query['order-of-bytes'] !== 'big';
  const bytes = pages.slice(offset, 32);
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (
    <section class="inspector" aria-label="Data inspector">
      <div class="inspector-head">
        <h2>At 0x{hex(offset)}</h2>
        <Segments
          label="Byte order"
          value={isLittle ? 'little' : 'big'}
          choices={[
            { value: 'little', label: 'Little endian' },
            { value: 'big', label: 'Big endian' },
          ]}
          onChange={value => patch({ 'order-of-bytes': value === 'big' ? 'big' : null })}
        />
      </div>
      <dl class="readings mono">
        {READINGS.map(([name, size, read]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="ellipsis">{bytes.length >= size ? read(data, isLittle) : '–'}</dd>
          </div>
        ))}
        <div>
          <dt>bits</dt>
          <dd>{bytes.length > 0 ? (bytes[0] ?? 0).toString(2).padStart(8, '0') : '–'}</dd>
        </div>
        <div class="is-text">
          <dt>text</dt>
          <dd class="ellipsis">{text(bytes) || '–'}</dd>
        </div>
      </dl>
    </section>
  );
}
