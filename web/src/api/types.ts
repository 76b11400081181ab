// The answers of the program, as docs/src/explorer-requests.md describes them.

export interface Root {
  name: string;
  path: string;
  game: string | null;
  game_name: string | null;
  files: number;
}

export interface Format {
  id: string;
  name: string;
  game: string | null;
  extensions: string[];
  views: string[];
}

/** What files are to those who play: rooms, maps, sounds. The first rule that fits a name counts; one with a view counts as well. */
export interface FileKind {
  id: string;
  label: string;
  rules: { game: string | null; extensions: string[]; folder: string | null; view: string | null }[];
}

export interface Session {
  program: string;
  roots: Root[];
  games: { id: string; name: string }[];
  formats: Format[];
  kinds: FileKind[];
  limits: { count: number; bytes: number; rows: number };
}

export interface Entry {
  name: string;
  path: string;
  kind: 'folder' | 'file' | 'archive';
  length: number | null;
  format: string | null;
  /** The view to open it with, where it is not the first one. */
  view?: string | null;
}

export interface TreePage {
  path: string;
  total: number;
  from: number;
  entries: Entry[];
}

/** What `check` finds in a file. */
export interface CheckedFile {
  name: string;
  state: 'unknown' | 'ok' | 'warning' | 'error' | 'large';
  errors: number;
  warnings: number;
}

export interface StatePage {
  path: string;
  total: number;
  from: number;
  next: number | null;
  files: CheckedFile[];
}

export interface Names {
  folders: { path: string; names: string[] }[];
  truncated?: boolean;
}

export interface Kinds {
  folders: { path: string; kinds: (number | null)[] }[];
}

export type Severity = 'error' | 'warning' | 'note';

export interface Finding {
  code: string;
  severity: Severity;
  message: string;
  offset: number | null;
  path: string | null;
  count: number;
}

export interface ErrorBody {
  kind: string;
  message: string;
  offset: number | null;
  path: string | null;
  file?: string | null;
  text?: string;
}

export interface View {
  kind: string;
  label: string;
  items: boolean;
}

export type OptionValue =
  | 'flag'
  | { choice: { values: [string, string][]; default: string | null } }
  | { words: { values: [string, string][] } }
  | { number: { default: number; least: number; most: number } }
  | { text: { placeholder: string } };

export interface FormatOption {
  name: string;
  about: string;
  value: OptionValue;
  /** The defaults that presets choose: engine and value. */
  presets?: [string, string][];
}

export interface Asset {
  path: string;
  name: string;
  length: number;
  format: { id: string; name: string; game: string | null } | null;
  summary: string | null;
  counts: [string, number][];
  report: Finding[];
  error: ErrorBody | null;
  views: View[];
  outputs: { extension: string; about: string }[];
  options: FormatOption[];
}

export interface Item {
  index: number;
  kind: string;
  name: string | null;
  caption: string | null;
  facts: Record<string, unknown>;
}

export interface ItemPage {
  total: number;
  from: number;
  items: Item[];
}

export interface Pixels {
  width: number;
  height: number;
  palette: string[] | null;
  indices: string | null;
}

export type Cell = string | number | boolean | null;

export interface TablePage {
  columns: string[];
  total: number;
  from: number;
  rows: Cell[][];
  sounds: string | null;
  /** The row that was looked for. */
  found: number | null;
  truncated?: boolean;
}

export interface TextAnswer {
  language: 'ini' | 'soup' | 'json' | 'plain';
  text: string;
  /** Where each line begins in the file, where its bytes are fields. */
  lines: number[] | null;
  /** What its bytes were decoded as. */
  charset: string | null;
  truncated: boolean;
}

/** A script in the list of those of a file. */
export interface ListedScript {
  index: number;
  name: string;
  /** The record of its owner. */
  field: string | null;
  /** Where its owner is placed. */
  placed: string[];
  lines: number;
}

export interface Scripts {
  language: string;
  scripts: ListedScript[];
}

export interface Script extends ListedScript {
  language: string;
  text: string;
  /** The line of each statement, by its offset. */
  offsets: [number, number][];
  names: { line: number; how: string; kind: string; name: string; text: string | null }[];
}

/** What a field leads to. */
export interface Links {
  actor: { name: string; field: string; attributes: Record<string, unknown> } | null;
  names: { kind: string; text: string; field: string }[];
}

export interface DataAnswer {
  text: string;
  truncated: boolean;
}

export interface Field {
  name: string;
  path: string;
  value: string | null;
  children: number;
  start: number | null;
  end: number | null;
  type?: string | null;
  about?: string | null;
}

export interface FieldPage {
  at: string | null;
  total: number;
  from: number;
  fields: Field[];
  /** Why the file is not explained to its end. */
  damage?: string | null;
}

export interface Place {
  path: string;
  start: number | null;
  end: number | null;
  value: string | null;
}

export interface Span {
  start: number;
  end: number;
  path: string;
  value: string | null;
}

export interface BytesPage {
  total: number;
  from: number;
  bytes: string;
  spans: Span[];
}

export interface MapAnswer {
  total: number;
  blocks: { start: number; end: number; entropy: number; zeros: number }[];
  regions: { start: number; end: number; path: string }[];
}

export interface Change {
  path: string;
  kind: 'added' | 'removed' | 'changed';
  /** Any JSON. */
  before: unknown;
  after: unknown;
}

export interface Diff {
  equal: boolean;
  status: string;
  changes: Change[];
  count: number;
  error?: ErrorBody | null;
}

export interface FoundPlace {
  kind: string;
  field: string | null;
  text: string;
  offset: number | null;
  /** The view that shows it best. */
  view: string | null;
}

/** A line of what is found: a file with its places, one that cannot be searched, or the end. */
export interface FoundLine {
  path?: string;
  places?: FoundPlace[];
  error?: ErrorBody;
  /** What concerns the whole folder. */
  warning?: string;
  truncated?: boolean;
}
