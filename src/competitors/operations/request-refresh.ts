import { requestJob } from '../../kernel/operations/request-job.ts';
import type { ClientKey } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';

/**
 * Requests a refresh of all competitor rates of the tenant, now (docs/concepts/forecast.md#competitor-rates). Without a
 * key a second request finds little left to do, since it only refreshes what was last queried before it.
 * @throws DomainError IDEMPOTENCY_MISMATCH, NOT_EXECUTED without a job queue
 */
export function requestRefresh(
  services: Pick<Services, 'jobs' | 'clock' | 'administration'>,
  caller: Caller,
  client?: ClientKey,
): Promise<{ jobId: string; replayed: boolean }> {
  const data = { since: services.clock.now() };
  return requestJob(services, 'competitor-refresh', caller, data, { action: 'REFRESH_COMPETITORS' }, client);
}
