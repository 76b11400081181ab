// Filters files by kind, in a folder and its subfolders.

import { useEffect } from 'preact/hooks';
import type { Entry } from '../api/types';
import { formatByName } from '../state/formats';
import { kindLabels, kindsIn } from '../state/kinds';
import { loadNames, names } from '../state/names';
import { patch, route } from '../state/route';
import { count } from '../text/number';
import { Icon } from '../ui/icon';
import { kindIcon } from '../ui/kind-icon';
import type { Entries } from './entries';

export function selectedKind(): string | null {
  return route.value.query.kind ?? null;
}

export function KindFilter({ path }: { path: string }) {
  useEffect(() => void loadNames(), []);
  const kinds = [...kindsIn(path)];
  const chosen = selectedKind();
  if (kinds.length < 2 && chosen === null) return null;
  return (
    <div class="kind-filter" role="group" aria-label="Kind">
      <button type="button" class="chip" aria-pressed={chosen === null} onClick={() => patch({ kind: null })}>
        All
      </button>
      {kinds.map(([kind, files]) => (
        <button
          key={kind}
          type="button"
          class="chip"
          aria-pressed={chosen === kind}
          onClick={() => patch({ kind: chosen === kind ? null : kind })}
        >
          <Icon name={kindIcon(kind)} />
          {kindLabels.value.get(kind) ?? kind}
          <span class="faint">{count(files.length)}</span>
        </button>
      ))}
    </div>
  );
}

/** The files of a kind in a folder and its subfolders; null until names are loaded. */
export function kindEntries(path: string, kind: string): Entries | null {
  if (names.value === null) return null;
  const files = kindsIn(path).get(kind) ?? [];
  const at = (index: number): Entry | undefined => {
    const file = files[index];
    if (!file) return undefined;
    return {
      name: file.name,
      path: file.path,
      kind: 'file',
      length: null,
      format: formatByName(file.name)?.id ?? null,
      view: file.view,
    };
  };
  return {
    total: files.length,
    all: files.length,
    checked: 0,
    files: files.length,
    failure: null,
    at,
    ensureLoaded: () => undefined,
    sorting: false,
  };
}
