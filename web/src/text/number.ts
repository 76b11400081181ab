// Formats and parses numbers.

const grouped = new Intl.NumberFormat('en-US');
const short = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

export function count(value: number): string {
  return grouped.format(value);
}

/** A count with its noun: `3 files`, `1 file`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function fileSize(length: number): string {
  if (length < 1024) return `${length} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = length;
  let unit = -1;
  do {
    value /= 1024;
    unit += 1;
  } while (value >= 1024 && unit < units.length - 1);
  return `${short.format(value)} ${units[unit] ?? ''}`;
}

export function hex(value: number, digits = 1): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

/** Seconds as `0:07.25`. */
export function clock(seconds: number): string {
  const total = Math.max(0, seconds);
  const minutes = Math.floor(total / 60);
  return `${minutes}:${(total - minutes * 60).toFixed(2).padStart(5, '0')}`;
}

/** Parses an offset: `0x1F`, `1Fh`, `$1F` or decimal. */
export function parseOffset(text: string): number | null {
  const trimmed = text.trim().replaceAll('_', '');
  const hexadecimal = /^(?:0x|\$)([0-9a-f]+)$/i.exec(trimmed) ?? /^([0-9a-f]+)h$/i.exec(trimmed);
  if (hexadecimal?.[1]) return Number.parseInt(hexadecimal[1], 16);
  return /^\d+$/.test(trimmed) ? Number.parseInt(trimmed, 10) : null;
}
