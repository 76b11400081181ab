// Asking the program: addresses, answers and failures.

import type { ErrorBody } from './types';

export type Query = Record<string, string | number | null | undefined>;

/** A request that was refused or got no answer; the message is a sentence for people. */
export class RequestError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly detail: Partial<ErrorBody> = {},
  ) {
    super(message);
  }
}

/** A path of the install with each name percent-encoded. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeName).join('/');
}

function encodeName(name: string): string {
  try {
    return encodeURIComponent(name);
  } catch {
    return encodeURIComponent(name.toWellFormed());
  }
}

/** The address of a request, relative to the page. */
export function address(request: string, path: string | null, query: Query = {}): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parts.push(`${name}=${encodeName(String(value))}`);
  }
  const place = path === null ? '' : `/${encodePath(path)}`;
  return `api/${request}${place}${parts.length > 0 ? `?${parts.join('&')}` : ''}`;
}

export function viewAddress(path: string, kind: string, query: Query = {}): string {
  return address('view', path, { kind, ...query });
}

export function isAbort(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'AbortError';
}

/** What to tell a person about a failure of any sort. */
export function sentence(reason: unknown): string {
  if (reason instanceof Error && reason.message) return reason.message;
  return String(reason);
}

async function ask(url: string, signal: AbortSignal | null): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  } catch (reason) {
    if (isAbort(reason)) throw reason;
    throw new RequestError('The program does not answer. Is `antiquary view` still running?', 0);
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

async function refusal(response: Response): Promise<RequestError> {
  const fallback = `The program refused this request (status ${response.status}).`;
  try {
    const body = (await response.json()) as { error?: Partial<ErrorBody> };
    const detail = body.error ?? {};
    return new RequestError(detail.text || detail.message || fallback, response.status, detail);
  } catch {
    return new RequestError(fallback, response.status);
  }
}

export async function getJson<T>(url: string, signal: AbortSignal | null = null): Promise<T> {
  const response = await ask(url, signal);
  return (await response.json()) as T;
}

export async function getBuffer(
  url: string,
  signal: AbortSignal | null = null,
): Promise<{ buffer: ArrayBuffer; headers: Headers }> {
  const response = await ask(url, signal);
  return { buffer: await response.arrayBuffer(), headers: response.headers };
}

/** An answer in lines of JSON: each is given as soon as it is there. */
export async function getLines<T>(url: string, signal: AbortSignal, take: (values: T[]) => void): Promise<void> {
  const response = await ask(url, signal);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? '')).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) take(lines.map(line => JSON.parse(line) as T));
    if (done) return;
  }
}

/** A picture, or null where there is nothing to see. */
export async function getPicture(url: string, signal: AbortSignal): Promise<Blob | null> {
  try {
    const response = await ask(url, signal);
    return response.status === 204 ? null : await response.blob();
  } catch (reason) {
    if (reason instanceof RequestError && reason.status !== 0) return null;
    throw reason;
  }
}

export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let index = 0; index < raw.length; index++) bytes[index] = raw.charCodeAt(index);
  return bytes;
}
