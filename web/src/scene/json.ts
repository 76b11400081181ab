// Accessors for untyped JSON values.

export type Json = Record<string, unknown>;

const EMPTY: Json = {};

/** The value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : EMPTY;
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The first three elements of an array, if they are finite numbers. */
export function tripleOf(value: unknown): [number, number, number] | null {
  if (!Array.isArray(value) || value.length < 3) return null;
  const [x, y, z] = value as unknown[];
  const [a, b, c] = [numberOf(x), numberOf(y), numberOf(z)];
  return a === null || b === null || c === null ? null : [a, b, c];
}
