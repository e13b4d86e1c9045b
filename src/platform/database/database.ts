import { type EntityManager, MikroORM, type QueryBuilder } from '@mikro-orm/postgresql';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { ClientBase } from 'pg';

import { DRAIN_MS } from '../../kernel/rules/drain.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { actingAs, assertActingAs, PROBE_AFTER_MS, VALUE_TYPES } from './connection.ts';
import { ENTITIES } from './entities/all.ts';
import { describeFailure } from './failure.ts';
import { LimitedClient } from './limited-client.ts';

/** The cold side of the database: reads and administration of one tenant at a time, as innkeeper_app. */
export interface Database extends AsyncDisposable {
  readonly orm: MikroORM;
  /** Questions under way: each has a connection of the pool, or waits for one. */
  activeConnections(): number;
  /** Runs `work` in one transaction that sees and writes the rows of this tenant only. */
  inTenant<T>(tenantId: TenantId, work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** The same for reading: every question of `work` is answered from one moment, so rows and `seq` fit together. */
  readTenant<T>(tenantId: TenantId, work: (em: EntityManager) => Promise<T>): Promise<T>;
}

type DatabaseOptions = {
  /** Connections of the pool (docs/concepts/storage.md#connections-of-a-node). */
  poolSize?: number;
  /** Gets one line for each statement over 200 ms (docs/operations/process.md#log). */
  log?: (line: string) => void;
  /** The class that knows the connections of this node, so that it can cut them. */
  Client?: typeof LimitedClient;
};

const poolSize = 6;
const slowMs = 200;
/** Patience of a connection: the server gives up before; a host that is gone without a word never does. */
export const PATIENCE = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 12_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: PROBE_AFTER_MS,
};

/** Limits of a cold statement, lock wait and forgotten transaction; `connect` has none of them. */
export const SETTINGS = {
  statement_timeout: '10s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '15s',
  application_name: 'innkeeper_app',
};

/**
 * Opens the pool of innkeeper_app and proves with a first connection that it works.
 * @throws DatabaseFailure with one line that says what to do
 */
export async function openDatabase(databaseUrl: string, options: DatabaseOptions = {}): Promise<Database> {
  let isOpen = false;
  const orm = await MikroORM.init({
    entities: ENTITIES,
    // The address comes from the connection string below; the ORM only wants to have heard of a name.
    dbName: 'innkeeper',
    ensureDatabase: false,
    pool: { min: 0, max: options.poolSize ?? poolSize },
    driverOptions: {
      connectionString: actingAs(databaseUrl, 'innkeeper_app', SETTINGS),
      ...PATIENCE,
      Client: options.Client ?? LimitedClient,
      types: VALUE_TYPES,
      onConnect: (client: ClientBase) => assertActingAs(client, 'innkeeper_app'),
    },
    slowQueryThreshold: slowMs,
    // The first answer takes as long as the connection and the driver's first use do: that is no slow statement.
    // Its colours depend on an environment that Deno does not let it write: they are taken out here.
    logger: (message) => isOpen && options.log?.(stripVTControlCharacters(message)),
    // Nothing is written beside the sources: the service has no right to.
    metadataCache: { enabled: false },
  });
  try {
    await orm.em.fork().execute('select 1');
  } catch (error) {
    await orm.close(true);
    throw describeFailure(error, databaseUrl);
  }
  isOpen = true;
  return database(orm);
}

/**
 * The rows of a query as they are: nothing here is changed and flushed, and the ORM's book-keeping of entities (a
 * copy of each, compared again at the end) took more time than the database.
 */
export function rowsOf<Row extends object>(query: QueryBuilder<Row>): Promise<Row[]> {
  return query.execute<Row[]>('all', false);
}

/**
 * A connection that was being made for somebody while the pool ends is never given back: the pool would wait for it for
 * ever, and with it a start that has failed and wants to say why.
 */
async function closed(orm: MikroORM): Promise<void> {
  const over = new AbortController();
  const late = pause(DRAIN_MS.pool, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([orm.close(true), late]);
  over.abort();
}

function database(orm: MikroORM): Database {
  const of = (tenantId: TenantId) => orm.em.fork({ session: { variables: { 'innkeeper.tenant': tenantId } } });
  let active = 0;
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    active += 1;
    try {
      return await work;
    } finally {
      active -= 1;
    }
  };
  return {
    orm,
    activeConnections: () => active,
    inTenant: (tenantId, work) => counted(of(tenantId).transactional(work)),
    readTenant: (tenantId, work) =>
      counted(of(tenantId).transactional(work, { readOnly: true, isolationLevel: 'repeatable read' })),
    [Symbol.asyncDispose]: () => closed(orm),
  };
}
