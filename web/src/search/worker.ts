// Fuzzy search over all names, beside the page so that typing never waits.

import uFuzzy from '@leeoniya/ufuzzy';
import type { Answer, Filter, Request } from './messages';

/** How many matches are ranked; above that the order of the names must do. */
const RANKED = 4000;
const SHOWN = 500;

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
let formats: (number | null)[] | null = null;
let known: { id: string; game: string | null; views: string[] }[] = [];

function takeNames(request: Extract<Request, { type: 'names' }>): void {
  const gameOf = new Map(request.roots.map((root) => [root.name, root.game]));
  paths = [];
  games = [];
  for (const folder of request.folders) {
    const slash = folder.path.indexOf('/');
    const game = gameOf.get(slash < 0 ? folder.path : folder.path.slice(0, slash)) ?? null;
    for (const name of folder.names) {
      paths.push(`${folder.path}/${name}`);
      games.push(game);
    }
  }
}

function fits(index: number, filter: Filter): boolean {
  if (filter.game !== '' && games[index] !== filter.game) return false;
  if (filter.format === '' && filter.view === '' && filter.state === '') return true;
  const number = formats?.[index] ?? null;
  const format = number === null ? null : (known[number] ?? null);
  if (filter.state === 'known' && !format) return false;
  if (filter.state === 'unknown' && format) return false;
  if (filter.format !== '' && format?.id !== filter.format) return false;
  return filter.view === '' || (format?.views.includes(filter.view) ?? false);
}

function candidates(filter: Filter): number[] | null {
  if (Object.values(filter).every((value) => value === '')) return null;
  return [...paths.keys()].filter((index) => fits(index, filter));
}

function search(request: Extract<Request, { type: 'search' }>): Answer {
  const among = candidates(request.filter);
  const query = request.query.trim();
  if (query === '') {
    const all = among ?? [...paths.keys()].slice(0, SHOWN);
    return { id: request.id, total: among?.length ?? paths.length, results: all.slice(0, SHOWN).map((index) => ({ path: paths[index] ?? '', marks: [] })) };
  }
  const engine = /^[\u0020-\u007e]*$/.test(query) ? latin : anyScript;
  // uFuzzy narrows only where the list of candidates is not empty.
  if (among?.length === 0) return { id: request.id, total: 0, results: [] };
  const [found, info, order] = engine.search(paths, query, 1, RANKED, among);
  const matches = found ?? [];
  if (info && order) {
    const results = order.slice(0, SHOWN).map((at) => ({ path: paths[info.idx[at] ?? 0] ?? '', marks: info.ranges[at] ?? [] }));
    return { id: request.id, total: matches.length, results };
  }
  return { id: request.id, total: matches.length, results: inName(matches, query).map((index) => ({ path: paths[index] ?? '', marks: [] })) };
}

/** Too many to rank: those whose own name has the words come first. */
function inName(matches: readonly number[], query: string): number[] {
  const lower = query.toLowerCase();
  const near: number[] = [];
  const far: number[] = [];
  for (const index of matches) {
    const path = paths[index] ?? '';
    const own = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    (own.includes(lower) ? near : far).push(index);
    if (near.length >= SHOWN) break;
  }
  return [...near, ...far].slice(0, SHOWN);
}

addEventListener('message', (event: MessageEvent<Request>) => {
  const request = event.data;
  if (request.type === 'names') takeNames(request);
  else if (request.type === 'kinds') {
    formats = request.folders.flat();
    known = request.formats;
  } else postMessage(search(request));
});
