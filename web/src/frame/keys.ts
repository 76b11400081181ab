// Global keyboard shortcuts.

import { openSearch } from '../search/search-box';
import { folders } from '../state/folders';
import { go, parentOf, route } from '../state/route';
import { toggleTheme } from '../state/theme';
import { isTyping, takesLetters } from '../ui/keys';

interface Actions {
  help(): void;
  files(): void;
}

function goToSibling(by: number): void {
  const here = route.peek().path;
  const parent = parentOf(here);
  const total = folders.total(parent) ?? 0;
  const files: string[] = [];
  for (let index = 0; index < total; index++) {
    const entry = folders.child(parent, index);
    if (entry && entry.kind !== 'folder') files.push(entry.path);
  }
  const at = files.indexOf(here);
  const next = at < 0 ? undefined : files[at + by];
  if (next !== undefined) go(next);
}

export function startKeys(actions: Actions): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key.toLowerCase() === 'k') openSearch();
    else if (event.altKey && event.key === 'ArrowUp') go(parentOf(route.peek().path));
    else if (isCommand || event.altKey || isTyping(event.target)) return;
    else if (event.key === '/') openSearch();
    else if (event.key === '?') actions.help();
    else if (event.key === '[') goToSibling(-1);
    else if (event.key === ']') goToSibling(1);
    else if (event.key === 'n' && !takesLetters(event.target)) actions.files();
    else if (event.key === 't' && !takesLetters(event.target)) toggleTheme();
    else return;
    event.preventDefault();
  };
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}
