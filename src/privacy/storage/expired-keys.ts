import type { Client } from 'pg';

import type { ExpiredKeys, KeysOfTenants } from '../../history/ports.ts';
import { connect } from '../../platform/database/connection.ts';
import { LimitedClient } from '../../platform/database/limited-client.ts';

/** Nodes of one database are serialized by this session advisory lock ("inn" and the purpose, 3). */
const LOCK = [0x696e6e, 3] as const;

/** Of one batch: commits under one of these keys go first. */
const SETTINGS = { statement_timeout: '10s', lock_timeout: '2s' };

const FORGET = 'select forgotten, overdue_seconds as "overdueSeconds" from forget_keys_v2($1, $2)';

/** Forgets idempotency records as innkeeper_system, on a connection that lives for one round. */
export class StoredExpiredKeys implements ExpiredKeys {
  readonly #databaseUrl: string;
  readonly #Client: typeof LimitedClient;

  constructor(databaseUrl: string, Client: typeof LimitedClient = LimitedClient) {
    this.#databaseUrl = databaseUrl;
    this.#Client = Client;
  }

  async alone(work: (keys: KeysOfTenants) => Promise<void>): Promise<boolean> {
    const client = await connect(this.#databaseUrl, 'innkeeper_system', { settings: SETTINGS, Client: this.#Client });
    try {
      const sql = 'select pg_try_advisory_lock($1, $2) as mine';
      const { rows } = await client.query<{ mine: boolean }>(sql, [...LOCK]);
      if (!rows[0]!.mine) return false;
      await work(keysOf(client));
      return true;
    } finally {
      await client.end();
    }
  }
}

function keysOf(client: Client): KeysOfTenants {
  return {
    async tenants() {
      const { rows } = await client.query<{ tenant_id: string }>('select tenant_id from tenants order by 1');
      return rows.map(({ tenant_id: tenantId }) => tenantId);
    },
    async forget(tenantId, most) {
      const { rows } = await client.query<{ forgotten: number; overdueSeconds: number }>(FORGET, [tenantId, most]);
      return rows[0]!;
    },
  };
}
