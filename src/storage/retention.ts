import type { Client } from 'pg';

import type { Expiring, LastRow, Retention } from '../ports/retention.ts';
import { connect } from './connection.ts';

/** Months of the journal that are made ahead. */
const MONTHS_AHEAD = 3;

/** Properties looked at in one question, and keys of a tenant forgotten in one transaction. */
const MOST_UNCOVERED = 200;
const MOST_KEYS = 1_000;

/** Rows of administration forgotten in one transaction. */
const MOST_ROWS = 10_000;

/** Nodes of one database take turns under this session advisory lock ("inn" and the purpose, 2). */
const LOCK = [0x696e6e, 2] as const;

const MONTHS = 'select month::text from system.expired_journal_months() as month';

const UNCOVERED = `
  select newest.tenant_id as "tenantId", newest.property_id as "propertyId", newest.seq
  from (
    select tenant_id, property_id, max(seq) as seq from journal
    where at >= $1::timestamp at time zone 'UTC' and at < ($1::timestamp + interval '1 month') at time zone 'UTC'
    group by 1, 2
  ) as newest
  left join journal_checkpoints c using (tenant_id, property_id, seq)
  where c.seq is null order by 1, 2 limit ${MOST_UNCOVERED}`;

/** More than the one row of a chain that stays; told without the lock that removing takes. */
const OLD_AUDIT = `
  select exists (
    select from administration_journal where at <= app_now() - interval '400 days' group by tenant_id having count(*) > 1
  ) or exists (
    select from audit_heads where hour <= app_now() - interval '400 days' group by tenant_id, source having count(*) > 1
  ) as old`;

type UncoveredRow = { tenantId: string; propertyId: string; seq: number };

/** Cleans up as innkeeper_system, on a connection that lives for one round: waiting for a lock holds up nobody else. */
export class StoredRetention implements Retention {
  readonly #databaseUrl: string;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  async alone(work: (expiring: Expiring) => Promise<void>): Promise<boolean> {
    const client = await connect(this.#databaseUrl, 'innkeeper_system');
    try {
      const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', [
        ...LOCK,
      ]);
      if (!rows[0]!.mine) return false;
      await work(new StoredExpiring(client));
      return true;
    } finally {
      await client.end();
    }
  }
}

class StoredExpiring implements Expiring {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async makeMonths(): Promise<void> {
    await this.#client.query('select system.ensure_journal_partitions($1)', [MONTHS_AHEAD]);
  }

  async expiredMonths(): Promise<string[]> {
    return (await this.#client.query<{ month: string }>(MONTHS)).rows.map(({ month }) => month);
  }

  async uncovered(month: string): Promise<LastRow[]> {
    const { rows } = await this.#client.query<UncoveredRow>(UNCOVERED, [month]);
    return rows.map(({ seq, ...to }) => ({ to, seq }));
  }

  async dropMonth(month: string): Promise<boolean> {
    try {
      await this.#client.query('select system.drop_journal_month($1)', [month]);
      return true;
    } catch (error) {
      // lock_not_available: commits and readers come first, the next round tries again.
      if ((error as { code?: string }).code === '55P03') return false;
      throw error;
    }
  }

  async forgetAudit(): Promise<number> {
    const { rows } = await this.#client.query<{ old: boolean }>(OLD_AUDIT);
    if (!rows[0]!.old) return 0;
    try {
      const sql = 'select system.forget_old_audit($1) as n';
      return (await this.#client.query<{ n: number }>(sql, [MOST_ROWS])).rows[0]!.n;
    } catch (error) {
      if ((error as { code?: string }).code === '55P03') return 0;
      throw error;
    }
  }

  async forgetKeys(): Promise<number> {
    const { rows } = await this.#client.query<{ tenant_id: string }>('select tenant_id from tenants');
    let forgotten = 0;
    for (const { tenant_id: tenantId } of rows) {
      const answer = await this.#client.query<{ n: number }>('select forget_keys_v1($1, $2) as n', [
        tenantId,
        MOST_KEYS,
      ]);
      forgotten += answer.rows[0]!.n;
    }
    return forgotten;
  }
}
