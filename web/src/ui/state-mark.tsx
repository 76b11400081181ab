// An icon for files with errors or warnings.

import type { CheckedFile } from '../api/types';
import { checkOf, checksVersion } from '../state/checks';
import { counted } from '../text/number';
import { Icon } from './icon';

export function stateWords(check: CheckedFile): string {
  const words = [];
  if (check.errors > 0) words.push(counted(check.errors, 'error'));
  if (check.warnings > 0) words.push(counted(check.warnings, 'warning'));
  return words.join(', ');
}

export function StateMark({ path }: { path: string }) {
  checksVersion.value;
  const check = checkOf(path);
  if (!check || (check.state !== 'error' && check.state !== 'warning')) return null;
  const words = stateWords(check);
  return (
    <span class={`state-mark is-${check.state}`} role="img" aria-label={words} title={words}>
      <Icon name="report" />
    </span>
  );
}
