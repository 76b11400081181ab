// A request that lives as long as the part of the page that asked for it.

import { useCallback, useEffect, useState } from 'preact/hooks';
import { isAbort } from './request';

export type Answer<T> =
  | { state: 'loading' }
  | { state: 'ready'; value: T }
  | { state: 'failed'; reason: unknown; retry: () => void };

interface Kept<T> {
  key: string;
  answer: { state: 'ready'; value: T } | { state: 'failed'; reason: unknown };
}

/** Loads anew whenever `key` changes; leaving, or another key, aborts what is under way. */
export function useRequest<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Answer<T> {
  const [kept, setKept] = useState<Kept<T> | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal).then(
      value => {
        if (!controller.signal.aborted) setKept({ key, answer: { state: 'ready', value } });
      },
      (reason: unknown) => {
        if (!controller.signal.aborted && !isAbort(reason)) setKept({ key, answer: { state: 'failed', reason } });
      },
    );
    return () => controller.abort();
  }, [key, attempt]);
  const retry = useCallback(() => {
    setKept(null);
    setAttempt(count => count + 1);
  }, []);
  // An answer to another question must not be shown for a moment under the new name.
  if (!kept || kept.key !== key) return { state: 'loading' };
  return kept.answer.state === 'failed' ? { ...kept.answer, retry } : kept.answer;
}
