import type * as BullMQ from 'bullmq';
import type { PostgresConnection, PostgresConnectionOptions, PostgresQueueBackend } from 'bullmq';
import type { Pool } from 'pg';

import type { Backend } from './backend.ts';

type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

/** New jobs notify their worker; without a notification it polls after this. */
const LOOK_SECONDS = 30;

/**
 * Migrates BullMQ's tables and prepares its classes. BullMQ would use connections for each queue (38 for six of them)
 * and one of the pool's for each listening worker; here all share the pool, and one connection listens. Loaded on
 * demand: it takes a quarter of the service's start time.
 */
export async function openPostgresBackend(openPool: () => Pool): Promise<Backend> {
  const pool = openPool();
  try {
    return await backendOn(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function backendOn(pool: Pool): Promise<Backend> {
  const bullmq = await import('bullmq');
  await migrateSchema(bullmq, pool);
  const connection = new bullmq.PostgresConnection(pool);
  listenOnce(connection);
  const backends = new Set<PostgresQueueBackend>();
  const { Queue, Worker } = bullmq.withBackend<PostgresQueueBackend, PostgresConnectionOptions>((name, options) => {
    const backend = new bullmq.PostgresQueueBackend(connection, name, options, false);
    backends.add(backend);
    return backend;
  });
  // A waiter on a broken connection is signalled to wait on the next one, instead of sleeping until its timeout.
  connection.on('listenerinvalidated', () => {
    for (const backend of backends) void wake(backend);
  });
  // Queues and workers report their own failures; an error without a listener would end the process.
  connection.on('error', () => {});
  await connection.waitUntilReady();
  const { UnrecoverableError, WaitingError } = bullmq;
  return {
    name: 'PostgreSQL',
    queue: (name, options) => new Queue(name, { ...options, connection: pool }) as unknown as BullMQ.Queue,
    worker: (name, work, options) =>
      new Worker(name, work, { ...options, connection: pool, drainDelay: LOOK_SECONDS }) as unknown as BullMQ.Worker,
    UnrecoverableError,
    WaitingError,
    check: async () => void (await pool.query('select 1')),
    async close() {
      await connection.close();
      await pool.end();
    },
    destroy: () => undefined,
  };
}

/** The check takes no lock; the migration does, so it runs only when needed. */
async function migrateSchema(bullmq: typeof BullMQ, pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    const version = await bullmq.assertSchemaCompatibility(client).catch((error: unknown) => {
      if (error instanceof bullmq.SchemaMigrationRequiredError) return 0;
      throw error;
    });
    if (version < bullmq.LATEST_SCHEMA_VERSION) await bullmq.runMigrations(client);
  } finally {
    client.release();
  }
}

/**
 * Each worker would run LISTEN itself, concurrently on one client, which the driver warns of: it runs once for all.
 */
function listenOnce(connection: PostgresConnection): void {
  const listening = new WeakMap<ListenClient, Promise<ListenClient>>();
  const establish = connection.getListenClient.bind(connection);
  connection.getListenClient = async () => {
    const client = await establish();
    let said = listening.get(client);
    if (!said) listening.set(client, (said = client.query('listen bullmq_jobs').then(() => deaf(client))));
    return said;
  };
}

/** The listening client for workers: they receive its notifications, and their LISTEN is done already. */
function deaf(client: ListenClient): ListenClient {
  return new Proxy(client, {
    get(target, key) {
      if (key === 'query') return async () => ({ rows: [] });
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

async function wake(backend: PostgresQueueBackend): Promise<void> {
  if (backend.closing) return;
  await backend.disconnectBlocking();
  await backend.reconnectBlocking();
}
