import { LOOK_MS } from '../../competitors/jobs/competitor-watch.ts';
import type { JobQueueSettings } from '../../platform/jobs/job-queues.ts';

/** Two jobs that are repeated once a minute, as in `background.ts`; the others are not requested. */
export function jobSettings(ask: () => Promise<void>): JobQueueSettings {
  const never = { concurrency: 1, attempts: 1, backoffMs: 1_000 };
  const unasked = (): never => {
    throw new Error('nobody has asked for it');
  };
  const repeated = <R>(result: R) => ({
    ...never,
    repeatMs: LOOK_MS,
    handler: async (): Promise<R> => {
      await ask();
      return result;
    },
  });
  return {
    'competitor-check': repeated({ due: 0 }),
    'daily-check': repeated({}),
    'analytics-push': { ...never, handler: async () => unasked() },
    'competitor-refresh': { ...never, handler: async () => unasked() },
    'rate-recalculation': { ...never, handler: async () => unasked() },
    'yield-optimization': { ...never, handler: async () => unasked() },
  };
}
