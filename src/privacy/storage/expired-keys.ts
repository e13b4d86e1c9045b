import type { Client } from 'pg';

import type { ExpiredKeys, KeysOfTenants } from '../../history/ports.ts';
import type { LimitedClient } from '../../platform/database/limited-client.ts';
import { oneAtATimeOn } from '../../platform/database/node-locks.ts';

/** Nodes are serialized by this lock ("inn" and the purpose, 3). */
const LOCK = [0x696e6e, 3] as const;

/** Settings of one batch: commits under one of these keys have priority. */
const SETTINGS = { statement_timeout: '10s', lock_timeout: '2s' };

const FORGET = 'select forgotten, overdue_seconds as "overdueSeconds" from forget_keys_v2($1, $2)';

export function databaseExpiredKeys(databaseUrl: string, Client?: typeof LimitedClient): ExpiredKeys {
  return oneAtATimeOn({ databaseUrl, Client, lock: LOCK, settings: SETTINGS }, keysOf);
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
