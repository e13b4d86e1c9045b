import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../launch/postgres.mjs';
import { migrate } from '../storage/migrator.ts';
import { copyTemplate, keepTemplate } from './database-template.ts';

/** A real, migrated PostgreSQL of its own that disappears with its test. */
export type TestDatabase = AsyncDisposable & {
  /** Connection string of the login user, a superuser: what DATABASE_URL would be. */
  readonly url: string;
  /** A session of that superuser, outside row security: for setting a scene and asking the catalogue. */
  readonly admin: Client;
  /** Another database in the same server, empty; its connection string. */
  createDatabase(name: string): Promise<string>;
};

/** What a tap test offers for cleaning up. */
export type Teardown = { teardown(handler: () => Promise<void>): unknown };

/** Starts a database for a test file and removes it after the last test. One a file: each is a server of its own. */
export async function withDatabase(test: Teardown): Promise<TestDatabase> {
  const database = await startDatabase();
  test.teardown(async () => database[Symbol.asyncDispose]());
  return database;
}

/** The same for whoever disposes of it himself. */
export async function startDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'innkeeper-database-'));
  // As root the server runs under another account, which has to pass through.
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  if (!(await copyTemplate(dataDir))) await makeTemplate(dataDir);
  const server = await startPostgres({ dataDir });
  // A test that dies before its clean-up takes the server along: it would outlive us, being detached.
  const kill = () => process.kill(server.pid, 'SIGQUIT');
  process.once('exit', kill);
  await migrate(server.url, () => {});
  const admin = new Client({ connectionString: server.url });
  admin.on('error', () => {});
  await admin.connect();
  return {
    url: server.url,
    admin,
    async createDatabase(name) {
      await admin.query(`create database ${admin.escapeIdentifier(name)}`);
      return server.url.replace(/\/innkeeper$/, `/${name}`);
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      await admin.end();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeTemplate(dataDir: string): Promise<void> {
  const server = await startPostgres({ dataDir });
  try {
    await migrate(server.url, () => {});
  } finally {
    await server.stop();
  }
  await keepTemplate(dataDir);
}
