// A download link that shows an error if the program cannot create the file.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { errorMessage, getBuffer } from '../api/request';
import { announce } from '../state/announce';
import { visible } from '../text/visible';

interface DownloadProps {
  url: string;
  name: string;
  title?: string;
  children: ComponentChildren;
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The file name for a response. The program returns several files as a ZIP archive. */
function fileNameFor(name: string, headers: Headers): string {
  const isZip = headers.get('Content-Type')?.includes('zip') ?? false;
  return isZip && !name.endsWith('.zip') ? `${name}.zip` : name;
}

export function Download({ url, name, title, children }: DownloadProps) {
  const [state, setState] = useState<{ busy: boolean; failure: string | null }>({ busy: false, failure: null });
  const save = async (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (state.busy) return;
    setState({ busy: true, failure: null });
    announce(`Creating ${name}…`);
    try {
      const { buffer, headers } = await getBuffer(url);
      const saved = fileNameFor(name, headers);
      saveBlob(new Blob([buffer], { type: headers.get('Content-Type') ?? 'application/octet-stream' }), saved);
      announce(`Saved ${saved}.`);
      setState({ busy: false, failure: null });
    } catch (reason) {
      setState({ busy: false, failure: errorMessage(reason) });
    }
  };
  return (
    <>
      <a
        class="action"
        href={url}
        download={name}
        title={title}
        aria-busy={state.busy}
        onClick={event => void save(event)}
      >
        {children}
        {state.busy && <span class="spinner" aria-hidden="true" />}
      </a>
      {state.failure !== null && (
        <p class="problem" role="alert">
          {visible(state.failure)}
        </p>
      )}
    </>
  );
}
