import type { EntityManager } from '@mikro-orm/postgresql';
import { hash } from 'node:crypto';

import type {
  AdministrationChange,
  AdministrationEntry,
  By,
  Done,
  RequestKey,
} from '../../kernel/rules/administration.ts';
import { canonical } from '../../kernel/rules/canonical.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { onceUnderKey } from '../../platform/database/idempotency-records.ts';
import { ms } from '../../platform/database/load-sql.ts';

/** First number of the advisory locks for writers of a tenant's chain ("adm"). */
const LOCK_SPACE = 0x61646d;

const TAKE_TURN = `select pg_advisory_xact_lock(${LOCK_SPACE}, hashtext(?))`;

const HEAD = `
  select coalesce(newest.seq, 0) as seq, coalesce(newest.hash, '') as hash, ${ms('app_now()::timestamptz(3)')} as now
  from (values (1)) as one
  left join lateral (
    select seq, hash from administration_journal where tenant_id = ? order by seq desc limit 1) as newest on true`;

const APPEND = `
  insert into administration_journal
    (tenant_id, seq, at, subject, request_id, entity, entity_id, action, before, after, hash)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?::json, ?::json, ?)`;

/**
 * Waits, 2 s at most, for the exclusive right to write administration of this tenant, until the end of the transaction.
 * A statement of its own, so that following ones see what the previous transaction committed.
 */
export async function takeTurn(em: EntityManager, tenantId: TenantId): Promise<void> {
  await em.execute(TAKE_TURN, [tenantId]);
}

/** A write outside of actors, in the tenant of the caller. @throws DomainError as `onceUnderKey` does, and its own */
export type AdministrationWrite = <T>(
  by: By,
  key: RequestKey | undefined,
  work: (em: EntityManager) => Promise<T>,
) => Promise<Done<T>>;

/** Runs writes once under their keys, and those of a tenant one after the other. */
export const administrationWrites =
  (database: Database): AdministrationWrite =>
  (by, key, work) =>
    database.inTenant(by.tenantId, (em) =>
      onceUnderKey(em, by, key, async () => {
        await takeTurn(em, by.tenantId);
        return work(em);
      }),
    );

/**
 * Appends a row to the administration journal within the caller's transaction (`Database.inTenant` of the same tenant):
 * both commit, or neither. Writers of one tenant are serialized from here to the end of their transactions, so the
 * chain never forks: append last.
 */
export async function appendAdministration(
  em: EntityManager,
  { tenantId, subject, requestId }: By,
  change: AdministrationChange,
): Promise<void> {
  await takeTurn(em, tenantId);
  const head = (await em.execute<{ seq: number; hash: string; now: Instant }[]>(HEAD, [tenantId]))[0]!;
  const { entity, entityId, action } = change;
  const before = asStored(change.before);
  const after = asStored(change.after);
  const row = { seq: head.seq + 1, at: head.now, subject, requestId, entity, entityId, action, before, after };
  await em.execute(APPEND, [
    tenantId,
    row.seq,
    new Date(row.at).toISOString(),
    subject,
    requestId,
    entity,
    entityId,
    action,
    textOf(before),
    textOf(after),
    administrationHash(head.hash, tenantId, row),
  ]);
}

/**
 * The hash of a row covers the row before, as in the journal of a property (docs/concepts/audit-trail.md#audit-trail).
 */
export function administrationHash(
  previous: string,
  tenantId: TenantId,
  row: Omit<AdministrationEntry, 'hash'>,
): string {
  const { seq, at, subject, requestId, entity, entityId, action, before, after } = row;
  const text = canonical([tenantId, seq, at, subject, requestId, entity, entityId, action, before, after]);
  return hash('sha256', previous + text, 'base64url');
}

/** The value as it will be read again. */
const asStored = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));
const textOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
