import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { Operations } from './operations.ts';

/** An answer that is read again and again; `failed` while the newest question had none. */
export type Polled<T> = { path: string; value?: T; failed?: string };

const EVERY_MS = 10_000;

/**
 * Reads a path of the reservation service as long as the view is open, and shows the last answer meanwhile.
 * @param path below the service; `undefined` for none
 */
export function usePolled<T>(operations: Operations, path: string | undefined): Signal<Polled<T> | undefined> {
  const polled = useSignal<Polled<T> | undefined>(undefined);
  useEffect(() => {
    if (path === undefined || !operations.hasToken.value) return undefined;
    let isOver = false;
    const ask = async (): Promise<void> => {
      const answer = await operations.call<T>('GET', path);
      if (isOver) return;
      const before = polled.peek();
      const retained = before?.path === path ? before.value : undefined;
      polled.value =
        'value' in answer
          ? { path, value: answer.value }
          : { path, failed: answer.failed, ...(retained && { value: retained }) };
    };
    void ask();
    const timer = setInterval(() => void ask(), EVERY_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [path, operations.hasToken.value, operations.changes.value]);
  return polled;
}
