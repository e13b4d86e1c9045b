import { hash } from 'node:crypto';

import type { Job, Jobs } from '../ports.ts';
import type { Caller } from '../rules/caller.ts';
import { DomainError } from '../rules/domain-error.ts';
import type { ClientKey } from './send.ts';
import type { Services } from './services.ts';

/** Jobs requested by users, who are recorded with the request. */
type RequestedJob = 'competitor-refresh' | 'rate-recalculation';

/** Entry of the administration journal for a request. */
type JobReceipt = { action: string; after?: Record<string, unknown> };

/**
 * Enqueues a job and records its user; repeated requests under one key are one job.
 * @throws DomainError IDEMPOTENCY_MISMATCH, IDEMPOTENCY_IN_PROGRESS, NOT_EXECUTED when the job queue is not available
 */
export async function requestJob<N extends RequestedJob>(
  { jobs, administration }: Pick<Services, 'jobs' | 'administration'>,
  name: N,
  caller: Caller,
  data: Omit<Jobs[N]['data'], 'tenantId'>,
  receipt: JobReceipt,
  client?: ClientKey,
): Promise<{ jobId: string; replayed: boolean }> {
  const { tenantId, subject } = caller;
  // After a crash before the answer was recorded, a repeat finds the job by this id.
  const id = client && `key-${hash('sha256', JSON.stringify([tenantId, subject, client.key]), 'hex')}`;
  const whole = { ...data, tenantId } as unknown as Jobs[N]['data'];
  const { result, replayed } = await administration.write(caller, client, async (records) => {
    const { id: jobId } = await jobs.enqueue(name, whole, { id });
    await records.note({ entity: 'job', entityId: jobId, ...receipt });
    return { jobId };
  });
  return { ...result, replayed };
}

/** @throws DomainError JOB_NOT_FOUND for a job of another tenant, or one that is no longer retained */
export async function findRequestedJob<N extends RequestedJob>(
  { jobs }: Pick<Services, 'jobs'>,
  name: N,
  { tenantId }: Pick<Caller, 'tenantId'>,
  jobId: string,
): Promise<Job<N>> {
  const job = await jobs.find(name, jobId);
  if (job?.data.tenantId !== tenantId)
    throw new DomainError('JOB_NOT_FOUND', 'There is no such job, or it ended long ago.');
  return job;
}
