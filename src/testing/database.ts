import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

import { migrate } from '../platform/database/migrator.ts';
import { startPostgres } from '../platform/launch/database/postgres.mjs';
import { endProcess } from '../platform/launch/process/end-process.mjs';
import { isRunning } from '../platform/launch/process/processes.mjs';
import { copyTemplate, keepTemplate } from './database-template.ts';

/** PostgreSQL ends at once on SIGQUIT; in milliseconds. */
const CRASH_MS = 5_000;

/** A real, migrated PostgreSQL of its own that is removed after its test. */
export type TestDatabase = AsyncDisposable & {
  /** Connection string of the login user, a superuser, as in DATABASE_URL. */
  readonly url: string;
  /** A session of that superuser, outside row security: for test data and the catalogue. */
  readonly admin: Client;
  /** Creates another, empty database in the same server; returns its connection string. */
  createDatabase(name: string): Promise<string>;
  /** Stops the server as a crash does: it does not answer before `restart`. */
  crash(): Promise<void>;
  /** Starts it again with its data; `url` and `admin` change. */
  restart(): Promise<void>;
};

/** Clean-up hook of a tap test. */
export type Teardown = { teardown(handler: () => Promise<void>): unknown };

/** Starts a database for a test file and removes it after the last test. One a file: each is a server of its own. */
export async function withTestDatabase(test: Teardown): Promise<TestDatabase> {
  const database = await startDatabase();
  test.teardown(async () => database[Symbol.asyncDispose]());
  return database;
}

/**
 * Starts a database that the caller disposes of.
 * @param within a folder on another disk
 */
export async function startDatabase(within = tmpdir()): Promise<TestDatabase> {
  const folder = await mkdtemp(join(within, 'innkeeper-database-'));
  // Under root the server runs under another account, which needs access.
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  if (!(await copyTemplate(dataDir))) await makeTemplate(dataDir);
  let server = await startPostgres({ dataDir });
  // A test that dies before its clean-up stops the server, which is detached and would outlive it.
  const kill = () => isRunning(server.pid) && process.kill(server.pid, 'SIGQUIT');
  process.once('exit', kill);
  await migrate(server.url, () => {});
  let admin = await adminOf(server.url);
  return {
    get url() {
      return server.url;
    },
    get admin() {
      return admin;
    },
    async createDatabase(name) {
      await admin.query(`create database ${admin.escapeIdentifier(name)}`);
      return server.url.replace(/\/innkeeper$/, `/${name}`);
    },
    async crash() {
      await endProcess(server.pid, [
        ['SIGQUIT', CRASH_MS],
        ['SIGKILL', CRASH_MS],
      ]);
    },
    async restart() {
      server = await startPostgres({ dataDir });
      await admin.end().catch(() => {});
      admin = await adminOf(server.url);
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      await admin.end().catch(() => {});
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function adminOf(url: string): Promise<Client> {
  const admin = new Client({ connectionString: url });
  admin.on('error', () => {});
  await admin.connect();
  return admin;
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
