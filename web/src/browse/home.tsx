// The home page: all open games.

import { link, nameOf, parentOf, recent } from '../state/route';
import { session } from '../state/session';
import { counted } from '../text/number';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';
import { Overview } from './overview';

export function Home() {
  const open = session.value;
  if (!open) return null;
  return (
    <div class="page scroll" tabIndex={0} role="region" aria-label="All games">
      <h1>All games</h1>
      {open.roots.map(root => (
        <section key={root.name} class="game" aria-label={visible(root.name)}>
          <div class="game-head">
            <h2>
              <a class="name" href={link(root.name)}>
                {visible(root.name)}
              </a>
            </h2>
            <span>{root.game_name ?? 'Unknown game'}</span>
            <span class="faint" title={visible(root.path)}>
              {counted(root.files, 'file')}
            </span>
          </div>
          <Overview root={root.name} />
        </section>
      ))}
      {recent.value.length > 0 && (
        <section>
          <h2>Recent</h2>
          <ul class="plain-list">
            {recent.value.slice(0, 12).map(path => (
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
        {open.program}: {counted(open.formats.length, 'format')}, {counted(open.games.length, 'game')}
      </p>
    </div>
  );
}
