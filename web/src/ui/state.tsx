// Placeholders for loading, failed and empty content.

import type { ComponentChildren } from 'preact';
import { errorMessage } from '../api/request';
import { visible } from '../text/visible';
import { Icon } from './icon';

export function Loading({ what }: { what: string }) {
  return (
    <div class="state is-loading" role="status">
      <span class="spinner" aria-hidden="true" />
      <span>{what}</span>
    </div>
  );
}

export function Failure({ reason, retry }: { reason: unknown; retry?: () => void }) {
  return (
    <div class="state is-failure" role="alert">
      <Icon name="report" />
      <p>{visible(errorMessage(reason))}</p>
      {retry && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="state is-empty">{children}</div>;
}
