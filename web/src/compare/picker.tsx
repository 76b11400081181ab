// A dialog to choose the file to compare with.

import { useEffect, useState } from 'preact/hooks';
import { ListBox } from '../list/list-box';
import { nameMatches, searchNames } from '../search/names';
import { go, nameOf, parentOf } from '../state/route';
import { visible } from '../text/visible';
import { Dialog } from '../ui/dialog';

const NO_FILTER = { game: '', format: '', view: '', state: '' };

export function ComparePicker({ path, onClose }: { path: string; onClose(): void }) {
  // Search for the same name first: these files are compared most often.
  const [query, setQuery] = useState(nameOf(path));
  const [at, setAt] = useState(0);
  useEffect(() => {
    setAt(0);
    searchNames(query, NO_FILTER);
  }, [query]);
  const results = (nameMatches.value?.results ?? []).filter(match => match.path !== path);
  const choose = (index: number) => {
    const match = results[index];
    if (!match) return;
    onClose();
    go(path, { compare: match.path });
  };
  return (
    <Dialog title={`Compare ${visible(nameOf(path))} with`} class="picker" onClose={onClose}>
      <input
        class="input"
        data-first-focus
        type="search"
        aria-label="Name of the other file"
        spellcheck={false}
        value={query}
        onInput={event => setQuery(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') choose(at);
          else if (event.key === 'ArrowDown') setAt(Math.min(results.length - 1, at + 1));
          else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
          // Prevents the browser from clearing the input first.
          else if (event.key === 'Escape') onClose();
          else return;
          event.preventDefault();
        }}
      />
      <ListBox
        label="Files"
        count={results.length}
        rowHeight={40}
        selected={at}
        nameAt={index => nameOf(results[index]?.path ?? '')}
        onSelect={setAt}
        onActivate={choose}
        row={index => {
          const match = results[index];
          if (!match) return null;
          return (
            <span class="item-text">
              <span class="name ellipsis">{visible(nameOf(match.path))}</span>
              <span class="faint ellipsis">{visible(parentOf(match.path))}</span>
            </span>
          );
        }}
      />
      <div class="dialog-foot">
        <button type="button" class="button is-main" disabled={results.length === 0} onClick={() => choose(at)}>
          Compare
        </button>
      </div>
    </Dialog>
  );
}
