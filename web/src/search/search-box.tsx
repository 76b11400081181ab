// The search box in the header. The query is stored in the URL.

import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { patch, route } from '../state/route';
import { Icon } from '../ui/icon';
import { SEARCH_KEYS, SearchPanel } from './search-panel';

export const searchOpen = signal('q' in route.peek().query);
/** The input element, while mounted. */
const input = createRef<HTMLInputElement>();

/** The element that had the focus before the search was opened. */
let before: Element | null = null;

export function openSearch(): void {
  before = document.activeElement;
  searchOpen.value = true;
  // Focus immediately, so that no typed letter is lost.
  input.current?.focus();
  input.current?.select();
}

export function closeSearch(): void {
  searchOpen.value = false;
  patch(Object.fromEntries(SEARCH_KEYS.map(key => [key, null])));
}

export function SearchBox() {
  const region = useRef<HTMLDivElement>(null);
  const query = route.value.query.q ?? '';
  const open = searchOpen.value;
  useEffect(() => {
    if (!open) return undefined;
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !region.current?.contains(event.target)) closeSearch();
    };
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, [open]);
  return (
    <div
      ref={region}
      class="search"
      role="search"
      onKeyDown={event => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        closeSearch();
        input.current?.blur();
        const target =
          before instanceof HTMLElement && before !== document.body && before !== input.current
            ? before
            : document.getElementById('main');
        target?.focus();
      }}
      onFocusOut={event => {
        if (event.relatedTarget instanceof Node && !region.current?.contains(event.relatedTarget)) closeSearch();
      }}
    >
      <div class="search-box">
        <Icon name="search" />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label="Search"
          aria-expanded={open}
          aria-controls={open ? 'search-results' : undefined}
          aria-autocomplete="list"
          placeholder="Search names and contents"
          spellcheck={false}
          autocomplete="off"
          value={query}
          onFocus={() => {
            searchOpen.value = true;
          }}
          onInput={event => {
            searchOpen.value = true;
            patch({ q: event.currentTarget.value });
          }}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      {open && <SearchPanel query={query} input={input} />}
    </div>
  );
}
