import type { Log } from '../ports/log.ts';

/**
 * Runs work again and again, never twice at once; disposing waits for the one that runs.
 * @param first whether it begins at once, or after the first interval
 */
export function regularly(
  everyMs: number,
  log: Log,
  work: () => Promise<void>,
  first: 'at once' | 'later' = 'later',
): AsyncDisposable {
  let running: Promise<void> | undefined;
  const begin = (): void => {
    running ??= work()
      .catch((error: unknown) => log.warn({ error: String(error) }, 'regular work failed'))
      .finally(() => (running = undefined));
  };
  const timer = setInterval(begin, everyMs);
  if (first === 'at once') begin();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}
