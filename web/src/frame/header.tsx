import { link } from '../state/route';
import { theme, toggleTheme } from '../state/theme';
import { SearchBox } from '../search/search-box';
import { Icon } from '../ui/icon';
import { Breadcrumbs } from './breadcrumbs';

interface HeaderProps {
  drawer: boolean;
  onDrawer(): void;
  onHelp(): void;
}

export function Header({ drawer, onDrawer, onHelp }: HeaderProps) {
  const other = theme.value === 'dark' ? 'light' : 'dark';
  return (
    <header class="header">
      <button type="button" class="button is-plain only-narrow" aria-label="Files" aria-expanded={drawer} onClick={onDrawer}>
        <Icon name="menu" />
      </button>
      <a class="brand" href={link('')}>
        <Icon name="scene" />
        Antiquary
      </a>
      <Breadcrumbs />
      <SearchBox />
      <div class="header-end">
        <button type="button" class="button is-plain" aria-label={`Use the ${other} theme`} title={`Use the ${other} theme`} onClick={toggleTheme}>
          <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
        </button>
        <button type="button" class="button is-plain" aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)" onClick={onHelp}>
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}
