// Type-ahead: typed letters select the next name with that prefix.

const RESET_MS = 800;

export class TypeAhead {
  private typed = '';
  private last = 0;

  /** Adds a key and returns the letters so far; null if the key is not a letter. */
  handle(event: KeyboardEvent): string | null {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) {
      // Any other key resets the prefix.
      if (event.key !== 'Shift') this.typed = '';
      return null;
    }
    const now = performance.now();
    if (now - this.last > RESET_MS) this.typed = '';
    if (event.key === ' ' && this.typed === '') return null;
    this.last = now;
    this.typed += event.key.toLowerCase();
    return this.typed;
  }
}

/** The index of the next name, from `current` on, that starts with the typed letters. */
export function nextWithPrefix(
  typed: string,
  current: number,
  count: number,
  nameAt: (index: number) => string | null,
): number | null {
  const isRepeated = [...typed].every(letter => letter === typed[0]);
  const prefix = isRepeated ? typed.slice(0, 1) : typed;
  const start = isRepeated ? current + 1 : current;
  for (let step = 0; step < count; step++) {
    const index = (Math.max(0, start) + step) % count;
    if (nameAt(index)?.toLowerCase().startsWith(prefix)) return index;
  }
  return null;
}
