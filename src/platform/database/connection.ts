import { type ClientBase, types } from 'pg';

import { DatabaseFailure, describeFailure } from './failure.ts';
import { LimitedClient } from './limited-client.ts';
import type { DatabaseRole } from './roles.ts';

/** What a connection may take to be made, and a question to be answered, as the client counts. */
const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 12_000;

/**
 * The server ends a session of innkeeper_system that is idle for this long: where its connection was lost, the locks
 * that it holds would be held for ever.
 */
export const SYSTEM_IDLE = { idle_session_timeout: '120s' };

/** An idle connection is probed after this: a machine that is gone is noticed without a question. */
export const PROBE_AFTER_MS = 3_000;

/**
 * PostgreSQL finds out in six seconds that the machine of a node is gone; by itself it takes two hours, for which the
 * node's lock would be taken and its node could not start again.
 */
const NOTICED_GONE = {
  tcp_keepalives_idle: '3',
  tcp_keepalives_interval: '1',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '6000',
};

/**
 * How values arrive, on plain connections and from the pool alike: dates as `YYYY-MM-DD` (the driver would make them
 * local midnights), bigint as numbers (sequences stay far below 2^53), numeric as text, timestamps as `Date`, JSON
 * parsed. The rows of `reservation-row.ts` and its neighbours expect exactly this.
 */
export const VALUE_TYPES = {
  getTypeParser(oid: Parameters<typeof types.getTypeParser>[0], format?: 'text' | 'binary') {
    if (oid === types.builtins.INT8) return Number;
    if (oid === types.builtins.DATE) return (text: string) => text;
    return types.getTypeParser(oid, format);
  },
};

/**
 * The connection string under which the login user acts as `role`, with `settings` for the whole session. The options
 * stand in the string itself, last: the driver lets those of a DATABASE_URL win over any given beside it.
 */
export function actingAs(databaseUrl: string, role: DatabaseRole, settings: Record<string, string> = {}): string {
  const all = { ...NOTICED_GONE, ...settings, role };
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`);
  return `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}options=${encodeURIComponent(options.join(' '))}`;
}

/**
 * Throws unless the session acts as `role` and under row security: a pooler between us and the server may have
 * dropped the startup options without a word, and the login user of the embedded database is a superuser.
 */
export async function assertActingAs(client: Pick<ClientBase, 'query'>, role: DatabaseRole): Promise<void> {
  const { rows } = await client.query<{ name: string; powerful: boolean }>(
    'select current_user as name, rolsuper or rolbypassrls as powerful from pg_roles where rolname = current_user',
  );
  if (rows[0]?.name === role && !rows[0].powerful) return;
  throw new DatabaseFailure(
    `the database session acts as ${rows[0]?.name} instead of ${role}; a connection pooler that drops startup ` +
      'options cannot stand between this service and PostgreSQL',
  );
}

export type ConnectOptions = {
  /** Of PostgreSQL, for the whole session. */
  settings?: Record<string, string>;
  /** Questions are sent without waiting for the answers of those before. */
  pipeline?: boolean;
  /** Timeout of a query after which the connection counts as lost; `0` where long queries are sent. */
  answerWithinMs?: number;
  connectWithinMs?: number;
  /** The class that knows the connections of this node, so that it can cut them. */
  Client?: typeof LimitedClient;
};

/**
 * One connection of its own that acts as `role`: commit lanes, lease, relay. The caller ends it and listens to its
 * `error` and `end` events. A question without an answer in time ends it.
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
  // Without a listener a connection that breaks while idle would take the process with it.
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
