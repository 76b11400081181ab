// The current route. The hash of the URL contains all state: `#/PATH?view=fields&at=...`.

import { computed, signal } from '@preact/signals';
import { encodePath } from '../api/request';

export interface Route {
  path: string;
  query: Readonly<Record<string, string>>;
}

export type Patch = Record<string, string | null>;

/** Query parameters kept when opening another file. */
const KEPT_KEYS = ['theme', 'as', 'side', 'about'];
const MAX_RECENT = 40;
/** Minimum time between URL changes in milliseconds, because browsers limit their rate. */
const WRITE_INTERVAL_MS = 320;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parse(): Route {
  const address = location.href;
  const mark = address.indexOf('#');
  const hash = mark < 0 ? '' : address.slice(mark + 1);
  const question = hash.indexOf('?');
  const path = question < 0 ? hash : hash.slice(0, question);
  const query: Record<string, string> = {};
  if (question >= 0) {
    for (const part of hash.slice(question + 1).split('&')) {
      const equals = part.indexOf('=');
      if (equals > 0) query[decode(part.slice(0, equals))] = decode(part.slice(equals + 1));
    }
  }
  return { path: path.replace(/^\//, '').split('/').map(decode).join('/'), query };
}

function format(path: string, query: Readonly<Record<string, string>>): string {
  // Slashes, commas and brackets are legal in a hash; keep them for readability.
  const clean = (text: string) =>
    encodeURIComponent(text)
      .replaceAll('%2F', '/')
      .replaceAll('%2C', ',')
      .replaceAll('%5B', '[')
      .replaceAll('%5D', ']');
  const parts = Object.entries(query).map(([name, value]) => `${clean(name)}=${clean(value.toWellFormed())}`);
  return `#/${encodePath(path)}${parts.length > 0 ? `?${parts.join('&')}` : ''}`;
}

export const route = signal<Route>(parse());
export const path = computed(() => route.value.path);
/** Recently opened files and folders, newest first. */
export const recent = signal<readonly string[]>([]);

function remember(path: string): void {
  if (path === '') return;
  recent.value = [path, ...recent.value.filter(other => other !== path)].slice(0, MAX_RECENT);
}

/** Parameters not kept for the page of a game, which starts with its overview. */
const FOLDER_KEYS = new Set(['as']);

function keptQuery(path: string): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT_KEYS) {
    const value = route.value.query[name];
    if (value !== undefined && !(FOLDER_KEYS.has(name) && !path.includes('/'))) kept[name] = value;
  }
  return kept;
}

function compact(query: Patch): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) if (value !== null) kept[name] = value;
  return kept;
}

/** The URL of a path, for a link. */
export function link(path: string, query: Patch = {}): string {
  return format(path, compact({ ...keptQuery(path), ...query }));
}

let pending: ReturnType<typeof setTimeout> | null = null;
let written = -Infinity;

/** Writes the URL immediately, or after a delay if it was just written, so that a copied URL is current. */
function write(): void {
  if (pending !== null) return;
  pending = setTimeout(flush, Math.max(0, written + WRITE_INTERVAL_MS - performance.now()));
  if (performance.now() - written >= WRITE_INTERVAL_MS) flush();
}

function flush(): void {
  if (pending === null) return;
  clearTimeout(pending);
  pending = null;
  written = performance.now();
  history.replaceState(null, '', format(route.value.path, route.value.query));
}

/** Navigates to a path. */
export function go(path: string, query: Patch = {}): void {
  flush();
  history.pushState(null, '', link(path, query));
  updateRoute();
}

/** Changes query parameters without a new history entry. */
export function patch(query: Patch): void {
  const next = compact({ ...route.value.query, ...query });
  const before = route.value.query;
  const names = Object.keys(next);
  if (names.length === Object.keys(before).length && names.every(name => next[name] === before[name])) return;
  route.value = { path: route.value.path, query: next };
  write();
}

/** Changes query parameters with a new history entry. */
export function step(query: Patch): void {
  flush();
  history.pushState(null, '', format(route.value.path, compact({ ...route.value.query, ...query })));
  updateRoute();
}

function updateRoute(): void {
  route.value = parse();
  remember(route.value.path);
}

export function startRoute(): void {
  remember(route.value.path);
  addEventListener('hashchange', () => {
    if (pending !== null) clearTimeout(pending);
    pending = null;
    updateRoute();
  });
  addEventListener('popstate', () => {
    route.value = parse();
  });
  // Before following a link, write pending changes to the URL of the current page.
  addEventListener('click', flush, true);
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `a/b/c` as `a`, `a/b`, `a/b/c`. */
export function ancestry(path: string): string[] {
  const steps: string[] = [];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
    steps.push(path.slice(0, slash));
  if (path !== '') steps.push(path);
  return steps;
}
