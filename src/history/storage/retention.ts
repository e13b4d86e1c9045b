import type { Client } from 'pg';

import type { Address } from '../../kernel/rules/caller.ts';
import type { TenantId, PropertyId } from '../../kernel/rules/ids.ts';
import type { LimitedClient } from '../../platform/database/limited-client.ts';
import { oneAtATimeOn } from '../../platform/database/node-locks.ts';
import type { Expiring, Retention } from '../ports.ts';

/** Months of the journal that are created ahead. */
const MONTHS_AHEAD = 3;

/** Properties of one query. */
const MAX_UNCOVERED = 200;

/** Rows of the administration journal removed in one transaction. */
const MAX_ROWS = 10_000;

/** Nodes are serialized by this lock ("inn" and the purpose, 2). */
const LOCK = [0x696e6e, 2] as const;

const MONTHS = 'select month::text from system.expired_journal_months() as month';

const UNCOVERED = `
  select newest.tenant_id as "tenantId", newest.property_id as "propertyId", newest.seq
  from (
    select tenant_id, property_id, max(seq) as seq from journal
    where at >= $1::timestamp at time zone 'UTC' and at < ($1::timestamp + interval '1 month') at time zone 'UTC'
      and (tenant_id, property_id) > ($2, $3)
    group by 1, 2
  ) as newest
  left join journal_checkpoints c using (tenant_id, property_id, seq)
  where c.seq is null order by 1, 2 limit ${MAX_UNCOVERED}`;

/** More than the one row of a chain that stays; checked without the lock of the removal. */
const OLD_AUDIT = `
  select exists (
    select from administration_journal where at <= app_now() - interval '400 days' group by tenant_id having count(*) > 1
  ) or exists (
    select from audit_heads where hour <= app_now() - interval '400 days' group by tenant_id, source having count(*) > 1
  ) as old`;

/** Folding between two statements takes time. */
const SETTINGS = { idle_session_timeout: '600s' };

/** Scanning a month of a large installation takes long, and no request waits for it. */
const ANSWER_WITHIN_MS = 120_000;

const BEFORE_ALL: Address = { tenantId: '', propertyId: '' };

type UncoveredRow = { tenantId: TenantId; propertyId: PropertyId; seq: number };

export function databaseRetention(databaseUrl: string, Client?: typeof LimitedClient): Retention {
  const options = { databaseUrl, Client, settings: SETTINGS, answerWithinMs: ANSWER_WITHIN_MS };
  return oneAtATimeOn({ ...options, lock: LOCK }, expiringOf);
}

function expiringOf(client: Client): Expiring {
  return {
    async makeMonths() {
      await client.query('select system.ensure_journal_partitions($1)', [MONTHS_AHEAD]);
    },
    async expiredMonths() {
      return (await client.query<{ month: string }>(MONTHS)).rows.map(({ month }) => month);
    },
    async uncovered(month, { tenantId, propertyId } = BEFORE_ALL) {
      const { rows } = await client.query<UncoveredRow>(UNCOVERED, [month, tenantId, propertyId]);
      return rows.map(({ seq, ...to }) => ({ to, seq }));
    },
    dropMonth: (month) =>
      unlessLocked(false, async () => {
        await client.query('select system.drop_journal_month($1)', [month]);
        return true;
      }),
    async forgetAudit() {
      const { rows } = await client.query<{ old: boolean }>(OLD_AUDIT);
      if (!rows[0]!.old) return 0;
      const sql = 'select system.forget_old_audit($1) as n';
      return unlessLocked(0, async () => (await client.query<{ n: number }>(sql, [MAX_ROWS])).rows[0]!.n);
    },
  };
}

/** lock_not_available: commits and readers have priority, the next round retries. */
async function unlessLocked<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return otherwise;
    throw error;
  }
}
