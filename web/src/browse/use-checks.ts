// The checks of the folder that one looks at, for as long as one does.

import { useEffect } from 'preact/hooks';
import { checkFolder } from '../state/checks';

/** Folders with more entries than this are checked only when one asks for states. */
const UNASKED = 2000;
/** What one looks at comes first. */
const WAIT = 600;

export function useChecks(path: string, total: number | null, isAsked: boolean): void {
  const isWanted = total !== null && total > 0 && (isAsked || total <= UNASKED);
  useEffect(() => {
    if (!isWanted) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => void checkFolder(path, controller.signal), isAsked ? 0 : WAIT);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [path, isWanted, isAsked]);
}
