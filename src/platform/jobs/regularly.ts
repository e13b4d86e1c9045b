import { type Log, THREAD_SCHEDULER } from '../../kernel/ports.ts';
import type { Round } from '../../kernel/rules/rounds.ts';

/** A run that takes longer hangs: the next one starts beside it, as on another node. */
const RUN_WITHIN_MS = 600_000;

/**
 * Runs work periodically, never twice at once unless a run hangs; disposing awaits the run under way.
 * @param first whether it starts at once, or after the first period
 */
export function regularly(
  round: Round,
  log: Log,
  work: () => Promise<void>,
  first: 'at once' | 'later' = 'later',
  scheduler = THREAD_SCHEDULER,
): AsyncDisposable {
  let running: { since: number; run: Promise<void> } | undefined;
  const failed = (error: unknown): void => {
    round.failed(error);
    log.warn({ round: round.name, error: String(error) }, 'a regular round failed; it runs again');
  };
  const begin = (): void => {
    if (running && scheduler.now() - running.since < RUN_WITHIN_MS) return;
    if (running) failed(new Error(`a run has not ended within ${RUN_WITHIN_MS / 60_000} minutes`));
    const mine = { since: scheduler.now(), run: Promise.resolve() };
    running = mine;
    mine.run = work()
      .then(() => round.completed(0, scheduler.now() - mine.since), failed)
      .finally(() => {
        if (running === mine) running = undefined;
      });
  };
  const timer = scheduler.every(round.everyMs, begin);
  if (first === 'at once') begin();
  return {
    async [Symbol.asyncDispose]() {
      timer.cancel();
      await running?.run;
    },
  };
}
