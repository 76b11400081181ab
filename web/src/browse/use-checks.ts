// Checks the files of the current folder while its page is open.

import { useEffect } from 'preact/hooks';
import { checkFolder } from '../state/checks';

/** Largest number of entries in a folder that is checked without a request. */
const MAX_UNREQUESTED = 2000;
/** Delay in milliseconds, so that the visible content loads first. */
const DELAY_MS = 600;

export function useChecks(path: string, total: number | null, isRequested: boolean): void {
  const isEnabled = total !== null && total > 0 && (isRequested || total <= MAX_UNREQUESTED);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => void checkFolder(path, controller.signal), isRequested ? 0 : DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [path, isEnabled, isRequested]);
}
