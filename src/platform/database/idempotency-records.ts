import type { EntityManager } from '@mikro-orm/postgresql';

import type { By, Done, RequestKey } from '../../kernel/rules/administration.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';

const FIND = 'select find_answer_v1(?, ?, ?) as known';
const KEEP = 'select keep_answer_v1(?, ?, ?, ?, ?::json) as kept';

type Known = { busy: true } | { fingerprint: string; state: 'IN_PROGRESS' | 'DONE'; answer: { result?: unknown } };

/**
 * Runs a write outside of actors once per key of a client (docs/concepts/audit-trail.md#audit-trail), inside the
 * caller's transaction: write and idempotency record are committed together. The same request gets the recorded answer
 * for 24 hours. Errors are not recorded: they are decided anew.
 *
 * @param work its result must survive JSON unchanged: no undefined members in lists, no dates, no maps
 * @throws DomainError IDEMPOTENCY_MISMATCH, IDEMPOTENCY_IN_PROGRESS
 */
export async function onceUnderKey<T>(
  em: EntityManager,
  by: By,
  key: RequestKey | undefined,
  work: () => Promise<T>,
): Promise<Done<T>> {
  if (!key) return { result: await work(), replayed: false };
  const known = await idempotencyRecord<T>(em, by, key);
  if (known) return known;
  const result = await work();
  const values = [by.tenantId, by.subject, key.key, key.fingerprint, JSON.stringify({ result, seq: 0 })];
  const { kept: isStored } = (await em.execute<{ kept: boolean }[]>(KEEP, values))[0]!;
  if (!isStored) throw stillRunning();
  return { result, replayed: false };
}

/**
 * The recorded answer of a key. A free key belongs to the caller until the end of the transaction.
 * @throws DomainError IDEMPOTENCY_MISMATCH, IDEMPOTENCY_IN_PROGRESS
 */
export async function idempotencyRecord<T>(
  em: EntityManager,
  { tenantId, subject }: By,
  key: RequestKey,
): Promise<Done<T> | undefined> {
  const { known } = (await em.execute<{ known: Known | null }[]>(FIND, [tenantId, subject, key.key]))[0]!;
  return known ? { result: resultOf(known, key) as T, replayed: true } : undefined;
}

function resultOf(known: Known, { fingerprint }: RequestKey): unknown {
  if ('busy' in known) throw stillRunning();
  if (known.fingerprint !== fingerprint)
    throw new DomainError('IDEMPOTENCY_MISMATCH', 'The key was used for another request.');
  if (known.state === 'IN_PROGRESS') throw stillRunning();
  return known.answer.result;
}

const stillRunning = (): DomainError =>
  new DomainError('IDEMPOTENCY_IN_PROGRESS', 'The first request has not ended.', { retryAfterSeconds: 1 });
