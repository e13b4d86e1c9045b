import { hash } from 'node:crypto';

import type { Caller } from '../domain/caller.ts';
import { Refusal } from '../domain/refusal.ts';
import type { ClientKey } from './send.ts';
import type { Services } from './services.ts';

/**
 * Asks for a refresh of all competitor rates of the tenant, now (specification 4.1). Asked for twice under one key it
 * is one job; without a key a second one finds little left to do, since it only asks for what was last asked before it.
 *
 * @throws Refusal IDEMPOTENCY_MISMATCH, NOT_EXECUTED when the job queue is not there
 */
export async function requestRefresh(
  { jobs, clock }: Pick<Services, 'jobs' | 'clock'>,
  { tenantId, subject }: Caller,
  client?: ClientKey,
): Promise<{ jobId: string; replayed: boolean }> {
  const id = client && `key-${hash('sha256', JSON.stringify([tenantId, subject, client.key]), 'hex')}`;
  const known = id === undefined ? undefined : await jobs.find('competitor-refresh', id);
  if (known && known.data.fingerprint !== client?.fingerprint)
    throw new Refusal('IDEMPOTENCY_MISMATCH', 'This key was used for another request.');
  if (known) return { jobId: known.id, replayed: true };
  const data = { tenantId, since: clock.now(), fingerprint: client?.fingerprint };
  const job = await jobs.enqueue('competitor-refresh', data, { id });
  return { jobId: job.id, replayed: false };
}
