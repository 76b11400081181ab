// Messages between the page and the search worker.

export interface Filter {
  game: string;
  format: string;
  view: string;
  state: string;
}

export type Request =
  | {
      type: 'names';
      folders: { path: string; names: string[] }[];
      roots: { name: string; game: string | null }[];
      ranks: Record<string, number>;
    }
  | {
      type: 'kinds';
      folders: { path: string; kinds: (number | null)[] }[];
      formats: { id: string; game: string | null; views: string[] }[];
    }
  | { type: 'states'; folder: string; files: readonly { name: string; state: string }[] }
  | { type: 'search'; id: number; query: string; filter: Filter };

export interface Match {
  path: string;
  /** Alternating start and end offsets of the matched ranges. */
  marks: number[];
}

export interface Answer {
  id: number;
  total: number;
  results: Match[];
}
