// Responses of the program, as documented in docs/src/explorer-requests.md.

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

/** A kind of file in the player's terms: rooms, maps, sounds. The first matching rule applies; matching rules with a view also apply. */
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
  /** The view to open the entry with, if not its first one. */
  view?: string | null;
}

export interface TreePage {
  path: string;
  total: number;
  from: number;
  entries: Entry[];
}

/** The result of `check` for a file. */
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
  /** Defaults set by presets: engine and value. */
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
  /** The index of the row that matches `find`. */
  found: number | null;
  truncated?: boolean;
}

export interface TextAnswer {
  language: 'ini' | 'soup' | 'json' | 'plain';
  text: string;
  /** Byte offset of each line in the file, if its bytes are fields. */
  lines: number[] | null;
  /** Character set used to decode the bytes. */
  charset: string | null;
  truncated: boolean;
}

/** An entry in a file's list of scripts. */
export interface ListedScript {
  index: number;
  name: string;
  /** Path of the owner's record. */
  field: string | null;
  /** Paths of the owner's placements. */
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
  /** Offset and line of each statement. */
  offsets: [number, number][];
  names: { line: number; how: string; kind: string; name: string; text: string | null }[];
}

/** Objects and files that a field refers to. */
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
  /** Why the fields stop before the end of the file. */
  damage?: string | null;
}

export interface FieldLocation {
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
  /** Any JSON value. */
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

export interface SearchHit {
  kind: string;
  field: string | null;
  text: string;
  offset: number | null;
  /** The most suitable view. */
  view: string | null;
}

/** A line of a search response: a file with its matches, a file that cannot be searched, or the end. */
export interface SearchLine {
  path?: string;
  places?: SearchHit[];
  error?: ErrorBody;
  /** A warning about the entire folder. */
  warning?: string;
  truncated?: boolean;
}
