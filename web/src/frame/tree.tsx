// The file tree of all open folders.

import { useEffect } from 'preact/hooks';
import type { Entry } from '../api/types';
import { TreeView } from '../list/tree-view';
import { folders, knownEntry } from '../state/folders';
import { ancestry, go, path } from '../state/route';
import { formatOf } from '../state/session';
import { visible } from '../text/visible';
import { Icon, type IconName, viewIcon } from '../ui/icon';
import { StateMark } from '../ui/state-mark';

export function entryIcon(entry: Entry): IconName {
  if (entry.kind === 'folder') return 'folder';
  if (entry.kind === 'archive') return 'archive';
  const views = formatOf(entry.format)?.views ?? [];
  // Nearly every format has a data view, so any other view is more specific.
  return viewIcon(views.find(kind => !['data', 'fields', 'bytes', 'report'].includes(kind)) ?? views[0]);
}

export function FolderTree({ onOpen }: { onOpen(): void }) {
  const here = path.value;
  useEffect(() => {
    void folders.reveal(ancestry(here)).then(() => {
      // Expand the current folder.
      if (knownEntry(here)?.kind === 'folder') void folders.open(here);
    });
  }, [here]);
  return (
    <TreeView
      model={folders}
      label="Files"
      rowHeight={26}
      selected={here}
      empty="This folder is empty"
      nameOf={entry => entry.name}
      onSelect={(key, entry) => {
        if (entry.kind !== 'file') void folders.open(key);
        go(key);
        if (entry.kind === 'file') onOpen();
      }}
      row={entry => (
        <>
          <Icon name={entryIcon(entry)} />
          <span class="name ellipsis">{visible(entry.name)}</span>
          <StateMark path={entry.path} />
        </>
      )}
    />
  );
}
