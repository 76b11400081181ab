import { SearchBox } from '../search/search-box';
import { link } from '../state/route';
import { theme, toggleTheme } from '../state/theme';
import { Icon } from '../ui/icon';
import { Breadcrumbs } from './breadcrumbs';

interface HeaderProps {
  /** Whether the file tree is shown. */
  files: boolean;
  onFiles(): void;
  onHelp(): void;
}

export function Header({ files, onFiles, onHelp }: HeaderProps) {
  const other = theme.value === 'dark' ? 'light' : 'dark';
  return (
    <header class="header">
      <button
        type="button"
        class="button is-plain"
        aria-label="Files"
        title="Files (N)"
        aria-expanded={files}
        onClick={onFiles}
      >
        <Icon name="sidebar" />
      </button>
      <a class="brand" href={link('')} aria-label="Antiquary">
        <Icon name="scene" />
        <span>Antiquary</span>
      </a>
      <Breadcrumbs />
      <SearchBox />
      <div class="header-end">
        <button
          type="button"
          class="button is-plain"
          aria-label={`Switch to the ${other} theme`}
          title={`Switch to the ${other} theme`}
          onClick={toggleTheme}
        >
          <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
        </button>
        <button
          type="button"
          class="button is-plain"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={onHelp}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}
