// One row of bytes: offset, hexadecimal, characters.

import { hex } from '../../text/number';
import { memo } from './memo';
import { type BytePages, colorOf } from './pages';

export interface HexRowProps {
  pages: BytePages;
  /** Incremented when bytes arrive. */
  version: number;
  id: string;
  offset: number;
  width: number;
  digits: number;
  /** Offset of the cursor, or -1 if it is in another row. */
  cursor: number;
  /** The chosen field within this row. */
  fieldStart: number;
  fieldEnd: number;
  /** The hovered field within this row. */
  hoverStart: number;
  hoverEnd: number;
  /** The selected bytes within this row. */
  selectStart: number;
  selectEnd: number;
}

export const HexRow = memo<HexRowProps>(function HexRow(props) {
  const { pages, offset, width } = props;
  const cells = [];
  const characters = [];
  for (let index = 0; index < width; index++) {
    const at = offset + index;
    const byte = at < pages.length ? pages.byte(at) : null;
    const span = byte === null ? null : pages.spanAt(at);
    const classes = [colorOf(span)];
    if (at >= props.fieldStart && at < props.fieldEnd) classes.push('in-field');
    if (at >= props.hoverStart && at < props.hoverEnd) classes.push('in-hover');
    if (at >= props.selectStart && at < props.selectEnd) classes.push('in-selection');
    if (at === props.cursor) classes.push('is-cursor');
    const name = classes.join(' ');
    cells.push(
      <span
        key={index}
        id={at === props.cursor ? `${props.id}-cursor` : undefined}
        role="gridcell"
        aria-selected={at === props.cursor}
        data-at={at}
        class={`byte ${name}${index === width / 2 ? ' is-half' : ''}`}
      >
        {byte === null ? (at < pages.length ? '··' : '') : hex(byte, 2)}
      </span>,
    );
    characters.push(
      <span key={index} data-at={at} class={`char ${name}`}>
        {byte === null ? ' ' : byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·'}
      </span>,
    );
  }
  return (
    <>
      <span class="hex-offset" role="rowheader">
        {hex(offset, props.digits)}
      </span>
      {cells}
      <span class="hex-text" role="gridcell">
        {characters}
      </span>
    </>
  );
});
