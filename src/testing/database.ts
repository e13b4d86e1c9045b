import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

import { afterLastFile } from '../../test/loop/last-file.ts';
import { migrate } from '../platform/database/migrator.ts';
import { ensureRoles } from '../platform/database/roles.ts';
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

/** A server for all files of a process, and a session that is in none of their databases. */
type SharedServer = { server: TestDatabase; maintenance: Client };

let shared: Promise<SharedServer | undefined> | undefined;
let count = 0;

/**
 * A database for a test file, removed after its last test. It is on a server of its own, or on that of all files which
 * are played in this process: starting one is half of what a short file takes.
 */
export async function withTestDatabase(test: Teardown): Promise<TestDatabase> {
  shared ??= startShared();
  const found = await shared;
  const database = found === undefined ? await startDatabase() : await databaseOn(found);
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

/** @returns undefined in the process of a single file, which has a server of its own */
async function startShared(): Promise<SharedServer | undefined> {
  let end = async (): Promise<void> => {};
  if (!afterLastFile(() => end())) return undefined;
  const server = await startDatabase();
  const maintenance = await adminOf(server.url.replace(/\/innkeeper$/, '/postgres'));
  // A database is a template only while nobody is in it.
  await server.admin.end();
  end = async () => {
    await maintenance.end();
    await server[Symbol.asyncDispose]();
  };
  return { server, maintenance };
}

/** A copy of the migrated database, for a file that leaves the roles of the server as they were and does not stop it. */
async function databaseOn({ server, maintenance }: SharedServer): Promise<TestDatabase> {
  const name = `file_${(count += 1)}`;
  const urlOf = (database: string): string => server.url.replace(/\/innkeeper$/, `/${database}`);
  await maintenance.query(`create database ${name} template innkeeper`);
  const admin = await adminOf(urlOf(name));
  // Rights on a database are not copied with it.
  await ensureRoles(admin);
  const others: string[] = [];
  const refused = (): never => {
    throw new Error('other files are on the same server');
  };
  return {
    url: urlOf(name),
    admin,
    async createDatabase(other) {
      await maintenance.query(`create database ${maintenance.escapeIdentifier(other)}`);
      others.push(other);
      return urlOf(other);
    },
    crash: refused,
    restart: refused,
    async [Symbol.asyncDispose]() {
      await admin.end().catch(() => {});
      for (const one of [name, ...others])
        await maintenance.query(`drop database ${maintenance.escapeIdentifier(one)} with (force)`);
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
