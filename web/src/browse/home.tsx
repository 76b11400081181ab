// All games that are open.

import { link, nameOf, parentOf, recent } from '../state/route';
import { session } from '../state/session';
import { counted } from '../text/number';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';

export function Home() {
  const open = session.value;
  if (!open) return null;
  return (
    <div class="page scroll" tabIndex={0} role="region" aria-label="All games">
      <h1>All games</h1>
      <ul class="cards">
        {open.roots.map((root) => (
          <li key={root.name}>
            <a class="card" href={link(root.name)}>
              <span class="card-name name">{visible(root.name)}</span>
              <span>{root.game_name ?? 'No known game'}</span>
              <span class="faint">{counted(root.files, 'file')}</span>
              <span class="faint mono ellipsis" title={visible(root.path)}>
                {visible(root.path)}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {recent.value.length > 0 && (
        <section>
          <h2>Recent</h2>
          <ul class="plain-list">
            {recent.value.slice(0, 12).map((path) => (
              <li key={path}>
                <a class="plain-link name" href={link(path)}>
                  <Icon name="file" />
                  <span>{visible(nameOf(path))}</span>
                  <span class="faint ellipsis">{visible(parentOf(path))}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p class="faint">
        {open.program}. It knows {counted(open.formats.length, 'format')} of {counted(open.games.length, 'game')}.
      </p>
    </div>
  );
}
