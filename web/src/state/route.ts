// Where one is. The hash of the address holds all state: `#/PATH?view=fields&at=...`.

import { computed, signal } from '@preact/signals';
import { encodePath } from '../api/request';

export interface Route {
  path: string;
  query: Readonly<Record<string, string>>;
}

export type Patch = Record<string, string | null>;

/** What stays when one goes to another file. */
const KEPT = ['theme', 'as', 'side', 'about'];
const RECENT = 40;
/** Milliseconds from one change of the address to the next: browsers complain about more than some hundred in half a minute. */
const WRITE_AFTER = 320;

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
  const place = question < 0 ? hash : hash.slice(0, question);
  const query: Record<string, string> = {};
  if (question >= 0) {
    for (const part of hash.slice(question + 1).split('&')) {
      const equals = part.indexOf('=');
      if (equals > 0) query[decode(part.slice(0, equals))] = decode(part.slice(equals + 1));
    }
  }
  return { path: place.replace(/^\//, '').split('/').map(decode).join('/'), query };
}

function format(path: string, query: Readonly<Record<string, string>>): string {
  // A slash and a bracket are legal there, and make an address that people can read.
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
/** Files and folders of this visit, the newest first. */
export const recent = signal<readonly string[]>([]);

function remember(place: string): void {
  if (place === '') return;
  recent.value = [place, ...recent.value.filter(other => other !== place)].slice(0, RECENT);
}

/** The page of a game begins with what it has, however its files were shown before. */
const ONLY_WITHIN = new Set(['as']);

function carried(place: string): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT) {
    const value = route.value.query[name];
    if (value !== undefined && !(ONLY_WITHIN.has(name) && !place.includes('/'))) kept[name] = value;
  }
  return kept;
}

function compact(query: Patch): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) if (value !== null) kept[name] = value;
  return kept;
}

/** The address of a place, for a link. */
export function link(place: string, query: Patch = {}): string {
  return format(place, compact({ ...carried(place), ...query }));
}

let pending: ReturnType<typeof setTimeout> | null = null;
let written = -Infinity;

/** Writes the address at once, unless that has just been done: a link may be taken right after a change. */
function write(): void {
  if (pending !== null) return;
  pending = setTimeout(flush, Math.max(0, written + WRITE_AFTER - performance.now()));
  if (performance.now() - written >= WRITE_AFTER) flush();
}

function flush(): void {
  if (pending === null) return;
  clearTimeout(pending);
  pending = null;
  written = performance.now();
  history.replaceState(null, '', format(route.value.path, route.value.query));
}

/** Goes to a place, as a link does. */
export function go(place: string, query: Patch = {}): void {
  flush();
  history.pushState(null, '', link(place, query));
  arrive();
}

/** Changes the state of the place where one is, without a step in the history. */
export function patch(query: Patch): void {
  const next = compact({ ...route.value.query, ...query });
  const before = route.value.query;
  const names = Object.keys(next);
  if (names.length === Object.keys(before).length && names.every(name => next[name] === before[name])) return;
  route.value = { path: route.value.path, query: next };
  write();
}

/** Changes the state as a step that "back" undoes. */
export function step(query: Patch): void {
  flush();
  history.pushState(null, '', format(route.value.path, compact({ ...route.value.query, ...query })));
  arrive();
}

function arrive(): void {
  route.value = parse();
  remember(route.value.path);
}

export function startRoute(): void {
  remember(route.value.path);
  addEventListener('hashchange', () => {
    if (pending !== null) clearTimeout(pending);
    pending = null;
    arrive();
  });
  addEventListener('popstate', () => {
    route.value = parse();
  });
  // Before a link is followed, the address of the place that is left must be complete.
  addEventListener('click', flush, true);
}

export function parentOf(place: string): string {
  const slash = place.lastIndexOf('/');
  return slash < 0 ? '' : place.slice(0, slash);
}

export function nameOf(place: string): string {
  return place.slice(place.lastIndexOf('/') + 1);
}

/** `a/b/c` as `a`, `a/b`, `a/b/c`. */
export function ancestry(place: string): string[] {
  const steps: string[] = [];
  for (let slash = place.indexOf('/'); slash >= 0; slash = place.indexOf('/', slash + 1))
    steps.push(place.slice(0, slash));
  if (place !== '') steps.push(place);
  return steps;
}
