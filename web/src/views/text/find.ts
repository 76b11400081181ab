// Case-insensitive search in lines.

export interface Hit {
  line: number;
  start: number;
  end: number;
}

const MAX_HITS = 10_000;

export function findAll(lines: readonly string[], query: string): Hit[] {
  const hits: Hit[] = [];
  if (query === '') return hits;
  const lower = query.toLowerCase();
  for (const [line, text] of lines.entries()) {
    const lowerText = text.toLowerCase();
    for (let start = lowerText.indexOf(lower); start >= 0; start = lowerText.indexOf(lower, start + lower.length)) {
      hits.push({ line, start, end: start + lower.length });
      if (hits.length === MAX_HITS) return hits;
    }
  }
  return hits;
}
