import { setTimeout as after } from 'node:timers/promises';

import type { AdvisoryLock } from '../../kernel/ports.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';

/** Pause before the lock is tried again, and how long a call waits for those before it. */
const PAUSE_MS = 20;
const MAX_WAIT_MS = 5_000;

/**
 * Runs the calls of one agent that take rooms one after the other, on whatever nodes they are: each counts what the ones
 * before it have taken, at every property.
 * @param agent names it over all tenants
 * @throws DomainError QUOTA_EXCEEDED when the others take too long; what `work` throws
 */
export async function inAgentTurn<T>(lock: AdvisoryLock, agent: string, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + MAX_WAIT_MS;
  let result: { of: T } | undefined;
  const run = async (): Promise<void> => void (result = { of: await work() });
  while (!(await lock(`agent ${agent}`, run))) {
    if (performance.now() > until)
      throw new DomainError('QUOTA_EXCEEDED', 'Other calls of yours that take rooms are still under way.', {
        retryAfterSeconds: 1,
        extra: { bound: 'agent-calls', limit: 1 },
      });
    await after(PAUSE_MS);
  }
  return result!.of;
}
