import { type EntityManager, MikroORM, type QueryBuilder } from '@mikro-orm/postgresql';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { ClientBase, QueryResult } from 'pg';

import { DRAIN_MS } from '../../kernel/rules/drain.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { actingAs, assertActingAs, PROBE_AFTER_MS, VALUE_TYPES } from './connection.ts';
import { ENTITIES } from './entities/all.ts';
import { describeFailure } from './failure.ts';
import { LimitedClient } from './limited-client.ts';

/** Reads and administration outside the commit path, one tenant at a time, as innkeeper_app. */
export interface Database extends AsyncDisposable {
  readonly orm: MikroORM;
  /** Queries under way: each has a connection of the pool, or waits for one. */
  activeConnections(): number;
  /** Runs `work` in one transaction that sees and writes rows of this tenant only. */
  inTenant<T>(tenantId: TenantId, work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** The same for the few rows without which nobody could read: written even while everything else may not be. */
  inTenantForReads<T>(tenantId: TenantId, work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction that sees and writes what belongs to this person, in whatever tenant. */
  ofPerson<T>(person: string, work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Runs reads in one snapshot, so that rows and `seq` fit together. */
  readTenant<T>(tenantId: TenantId, work: (em: EntityManager) => Promise<T>): Promise<T>;
  /**
   * The same for statements that are known beforehand, in one round trip instead of three more than statements: for
   * reads that most requests need.
   * @returns the rows of each statement
   */
  readAtOnce(tenantId: TenantId, ...statements: readonly Statement[]): Promise<unknown[][]>;
  /** Writes by statements that are known beforehand, in one transaction and one round trip. @returns the rows of each */
  writeAtOnce(tenantId: TenantId, ...statements: readonly Statement[]): Promise<unknown[][]>;
}

/** A statement with a question mark for each of its values. */
export type Statement = readonly [sql: string, ...values: unknown[]];

type DatabaseOptions = {
  /** Connections of the pool (docs/concepts/storage.md#connections-of-a-node). */
  poolSize?: number;
  /** Called with each statement over 200 ms (docs/operations/process.md#log). */
  log?: (line: string) => void;
  /** Client class that registers connections, so that the node can cut them. */
  Client?: typeof LimitedClient;
  /** Whether nothing may be written now (docs/operations/storage.md#read-only): PostgreSQL refuses it then. */
  isReadOnly?: () => boolean;
};

const poolSize = 6;
const slowMs = 200;
/** Time limits of a connection: the server's come first; a dead host never answers. */
export const PATIENCE = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 12_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: PROBE_AFTER_MS,
};

/** Limits of statements, lock waits and idle transactions, which `connect` does not set. */
export const SETTINGS = {
  statement_timeout: '10s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '15s',
  application_name: 'innkeeper_app',
};

/**
 * Opens the pool of innkeeper_app and verifies its first connection.
 * @throws DatabaseFailure with one line that says what to do
 */
export async function openDatabase(databaseUrl: string, options: DatabaseOptions = {}): Promise<Database> {
  let isOpen = false;
  const orm = await MikroORM.init({
    entities: ENTITIES,
    // The connection string has the address; the ORM only requires a name.
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
    // The first query includes the connection and the driver's first use, so it is not reported as slow. Colours
    // depend on an environment variable that Deno does not allow to be set, so they are removed here.
    logger: (message) => isOpen && options.log?.(stripVTControlCharacters(message)),
    // Nothing is written beside the sources: the service has no permission.
    metadataCache: { enabled: false },
  });
  try {
    await orm.em.fork().execute('select 1');
  } catch (error) {
    await orm.close(true);
    throw describeFailure(error, databaseUrl);
  }
  isOpen = true;
  return database(orm, options.isReadOnly);
}

/**
 * The plain rows of a query: they are not changed and flushed, and the ORM's tracking of entities (a copy of each,
 * compared at the end) took more time than the database.
 */
export function rowsOf<Row extends object>(query: QueryBuilder<Row>): Promise<Row[]> {
  return query.execute<Row[]>('all', false);
}

/**
 * A connection still being opened while the pool ends is never returned, and the pool would wait for it for ever; a
 * failed start could not report its cause.
 */
async function closed(orm: MikroORM): Promise<void> {
  const over = new AbortController();
  const late = pause(DRAIN_MS.pool, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([orm.close(true), late]);
  over.abort();
}

/** Begins the transaction that PostgreSQL opens around statements of one text, and ends with them, also at a failure. */
const SNAPSHOT = 'set transaction isolation level repeatable read, read only';
const READ_ONLY = 'set transaction read only';

async function atOnce(
  orm: MikroORM,
  tenantId: TenantId,
  statements: readonly Statement[],
  begin: readonly string[],
): Promise<unknown[][]> {
  const platform = orm.em.getPlatform();
  const onQuery = orm.config.get('onQuery');
  const written = ([sql, ...values]: Statement): string => platform.formatQuery(onQuery(sql, values), values);
  const tenant = written(['set local innkeeper.tenant = ?', tenantId]);
  const text = [...begin, tenant, ...statements.map(written)].join(';\n');
  const pool = await orm.em.getConnection().getNativeClient();
  const began = Date.now();
  try {
    // One result for each statement of the text, which the types of the driver omit.
    const results = (await pool.query(text)) as unknown as QueryResult[];
    return results.slice(-statements.length).map(({ rows }) => rows);
  } catch (error) {
    throw platform.getExceptionConverter().convertException(error as Error);
  } finally {
    const took = Date.now() - began;
    const query = statements.map(([sql]) => sql).join(';\n');
    if (took >= slowMs)
      orm.config
        .getSlowQueryLogger()
        .logQuery({ enabled: true, level: 'warning', namespace: 'slow-query', query, took });
  }
}

function database(orm: MikroORM, isReadOnly = (): boolean => false): Database {
  const as = (variables: Record<string, string>) => orm.em.fork({ session: { variables } });
  const of = (tenantId: TenantId) => as({ 'innkeeper.tenant': tenantId });
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
    inTenant: (tenantId, work) => counted(of(tenantId).transactional(work, { readOnly: isReadOnly() })),
    inTenantForReads: (tenantId, work) => counted(of(tenantId).transactional(work)),
    ofPerson: (person, work) => counted(as({ 'innkeeper.person': person }).transactional(work)),
    readTenant: (tenantId, work) =>
      counted(of(tenantId).transactional(work, { readOnly: true, isolationLevel: 'repeatable read' })),
    readAtOnce: (tenantId, ...statements) => counted(atOnce(orm, tenantId, statements, [SNAPSHOT])),
    writeAtOnce: (tenantId, ...statements) =>
      counted(atOnce(orm, tenantId, statements, isReadOnly() ? [READ_ONLY] : [])),
    [Symbol.asyncDispose]: () => closed(orm),
  };
}
