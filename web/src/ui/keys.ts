// Decides whether the page or the focused element handles a key.

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}

/** Whether an element uses letters for type-ahead. */
export function takesLetters(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && ['tree', 'listbox', 'grid'].includes(target.getAttribute('role') ?? '');
}

/** Whether a key has no Ctrl, Alt or Command modifier and no other element handles it. */
export function isPlainKey(event: KeyboardEvent): boolean {
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    document.querySelector('dialog[open]')
  )
    return false;
  return !isTyping(event.target) && !takesLetters(event.target);
}
