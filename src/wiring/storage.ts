import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';

import { buildVersion } from '../platform/config/build-version.ts';
import type { Config } from '../platform/config/config.ts';
import { writeWhole } from '../platform/config/write-whole.ts';
import { LeaseThread } from '../platform/coordination/keeper-thread.ts';
import { NodeLease } from '../platform/coordination/node-lease.ts';
import type { Member } from '../platform/coordination/ports.ts';
import { connect } from '../platform/database/connection.ts';
import { DatabaseClock } from '../platform/database/database-clock.ts';
import { openDatabase } from '../platform/database/database.ts';
import { Connections } from '../platform/database/limited-client.ts';
import { checkLogPosition, LogPosition } from '../platform/database/log-position.ts';
import { databaseLogins, isSeparated } from '../platform/database/logins.ts';
import { migrate } from '../platform/database/migrator.ts';
import { ReconnectingClient } from '../platform/database/reconnecting-client.ts';
import { checkSecretKeys } from '../platform/database/secret-keys.ts';
import type { Loggers } from '../platform/telemetry/telemetry.ts';
import { WriteGate } from '../property-store/storage/write-gate.ts';
import { ownMember, linkPort } from './cluster.ts';

const ONE_LOGIN =
  'the login of DATABASE_URL may act as every role: give each role its own (DATABASE_APP_URL, DATABASE_SYSTEM_URL, ' +
  'DATABASE_JOBS_URL, see ops/logins.sql), so that row-level security also holds against injected SQL';

/** Connections for work that no request waits for (docs/concepts/storage.md#connections-of-a-node). */
const CONNECTIONS_BEHIND = 2;

/** Opens the migrated database and takes this node's lease, its right to own properties. */
export async function openStorage(stack: AsyncDisposableStack, config: Config, loggers: Loggers) {
  const { root: log } = loggers;
  const logins = databaseLogins(config);
  if (config.production && !isSeparated(logins)) log.warn(ONE_LOGIN);
  // The thread loads during the migration.
  const thread = new LeaseThread();
  await migrate(logins.owner, (line) => log.debug(line));
  const connections = new Connections();
  const rewound = await checkDatabase(logins.system, config, connections, log);
  const dataDir = config.INNKEEPER_EMBEDDED_POSTGRES ? config.dataDir : undefined;
  const gate = new WriteGate({ dataDir, rewound: rewound?.text });
  const pool = {
    log: (line: string): void => log.warn({ line }, 'slow statement'),
    Client: connections.Client,
    isReadOnly: () => gate.closed !== undefined,
  };
  const database = stack.use(await openDatabase(logins.app, pool));
  const background = stack.use(await openDatabase(logins.app, { ...pool, poolSize: CONNECTIONS_BEHIND }));
  const clock = new DatabaseClock();
  const self = { nodeId: nodeIdIn(config.dataDir), ...ownMember(config, buildVersion(), await linkPort(config)) };
  const lease = await openLease(stack, thread, {
    databaseUrl: logins.system,
    connections,
    self,
    clock,
    log: loggers.of('cluster'),
  });
  stack.use(new LogPosition(() => lease.client(), config.dataDir));
  return { logins, connections, database, background, gate, clock, self, lease, rewound };
}

/**
 * Keys, and whether the database has all that this node has seen it confirm.
 * @returns what it lacks
 * @throws ConfigError where this node could not open what is sealed in the database
 */
async function checkDatabase(
  databaseUrl: string,
  { secretKeys, dataDir }: Config,
  { Client }: Connections,
  log: Logger,
): ReturnType<typeof checkLogPosition> {
  const client = await connect(databaseUrl, 'innkeeper_system', { Client });
  try {
    await checkSecretKeys(client, secretKeys);
    return await checkLogPosition(client, dataDir, log);
  } finally {
    await client.end();
  }
}

type Leased = {
  databaseUrl: string;
  connections: Connections;
  self: Member;
  clock: DatabaseClock;
  log: Logger;
};

/** Takes this node's lease, with its connection for queries across tenants. */
async function openLease(
  stack: AsyncDisposableStack,
  thread: LeaseThread,
  { databaseUrl, connections: { Client }, self, clock, log }: Leased,
): Promise<NodeLease> {
  const system = stack.use(new ReconnectingClient(() => connect(databaseUrl, 'innkeeper_system', { Client })));
  const lease = await NodeLease.take({
    node: { ...self, address: `${self.host}:${self.port}` },
    databaseUrl,
    thread,
    log,
    client: () => system.client(),
    renewed: (time) => clock.take(time),
  });
  return stack.use(lease);
}

/** Stable across restarts, so that a second process on the same data is detected. */
function nodeIdIn(dataDir: string): string {
  const file = join(dataDir, 'node-id');
  if (!existsSync(file)) writeWhole(file, `${randomUUID()}\n`);
  return readFileSync(file, 'utf8').trim();
}
