// A folder page: entries as a gallery or as a list.

import { folders } from '../state/folders';
import { nameOf, patch, route, step } from '../state/route';
import { session } from '../state/session';
import { count, counted } from '../text/number';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';
import { Segments } from '../ui/segments';
import { Empty, Failure, Loading } from '../ui/state';
import { type Entries, MAX_SORTED, type SortKey, useEntries } from './entries';
import { EntryGallery } from './gallery';
import { KindFilter, kindEntries, selectedKind } from './kind-filter';
import { EntryList } from './list';
import { Overview } from './overview';
import { StateFilter, selectedState } from './state-filter';
import { useChecks } from './use-checks';

const FILE_KEYS = ['files', 'kind', 'as', 'only', 'sort', 'order'];

export function FolderPage({ path }: { path: string }) {
  const root = session.value?.roots.find(other => other.name === path);
  const kind = selectedKind();
  // A request for a sort order or filter implies the file list.
  const isOverview = root?.game != null && FILE_KEYS.every(key => route.value.query[key] === undefined);
  return (
    <section class="page is-filled" aria-labelledby="place-name">
      <FolderHead
        title={visible(nameOf(path))}
        note={root?.game_name ?? null}
        path={path}
        isOverview={isOverview}
        isGame={root?.game != null}
      />
      {isOverview ? (
        <div class="page scroll" tabIndex={0} role="region" aria-label="Contents of this game">
          <Overview root={path} />
        </div>
      ) : (
        <>
          <KindFilter path={path} />
          {kind === null ? <FolderEntries path={path} /> : <KindEntries path={path} kind={kind} />}
        </>
      )}
    </section>
  );
}

interface HeadProps {
  title: string;
  note: string | null;
  path: string;
  isOverview: boolean;
  isGame: boolean;
}

function FolderHead({ title, note, path, isOverview, isGame }: HeadProps) {
  folders.version.value;
  const total = folders.total(path);
  return (
    <div class="page-head">
      <h1 id="place-name" class="name">
        {title}
      </h1>
      <span class="faint">
        {[note, total === null || isOverview || selectedKind() !== null ? null : counted(total, 'entry', 'entries')]
          .filter(part => part !== null)
          .join(' · ')}
      </span>
      {isGame && (
        <Segments
          label="Show"
          value={isOverview ? 'overview' : 'files'}
          choices={[
            { value: 'overview', label: 'Overview' },
            { value: 'files', label: 'All files' },
          ]}
          onChange={value =>
            step(Object.fromEntries(FILE_KEYS.map(key => [key, key === 'files' && value === 'files' ? 'on' : null])))
          }
        />
      )}
      {!isOverview && <FolderTools />}
    </div>
  );
}

/** The files of a kind in a folder and its subfolders. */
function KindEntries({ path, kind }: { path: string; kind: string }) {
  const entries = kindEntries(path, kind);
  if (!entries) return <Loading what="Reading names…" />;
  if (entries.total === 0) return <Empty>No files of this kind.</Empty>;
  return route.value.query.as === 'list' ? (
    <EntryList entries={entries} sort="name" order="up" />
  ) : (
    <EntryGallery key={kind} entries={entries} />
  );
}

export function FolderTools() {
  const { query } = route.value;
  const sort = sortOf(query.sort);
  const order = query.order === 'down' ? 'down' : 'up';
  return (
    <div class="page-tools">
      {selectedKind() === null && <OrderTools sort={sort} order={order} />}
      <Segments
        label="Show as"
        value={query.as === 'list' ? 'list' : 'gallery'}
        choices={[
          { value: 'gallery', label: 'Gallery', shown: <Icon name="grid" /> },
          { value: 'list', label: 'List', shown: <Icon name="list" /> },
        ]}
        onChange={value => patch({ as: value === 'list' ? 'list' : null })}
      />
    </div>
  );
}

function OrderTools({ sort, order }: { sort: SortKey; order: 'up' | 'down' }) {
  return (
    <>
      <StateFilter />
      <select
        class="select"
        aria-label="Sort by"
        value={sort}
        onChange={event => patch({ sort: event.currentTarget.value === 'name' ? null : event.currentTarget.value })}
      >
        <option value="name">Name</option>
        <option value="length">Size</option>
        <option value="format">Format</option>
      </select>
      <button
        type="button"
        class="button is-plain"
        aria-label={order === 'up' ? 'Ascending order' : 'Descending order'}
        title={order === 'up' ? 'Ascending order' : 'Descending order'}
        onClick={() => patch({ order: order === 'up' ? 'down' : null })}
      >
        <span class={order === 'up' ? '' : 'is-flipped'}>
          <Icon name="down" />
        </span>
      </button>
    </>
  );
}

export function sortOf(text: string | undefined): SortKey {
  return text === 'length' || text === 'format' ? text : 'name';
}

export function FolderEntries({ path }: { path: string }) {
  const { query } = route.value;
  const sort = sortOf(query.sort);
  const order = query.order === 'down' ? 'down' : 'up';
  const only = selectedState();
  const entries = useEntries(path, sort, order, only);
  useChecks(path, entries.all, only !== null);
  if (entries.failure !== null) return <Failure reason={entries.failure} retry={() => folders.retry(path)} />;
  if (entries.total === null) return <Loading what="Reading this folder…" />;
  if (entries.all === 0) return <Empty>This folder is empty.</Empty>;
  return (
    <>
      {only !== null && <StateStatus entries={entries} />}
      {entries.all !== null && entries.all > MAX_SORTED && (sort !== 'name' || order === 'down' || only !== null) && (
        <p class="banner">
          Folders with more than {count(MAX_SORTED)} entries cannot be sorted or filtered. Entries are listed by name.
        </p>
      )}
      {query.as === 'list' ? (
        <EntryList entries={entries} sort={sort} order={order} />
      ) : (
        <EntryGallery entries={entries} />
      )}
    </>
  );
}

function StateStatus({ entries }: { entries: Entries }) {
  const { total, checked, files } = entries;
  const isDone = checked === files && !entries.sorting;
  return (
    <p class="banner" role="status">
      {isDone
        ? total === 0
          ? 'No matching files.'
          : `${counted(total ?? 0, 'file')} of ${count(files)}`
        : `${count(total ?? 0)} so far (${count(checked)} of ${count(files)} files checked)`}
    </p>
  );
}
