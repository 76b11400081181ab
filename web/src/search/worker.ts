// Fuzzy search over all names, in a worker so that typing never blocks.

import uFuzzy from '@leeoniya/ufuzzy';
import type { Answer, Filter, Request } from './messages';

/** Maximum number of ranked matches; larger results are sorted by name and kind only. */
const MAX_RANKED = 4000;
const MAX_SHOWN = 500;
/** Ranks of files with unknown extensions, and of files that are always listed last: sounds. */
const OTHER_RANK = 10;
const LAST_RANK = 11;

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
/** Format indices of the files in each folder. */
let kindsOf = new Map<string, (number | null)[]>();
let formats: (number | null)[] = [];
/** Rank of each file extension; lower ranks are listed first. */
let ranks: Record<string, number> = {};
/** Folders and their number of files, in the order of `paths`. */
let folders: { path: string; count: number }[] = [];
/** Known check states by path. */
const states = new Map<string, string>();
let knownFormats: { id: string; game: string | null; views: string[] }[] = [];

function setNames(request: Extract<Request, { type: 'names' }>): void {
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

function setKinds(request: Extract<Request, { type: 'kinds' }>): void {
  kindsOf = new Map(request.folders.map(({ path, kinds }) => [path, kinds]));
  knownFormats = request.formats;
}

/** Arranges formats in the order of `paths`. Formats of a folder that has changed since its names were read are unknown. */
function orderKinds(): void {
  formats = folders.flatMap(({ path, count }) => {
    const kinds = kindsOf.get(path);
    return kinds?.length === count ? kinds : new Array<null>(count).fill(null);
  });
}

function matchesFilter(index: number, filter: Filter): boolean {
  if (filter.game !== '' && games[index] !== filter.game) return false;
  if (filter.format === '' && filter.view === '' && filter.state === '') return true;
  const number = formats[index] ?? null;
  const format = number === null ? null : (knownFormats[number] ?? null);
  if (filter.state === 'known' && !format) return false;
  if (filter.state === 'unknown' && format) return false;
  if ((filter.state === 'error' || filter.state === 'warning') && states.get(paths[index] ?? '') !== filter.state)
    return false;
  if (filter.format !== '' && format?.id !== filter.format) return false;
  return filter.view === '' || (format?.views.includes(filter.view) ?? false);
}

/** Cached paths that match the current filter. */
let filtered: { key: string; paths: string[] } | null = null;

function candidates(filter: Filter): string[] {
  const values = Object.values(filter);
  if (values.every(value => value === '')) return paths;
  const key = values.join('\n');
  if (filtered?.key !== key) filtered = { key, paths: paths.filter((_, index) => matchesFilter(index, filter)) };
  return filtered.paths;
}

function search(request: Extract<Request, { type: 'search' }>): Answer {
  const candidatePaths = candidates(request.filter);
  const query = request.query.trim();
  const plain = (matches: readonly string[], total: number) => ({
    id: request.id,
    total,
    results: matches.slice(0, MAX_SHOWN).map(path => ({ path, marks: [] })),
  });
  if (query === '') return plain(candidatePaths, candidatePaths.length);
  const engine = /^[\u0020-\u007e]*$/.test(query) ? latin : anyScript;
  const [matches, info, order] = engine.search(candidatePaths, query, 1, MAX_RANKED);
  if (!info || !order) return plain(rankByName(candidatePaths, matches ?? [], query), matches?.length ?? 0);
  const found = order.map(at => ({ path: candidatePaths[info.idx[at] ?? 0] ?? '', marks: info.ranges[at] ?? [] }));
  return { id: request.id, total: order.length, results: ranked(found, query).slice(0, MAX_SHOWN) };
}

/** The rank of a file by its extension: rooms and models before sounds. */
function rankOf(path: string): number {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return ranks[/^\d+$/.test(extension) ? '###' : extension] ?? OTHER_RANK;
}

/** Sorts matches: sounds last, then file names that start with or contain the query, then by kind, then by fuzzy order. */
function ranked<T extends { path: string }>(found: readonly T[], query: string): T[] {
  const lower = query.toLowerCase();
  const keyed = found.map((match, order) => {
    const fileName = match.path.slice(match.path.lastIndexOf('/') + 1).toLowerCase();
    const rank = rankOf(match.path);
    return {
      match,
      key: [rank >= LAST_RANK ? 1 : 0, fileName.startsWith(lower) ? 0 : fileName.includes(lower) ? 1 : 2, rank, order],
    };
  });
  keyed.sort((a, b) => a.key.reduce((sum, value, at) => sum || value - (b.key[at] ?? 0), 0));
  return keyed.map(({ match }) => match);
}

/** Fallback if the fuzzy search throws: names that contain all words. */
function substringSearch(request: Extract<Request, { type: 'search' }>): Answer {
  const words = request.query.toLowerCase().split(/\s+/);
  const matches = candidates(request.filter).filter(path => words.every(word => path.toLowerCase().includes(word)));
  return {
    id: request.id,
    total: matches.length,
    results: matches.slice(0, MAX_SHOWN).map(path => ({ path, marks: [] })),
  };
}

/** Orders matches that are too many to rank: file names that contain the query come first. */
function rankByName(candidatePaths: readonly string[], matches: readonly number[], query: string): string[] {
  const lower = query.toLowerCase();
  const inFileName: string[] = [];
  const inFolder: string[] = [];
  for (const index of matches) {
    const path = candidatePaths[index] ?? '';
    const fileName = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    (fileName.includes(lower) ? inFileName : inFolder).push(path);
  }
  const byRank = (a: string, b: string) => rankOf(a) - rankOf(b);
  return [...inFileName.sort(byRank), ...inFolder.slice(0, MAX_RANKED).sort(byRank)].slice(0, MAX_SHOWN);
}

function answer(request: Extract<Request, { type: 'search' }>): Answer {
  try {
    return search(request);
  } catch {
    return substringSearch(request);
  }
}

addEventListener('message', (event: MessageEvent<Request>) => {
  const request = event.data;
  if (request.type === 'names') setNames(request);
  else if (request.type === 'kinds') setKinds(request);
  else if (request.type === 'states')
    for (const { name, state } of request.files) states.set(`${request.folder}/${name}`, state);
  else postMessage(answer(request));
  // Names and formats may arrive in either order.
  if (request.type === 'names' || request.type === 'kinds') orderKinds();
  if (request.type !== 'search') filtered = null;
});
