import { type ClientBase, types } from 'pg';

import { DatabaseFailure, describeFailure } from './failure.ts';
import { LimitedClient } from './limited-client.ts';
import type { DatabaseRole } from './roles.ts';

/** Time limits of connecting and of an answer, by the client. */
const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 12_000;

/**
 * The server ends an innkeeper_system session that is idle for this long: otherwise a lost connection would hold its
 * locks for ever.
 */
export const SYSTEM_IDLE = { idle_session_timeout: '120s' };

/** Idle time after which a connection is probed, so that a dead machine is noticed without a query. */
export const PROBE_AFTER_MS = 3_000;

/**
 * PostgreSQL notices within six seconds that a node's machine is gone. The default is two hours, during which the
 * node's lock would be taken and it could not start again.
 */
const NOTICED_GONE = {
  tcp_keepalives_idle: '3',
  tcp_keepalives_interval: '1',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '6000',
};

/**
 * Conversion of values, on plain connections and in the pool: dates as `YYYY-MM-DD` (the driver would make them local
 * midnights), bigint as numbers (sequences stay far below 2^53), numeric as text, timestamps as `Date`, JSON parsed.
 * `reservation-row.ts` and others rely on it.
 */
export const VALUE_TYPES = {
  getTypeParser(oid: Parameters<typeof types.getTypeParser>[0], format?: 'text' | 'binary') {
    if (oid === types.builtins.INT8) return Number;
    if (oid === types.builtins.DATE) return (text: string) => text;
    return types.getTypeParser(oid, format);
  },
};

/**
 * Connection string under which the login acts as `role`, with `settings` for the session. Options are appended to the
 * string: the driver prefers those of DATABASE_URL to any given beside it.
 */
export function actingAs(databaseUrl: string, role: DatabaseRole, settings: Record<string, string> = {}): string {
  const all = { ...NOTICED_GONE, ...settings, role };
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`);
  return `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}options=${encodeURIComponent(options.join(' '))}`;
}

const SESSION = `
  select current_user as name, rolsuper or rolbypassrls as powerful, pg_is_in_recovery() as standby
  from pg_roles where rolname = current_user`;

/**
 * Throws unless the session acts as `role` and under row security: a pooler in between may have dropped the startup
 * options silently, and the embedded database's login is a superuser. It also throws on a standby, to which an address
 * that follows the primary may still lead during a fail-over: reads there may be old.
 */
export async function assertActingAs(client: Pick<ClientBase, 'query'>, role: DatabaseRole): Promise<void> {
  const { rows } = await client.query<{ name: string; powerful: boolean; standby: boolean }>(SESSION);
  if (rows[0]?.standby)
    throw new DatabaseFailure('the database server is a standby and takes no writes', { isTemporary: true });
  if (rows[0]?.name === role && !rows[0].powerful) return;
  throw new DatabaseFailure(
    `the database session acts as ${rows[0]?.name} instead of ${role}; a connection pooler that drops startup ` +
      'options cannot stand between this service and PostgreSQL',
  );
}

export type ConnectOptions = {
  /** PostgreSQL settings of the session. */
  settings?: Record<string, string>;
  /** Sends queries without waiting for earlier answers. */
  pipeline?: boolean;
  /** Time limit of a query, after which the connection counts as lost; `0` for long queries. */
  answerWithinMs?: number;
  connectWithinMs?: number;
  /** Client class that registers the connection, so that the node can cut it. */
  Client?: typeof LimitedClient;
};

/**
 * Opens a dedicated connection that acts as `role`: for commit lanes, lease, relay. The caller ends it and listens to
 * its `error` and `end` events. A query without an answer in time ends it.
 * @throws DatabaseFailure with one line that says what to do
 */
export async function connect(
  databaseUrl: string,
  role: DatabaseRole,
  {
    settings = {},
    pipeline = false,
    answerWithinMs = ANSWER_WITHIN_MS,
    connectWithinMs = CONNECT_WITHIN_MS,
    Client = LimitedClient,
  }: ConnectOptions = {},
): Promise<LimitedClient> {
  const client = new Client({
    connectionString: actingAs(databaseUrl, role, {
      ...(role === 'innkeeper_system' && SYSTEM_IDLE),
      application_name: role,
      ...settings,
    }),
    connectionTimeoutMillis: connectWithinMs,
    query_timeout: answerWithinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    pipeline,
    types: VALUE_TYPES,
  });
  // Without a listener, an idle connection that breaks would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await assertActingAs(client, role);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw describeFailure(error, databaseUrl);
  }
}
