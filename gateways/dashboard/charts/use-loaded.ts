import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { returns } from '../live/network.ts';

const REFRESH_MS = 60_000;

/** An answer with the question that it is of; without a value, it failed. */
export type LoadedFigures<T> = { key: string; value?: T; failed?: true };

/**
 * Loads the figures of a chart, and again each minute while it is open. An answer to an earlier question is dropped,
 * and after a failed refresh the figures stay.
 * @param key names the question; `undefined` for none
 */
export function useLoaded<T>(key: string | undefined, load: () => Promise<T>): Signal<LoadedFigures<T> | undefined> {
  const loaded = useSignal<LoadedFigures<T> | undefined>(undefined);
  useEffect(() => {
    if (key === undefined) return undefined;
    let isOver = false;
    const again = async (): Promise<void> => {
      const answer = await load().then(
        (value): LoadedFigures<T> => ({ key, value }),
        (): LoadedFigures<T> => ({ key, failed: true }),
      );
      const isFailedRefresh = answer.failed && loaded.peek()?.key === key;
      if (!isOver && !isFailedRefresh) loaded.value = answer;
    };
    void again();
    const timer = setInterval(() => void again(), REFRESH_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [key, returns.value]);
  return loaded;
}
