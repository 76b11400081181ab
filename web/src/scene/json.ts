// Values of unknown JSON.

export type Json = Record<string, unknown>;

const EMPTY: Json = {};

/** The object, or an empty one. */
export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : EMPTY;
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Three finite numbers. */
export function tripleOf(value: unknown): [number, number, number] | null {
  if (!Array.isArray(value) || value.length < 3) return null;
  const [x, y, z] = value as unknown[];
  const [a, b, c] = [numberOf(x), numberOf(y), numberOf(z)];
  return a === null || b === null || c === null ? null : [a, b, c];
}
