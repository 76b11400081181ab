// Fuzzy search over all names, beside the page so that typing never waits.

import uFuzzy from '@leeoniya/ufuzzy';
import type { Answer, Filter, Request } from './messages';

/** How many matches are ranked; above that the order of the names must do. */
const RANKED = 4000;
const SHOWN = 500;
/** Files of no known extension, and those that come last whatever they are called: sounds. */
const OTHER_RANK = 10;
const LATE = 11;

const latin = new uFuzzy({ intraMode: 1 });
const anyScript = new uFuzzy({
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
});

let paths: string[] = [];
let games: (string | null)[] = [];
/** The formats of the files of each folder. */
let kindsOf = new Map<string, (number | null)[]>();
let formats: (number | null)[] = [];
/** How early files are found, by their extensions. */
let ranks: Record<string, number> = {};
/** Where the names of each folder stand among the paths. */
let folders: { path: string; count: number }[] = [];
/** What is known of the state of each file. */
const states = new Map<string, string>();
let known: { id: string; game: string | null; views: string[] }[] = [];

function takeNames(request: Extract<Request, { type: 'names' }>): void {
  const gameOf = new Map(request.roots.map(root => [root.name, root.game]));
  paths = [];
  ranks = request.ranks;
  games = [];
  folders = request.folders.map(({ path, names }) => ({ path, count: names.length }));
  for (const folder of request.folders) {
    const slash = folder.path.indexOf('/');
    const game = gameOf.get(slash < 0 ? folder.path : folder.path.slice(0, slash)) ?? null;
    for (const name of folder.names) {
      paths.push(`${folder.path}/${name}`);
      games.push(game);
    }
  }
}

function takeKinds(request: Extract<Request, { type: 'kinds' }>): void {
  kindsOf = new Map(request.folders.map(({ path, kinds }) => [path, kinds]));
  known = request.formats;
}

/** Formats in the order of the paths. In a folder that has changed since its names were read, none is known. */
function orderKinds(): void {
  formats = folders.flatMap(({ path, count }) => {
    const kinds = kindsOf.get(path);
    return kinds?.length === count ? kinds : new Array<null>(count).fill(null);
  });
}

function fits(index: number, filter: Filter): boolean {
  if (filter.game !== '' && games[index] !== filter.game) return false;
  if (filter.format === '' && filter.view === '' && filter.state === '') return true;
  const number = formats[index] ?? null;
  const format = number === null ? null : (known[number] ?? null);
  if (filter.state === 'known' && !format) return false;
  if (filter.state === 'unknown' && format) return false;
  if ((filter.state === 'error' || filter.state === 'warning') && states.get(paths[index] ?? '') !== filter.state)
    return false;
  if (filter.format !== '' && format?.id !== filter.format) return false;
  return filter.view === '' || (format?.views.includes(filter.view) ?? false);
}

/** The paths that fit a filter, kept until another filter or other names come. */
let narrowed: { key: string; paths: string[] } | null = null;

function candidates(filter: Filter): string[] {
  const values = Object.values(filter);
  if (values.every(value => value === '')) return paths;
  const key = values.join('\n');
  if (narrowed?.key !== key) narrowed = { key, paths: paths.filter((_, index) => fits(index, filter)) };
  return narrowed.paths;
}

function search(request: Extract<Request, { type: 'search' }>): Answer {
  const among = candidates(request.filter);
  const query = request.query.trim();
  const plain = (matches: readonly string[], total: number) => ({
    id: request.id,
    total,
    results: matches.slice(0, SHOWN).map(path => ({ path, marks: [] })),
  });
  if (query === '') return plain(among, among.length);
  const engine = /^[\u0020-\u007e]*$/.test(query) ? latin : anyScript;
  const [matches, info, order] = engine.search(among, query, 1, RANKED);
  if (!info || !order) return plain(inName(among, matches ?? [], query), matches?.length ?? 0);
  const found = order.map(at => ({ path: among[info.idx[at] ?? 0] ?? '', marks: info.ranges[at] ?? [] }));
  return { id: request.id, total: order.length, results: ranked(found, query).slice(0, SHOWN) };
}

/** How early a file is found: rooms and models before sounds, whatever they are called. */
function rankOf(path: string): number {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return ranks[/^\d+$/.test(extension) ? '###' : extension] ?? OTHER_RANK;
}

/** The best matches first: files whose own name begins as what was typed, then by kind, then as near as the letters are. */
function ranked<T extends { path: string }>(found: readonly T[], query: string): T[] {
  const lower = query.toLowerCase();
  const keyed = found.map((match, order) => {
    const own = match.path.slice(match.path.lastIndexOf('/') + 1).toLowerCase();
    const rank = rankOf(match.path);
    return { match, key: [rank >= LATE ? 1 : 0, own.startsWith(lower) ? 0 : own.includes(lower) ? 1 : 2, rank, order] };
  });
  keyed.sort((a, b) => a.key.reduce((sum, value, at) => sum || value - (b.key[at] ?? 0), 0));
  return keyed.map(({ match }) => match);
}

/** What is found where the fuzzy search itself fails: names that hold the words as they are. */
function simply(request: Extract<Request, { type: 'search' }>): Answer {
  const words = request.query.toLowerCase().split(/\s+/);
  const matches = candidates(request.filter).filter(path => words.every(word => path.toLowerCase().includes(word)));
  return { id: request.id, total: matches.length, results: matches.slice(0, SHOWN).map(path => ({ path, marks: [] })) };
}

/** Too many to rank: those whose own name has the words come first. */
function inName(among: readonly string[], matches: readonly number[], query: string): string[] {
  const lower = query.toLowerCase();
  const near: string[] = [];
  const far: string[] = [];
  for (const index of matches) {
    const path = among[index] ?? '';
    const own = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    (own.includes(lower) ? near : far).push(path);
  }
  const byRank = (a: string, b: string) => rankOf(a) - rankOf(b);
  return [...near.sort(byRank), ...far.slice(0, RANKED).sort(byRank)].slice(0, SHOWN);
}

function answer(request: Extract<Request, { type: 'search' }>): Answer {
  try {
    return search(request);
  } catch {
    return simply(request);
  }
}

addEventListener('message', (event: MessageEvent<Request>) => {
  const request = event.data;
  if (request.type === 'names') takeNames(request);
  else if (request.type === 'kinds') takeKinds(request);
  else if (request.type === 'states')
    for (const { name, state } of request.files) states.set(`${request.folder}/${name}`, state);
  else postMessage(answer(request));
  // Names and formats come in either order.
  if (request.type === 'names' || request.type === 'kinds') orderKinds();
  if (request.type !== 'search') narrowed = null;
});
