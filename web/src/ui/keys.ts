// Which keys are meant for the page rather than for what has the focus.

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}

/** Lists and trees take letters for themselves. */
export function takesLetters(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && ['tree', 'listbox', 'grid'].includes(target.getAttribute('role') ?? '');
}

/** A letter without Ctrl, Alt or Command that nothing else takes. */
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
