// Typing a few letters goes to the next name that begins with them.

const FORGET_AFTER = 800;

export class TypeAhead {
  private typed = '';
  private last = 0;

  /** The letters so far, or null where the key is none. */
  take(event: KeyboardEvent): string | null {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) {
      // Whoever moves on begins another name.
      if (event.key !== 'Shift') this.typed = '';
      return null;
    }
    const now = performance.now();
    if (now - this.last > FORGET_AFTER) this.typed = '';
    if (event.key === ' ' && this.typed === '') return null;
    this.last = now;
    this.typed += event.key.toLowerCase();
    return this.typed;
  }
}

/** The next of `count` names, from `current` on, that begins with what was typed. */
export function nextNamed(
  typed: string,
  current: number,
  count: number,
  nameAt: (index: number) => string | null,
): number | null {
  const one = [...typed].every(letter => letter === typed[0]);
  const wanted = one ? typed.slice(0, 1) : typed;
  const start = one ? current + 1 : current;
  for (let step = 0; step < count; step++) {
    const index = (Math.max(0, start) + step) % count;
    if (nameAt(index)?.toLowerCase().startsWith(wanted)) return index;
  }
  return null;
}
