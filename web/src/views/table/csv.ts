// Formats rows as comma-separated values.

import type { Cell } from '../../api/types';

function quote(cell: Cell): string {
  const text = cell === null ? '' : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function toCsv(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [columns, ...rows].map(row => row.map(quote).join(',')).join('\r\n');
}
