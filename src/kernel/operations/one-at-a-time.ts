import type { Caller } from '../rules/caller.ts';
import { DomainError } from '../rules/domain-error.ts';
import type { ClientKey } from './send.ts';

/** Keys of running requests with a payment in this process: a concurrent repeat gets IDEMPOTENCY_IN_PROGRESS. */
const running = new Set<string>();

/**
 * Runs the request of a client's key, unless it is running already (docs/reference/api.md#idempotency).
 * @throws DomainError IDEMPOTENCY_IN_PROGRESS
 */
export async function oneAtATime<T>(
  { tenantId, subject }: Caller,
  key: ClientKey | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (key === undefined) return work();
  const id = `${tenantId}\n${subject}\n${key.key}`;
  if (running.has(id))
    throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'The first request is still running.', { retryAfterSeconds: 1 });
  running.add(id);
  try {
    return await work();
  } finally {
    running.delete(id);
  }
}
