// Finding a text in lines, whatever its case.

export interface Hit {
  line: number;
  start: number;
  end: number;
}

const MOST = 10_000;

export function findAll(lines: readonly string[], wanted: string): Hit[] {
  const hits: Hit[] = [];
  if (wanted === '') return hits;
  const lower = wanted.toLowerCase();
  for (const [line, text] of lines.entries()) {
    const there = text.toLowerCase();
    for (let start = there.indexOf(lower); start >= 0; start = there.indexOf(lower, start + lower.length)) {
      hits.push({ line, start, end: start + lower.length });
      if (hits.length === MOST) return hits;
    }
  }
  return hits;
}
