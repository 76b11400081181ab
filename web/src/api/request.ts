// HTTP requests to the program: URLs, responses and errors.

import type { ErrorBody } from './types';

export type Query = Record<string, string | number | null | undefined>;

/** A request that failed or got no response; the message is shown to the user. */
export class RequestError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly detail: Partial<ErrorBody> = {},
  ) {
    super(message);
  }
}

/** Percent-encodes each segment of a path. */
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

/** Builds the URL of a request, relative to the page. */
export function requestUrl(request: string, path: string | null, query: Query = {}): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parts.push(`${name}=${encodeName(String(value))}`);
  }
  const place = path === null ? '' : `/${encodePath(path)}`;
  return `api/${request}${place}${parts.length > 0 ? `?${parts.join('&')}` : ''}`;
}

export function viewUrl(path: string, kind: string, query: Query = {}): string {
  return requestUrl('view', path, { kind, ...query });
}

export function isAbort(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'AbortError';
}

/** The message to show for any kind of error. */
export function errorMessage(reason: unknown): string {
  if (reason instanceof Error && reason.message) return reason.message;
  return String(reason);
}

async function send(url: string, signal: AbortSignal | null): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  } catch (reason) {
    if (isAbort(reason)) throw reason;
    throw new RequestError('The program does not respond. Check that `antiquary view` is still running.', 0);
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

async function errorOf(response: Response): Promise<RequestError> {
  const fallback = `The request failed with status ${response.status}.`;
  try {
    const body = (await response.json()) as { error?: Partial<ErrorBody> };
    const detail = body.error ?? {};
    return new RequestError(detail.text || detail.message || fallback, response.status, detail);
  } catch {
    return new RequestError(fallback, response.status);
  }
}

export async function getJson<T>(url: string, signal: AbortSignal | null = null): Promise<T> {
  const response = await send(url, signal);
  return (await response.json()) as T;
}

export async function getBuffer(
  url: string,
  signal: AbortSignal | null = null,
): Promise<{ buffer: ArrayBuffer; headers: Headers }> {
  const response = await send(url, signal);
  return { buffer: await response.arrayBuffer(), headers: response.headers };
}

/** Reads a newline-delimited JSON response; lines are passed on as they arrive. */
export async function getLines<T>(url: string, signal: AbortSignal, onValues: (values: T[]) => void): Promise<void> {
  const response = await send(url, signal);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? '')).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) onValues(lines.map(line => JSON.parse(line) as T));
    if (done) return;
  }
}

/** Fetches an image; null if there is none or the request fails with a status. */
export async function getImage(url: string, signal: AbortSignal): Promise<Blob | null> {
  try {
    const response = await send(url, signal);
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
