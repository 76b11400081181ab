// The page layout: header, file tree sidebar and main content.

import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { CurrentPage } from './browse/current-page';
import { startDrop } from './frame/drop';
import { Header } from './frame/header';
import { Help } from './frame/help';
import { startKeys } from './frame/keys';
import { FolderTree } from './frame/tree';
import { announcement, notice } from './state/announce';
import { isNarrow } from './state/media';
import { loadNames } from './state/names';
import { nameOf, patch, path, route } from './state/route';
import { loadSession, session } from './state/session';
import { visible } from './text/visible';
import { Failure, Loading } from './ui/state';

export function App() {
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    setFailure(null);
    loadSession().then(() => whenIdle(() => void loadNames()), setFailure);
  }, [attempt]);
  const here = path.value;
  useEffect(() => {
    document.title = here === '' ? 'Antiquary' : `${visible(nameOf(here))} – Antiquary`;
  }, [here]);
  if (failure !== null) {
    return (
      <main class="full-page">
        <h1 class="visually-hidden">Antiquary</h1>
        <Failure reason={failure} retry={() => setAttempt(count => count + 1)} />
      </main>
    );
  }
  if (!session.value) {
    return (
      <main class="full-page">
        <h1 class="visually-hidden">Antiquary</h1>
        <Loading what="Opening…" />
      </main>
    );
  }
  return <Frame />;
}

/** Runs a callback when the browser is idle, after the first paint. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: 2000 });
  else setTimeout(act, 200);
}

function Frame() {
  const [isDrawer, setDrawer] = useState(false);
  const [isHelp, setHelp] = useState(false);
  const isInDrawer = isNarrow.value;
  const hasFiles = isInDrawer ? isDrawer : route.value.query.side !== 'off';
  const toggleFiles = () => {
    if (isNarrow.peek()) setDrawer(shown => !shown);
    else patch({ side: route.peek().query.side === 'off' ? null : 'off' });
  };
  useLayoutEffect(() => startKeys({ help: () => setHelp(true), files: toggleFiles }), []);
  useEffect(startDrop, []);
  useEffect(() => {
    if (!isDrawer) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setDrawer(false);
      document.querySelector<HTMLElement>('.header [aria-label="Files"]')?.focus();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isDrawer]);
  return (
    <div class={`frame${isInDrawer && isDrawer ? ' has-drawer' : ''}${hasFiles ? '' : ' is-without-side'}`}>
      <a
        class="skip"
        href="#main"
        onClick={event => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to content
      </a>
      <Header files={hasFiles} onFiles={toggleFiles} onHelp={() => setHelp(true)} />
      <nav class="side" aria-label="Files">
        <FolderTree onOpen={() => setDrawer(false)} />
      </nav>
      {isInDrawer && isDrawer && <div class="backdrop" onClick={() => setDrawer(false)} />}
      <main id="main" class="main" tabIndex={-1}>
        <CurrentPage />
      </main>
      {isHelp && <Help onClose={() => setHelp(false)} />}
      <div class="visually-hidden" aria-live="polite">
        {announcement.value}
      </div>
      {notice.value !== '' && (
        <div class="notice" role="status">
          {notice.value}
        </div>
      )}
    </div>
  );
}
