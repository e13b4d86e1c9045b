import { Pool } from 'pg';

import { actingAs, assertActingAs, PROBE_AFTER_MS } from '../database/connection.ts';
import { LimitedClient } from '../database/limited-client.ts';

/**
 * Connections for all queues of a node (docs/concepts/storage.md#connections-of-a-node): one listens, the others
 * query.
 */
const CONNECTIONS = 4;

const SETTINGS = {
  search_path: 'bullmq',
  application_name: 'innkeeper_jobs',
  statement_timeout: '10s',
  lock_timeout: '2s',
};

/** The connections of the job queue, as innkeeper_jobs, which sees the jobs' schema only. */
export function openJobsPool(databaseUrl: string, Client: typeof LimitedClient = LimitedClient): Pool {
  const pool = new Pool({
    connectionString: actingAs(databaseUrl, 'innkeeper_jobs', SETTINGS),
    max: CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    query_timeout: 12_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    Client,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, its types do not say so
    onConnect: (client) => assertActingAs(client, 'innkeeper_jobs'),
  });
  // An idle connection that breaks is replaced at its next use.
  pool.on('error', () => {});
  return pool;
}
