// The bytes of a file, loaded page by page, and the fields that they belong to.

import { signal } from '@preact/signals';
import { decodeBase64, errorMessage, getJson, isAbort, viewUrl } from '../../api/request';
import type { BytesPage, Span } from '../../api/types';

const PAGE = 4096;
const MAX_CACHED = 400;

interface Page {
  bytes: Uint8Array;
  spans: Span[];
}

export class BytePages {
  readonly version = signal(0);
  readonly failure = signal<string | null>(null);
  private readonly cache = new Map<number, Page>();
  private readonly loading = new Set<number>();
  private readonly controller = new AbortController();

  constructor(
    private readonly path: string,
    readonly length: number,
  ) {}

  dispose(): void {
    this.controller.abort();
  }

  retry(): void {
    this.failure.value = null;
    this.version.value += 1;
  }

  ensureLoaded(from: number, to: number): void {
    if (this.failure.peek() !== null) return;
    for (let page = Math.floor(from / PAGE); page * PAGE < Math.min(to, this.length); page++) {
      if (!this.cache.has(page) && !this.loading.has(page)) void this.load(page);
    }
  }

  /** A byte, or null if it is not loaded or past the end. */
  byte(offset: number): number | null {
    return this.cache.get(Math.floor(offset / PAGE))?.bytes[offset % PAGE] ?? null;
  }

  /** Up to `count` consecutive loaded bytes. */
  slice(offset: number, count: number): Uint8Array {
    const bytes: number[] = [];
    for (let index = 0; index < count; index++) {
      const byte = this.byte(offset + index);
      if (byte === null) break;
      bytes.push(byte);
    }
    return Uint8Array.from(bytes);
  }

  /** The innermost field that contains a byte. */
  spanAt(offset: number): Span | null {
    const spans = this.cache.get(Math.floor(offset / PAGE))?.spans;
    if (!spans) return null;
    let low = 0;
    let high = spans.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const span = spans[middle];
      if (!span) return null;
      if (offset < span.start) high = middle - 1;
      else if (offset >= span.end) low = middle + 1;
      else return span;
    }
    return null;
  }

  async read(from: number, to: number): Promise<Uint8Array> {
    for (let page = Math.floor(from / PAGE); page * PAGE < to; page++) if (!this.cache.has(page)) await this.load(page);
    return this.slice(from, to - from);
  }

  private async load(page: number): Promise<void> {
    this.loading.add(page);
    try {
      const url = viewUrl(this.path, 'bytes', {
        from: page * PAGE,
        count: Math.min(PAGE, this.length - page * PAGE),
      });
      const answer = await getJson<BytesPage>(url, this.controller.signal);
      this.cache.set(page, {
        bytes: decodeBase64(answer.bytes),
        spans: answer.spans.sort((a, b) => a.start - b.start),
      });
      const [oldest] = this.cache.keys();
      if (this.cache.size > MAX_CACHED && oldest !== undefined) this.cache.delete(oldest);
      this.version.value += 1;
    } catch (reason) {
      if (!isAbort(reason)) this.failure.value = errorMessage(reason);
    } finally {
      this.loading.delete(page);
    }
  }
}

/** The color class of a field, one of eight, equal for the same field of all records. */
export function colorOf(span: Span | null): string {
  if (!span || span.path === '') return '';
  const name = span.path.replace(/\[\d+\]/g, '');
  let hash = 7;
  for (let index = 0; index < name.length; index++) hash = (hash * 31 + name.charCodeAt(index)) >>> 0;
  return `b${hash % 8}`;
}
