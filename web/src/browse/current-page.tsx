// The page for the current path: home, a folder or a file.

import { useEffect } from 'preact/hooks';
import { Comparison } from '../compare/comparison';
import { FilePage } from '../file/file-page';
import { folders, knownEntry } from '../state/folders';
import { isFile, isFolder, loadNames, names, namesFailure } from '../state/names';
import { route } from '../state/route';
import { session } from '../state/session';
import { Loading } from '../ui/state';
import { FolderPage } from './folder-page';
import { Home } from './home';

type PageKind = 'home' | 'folder' | 'file' | 'loading';

function kindOf(path: string): PageKind {
  if (path === '') return 'home';
  if (session.value?.roots.some(root => root.name === path)) return 'folder';
  folders.version.value;
  const entry = knownEntry(path);
  if (entry) return entry.kind === 'folder' ? 'folder' : 'file';
  if (names.value) return !isFile(path) && isFolder(path) ? 'folder' : 'file';
  // Without names, assume a file: the program then reports the error.
  return namesFailure.value ? 'file' : 'loading';
}

export function CurrentPage() {
  const { path, query } = route.value;
  const kind = kindOf(path);
  useEffect(() => {
    if (kind === 'loading') void loadNames();
  }, [kind]);
  const other = query.compare;
  if (kind === 'home') return <Home />;
  if (kind === 'loading') return <Loading what="Looking for this file…" />;
  if (other !== undefined && kind === 'file') return <Comparison key={`${path}\n${other}`} path={path} other={other} />;
  return kind === 'folder' ? <FolderPage key={path} path={path} /> : <FilePage key={path} path={path} />;
}
