// A request tied to the lifetime of a component.

import { useCallback, useEffect, useState } from 'preact/hooks';
import { isAbort } from './request';

export type Answer<T> =
  | { state: 'loading' }
  | { state: 'ready'; value: T }
  | { state: 'failed'; reason: unknown; retry: () => void };

interface Settled<T> {
  key: string;
  answer: { state: 'ready'; value: T } | { state: 'failed'; reason: unknown };
}

/** Loads a value, and again whenever `key` changes. Unmounting or a new key aborts the request. */
export function useRequest<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Answer<T> {
  const [settled, setSettled] = useState<Settled<T> | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal).then(
      value => {
        if (!controller.signal.aborted) setSettled({ key, answer: { state: 'ready', value } });
      },
      (reason: unknown) => {
        if (!controller.signal.aborted && !isAbort(reason)) setSettled({ key, answer: { state: 'failed', reason } });
      },
    );
    return () => controller.abort();
  }, [key, attempt]);
  const retry = useCallback(() => {
    setSettled(null);
    setAttempt(count => count + 1);
  }, []);
  // Never show the response of a previous key.
  if (!settled || settled.key !== key) return { state: 'loading' };
  return settled.answer.state === 'failed' ? { ...settled.answer, retry } : settled.answer;
}
