import type { MigrationObject } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

import { FUNCTION_FILES, MIGRATIONS } from '../../../migrations/all.ts';
import { actingAs } from './connection.ts';
import { describeFailure } from './failure.ts';
import { LimitedClient } from './limited-client.ts';
import { ensureRoles } from './roles.ts';

/** Result of a run; both lists are empty when the database was up to date. */
type MigrationReport = { applied: string[]; functions: string[]; ms: number };

/** Session advisory lock that serializes processes of one database ("inn" and the purpose, 1). */
const LOCK = [0x696e6e, 1] as const;
/** How long a start waits for another process's migration: an index of a large table takes its time. */
const lockWithinMs = 600_000;
const askEveryMs = 100;
const sayEveryMs = 10_000;
/**
 * Longest time that commits wait for a migration, which then fails and is retried
 * (docs/concepts/storage.md#migrations). Longer on a machine with slow readers, but less than a second, after which
 * PostgreSQL checks for deadlocks: the migration must give way, not a booking.
 */
const lockTimeoutMs = (attempt: number): number => (attempt <= shortTries ? 300 : 700);
const shortTries = 10;
/** Twice the time after which PostgreSQL cancels its own vacuum for a waiting session. */
const vacuumLeavesWithinMs = 2_000;
const maxTries = 30;
const againMs = 1_000;
/** lock_not_available, deadlock_detected. */
const inTheWay = new Set(['55P03', '40P01']);
const monthsAhead = 3;

type Migrations = readonly MigrationObject[];
type Log = (line: string) => void;
type FunctionFile = { name: string; text: string; hash: string };

/**
 * Migrates the database to the state of `migrations/`: roles, numbered migrations, functions, journal partitions. Any
 * number of processes may call it at once, also beside working nodes. A build that finds unknown migrations is the
 * older one, and changes nothing.
 * @throws DatabaseFailure with one line that says what to do
 */
export async function migrate(
  databaseUrl: string,
  log: Log,
  migrations: Migrations = MIGRATIONS,
): Promise<MigrationReport> {
  const started = performance.now();
  const login = new LimitedClient({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  // An idle connection that breaks reports here; the next query fails anyway.
  login.on('error', () => {});
  try {
    await login.connect();
    const files = await readFunctionFiles();
    const report = { applied: [] as string[], functions: [] as string[] };
    const isCurrent = (): Promise<boolean> => hasAll(login, files, migrations);
    if (!(await isCurrent()) && (await takeTurn(login, log, isCurrent))) {
      await ensureRoles(login);
      report.applied = await persistently(login, log, (waitMs) =>
        runMigrations(login, databaseUrl, { log, migrations, waitMs }),
      );
      report.functions = await persistently(login, log, (waitMs) => installFunctions(login, files, { log, waitMs }));
    }
    await login.query('set role innkeeper_owner');
    await login.query('select system.ensure_journal_partitions($1)', [monthsAhead]);
    return { ...report, ms: Math.round(performance.now() - started) };
  } catch (error) {
    throw describeFailure(error, databaseUrl);
  } finally {
    await login.end().catch(() => {});
  }
}

/**
 * Polls: a session that waits for the lock would be a transaction, which a concurrent index build waits for.
 * @returns whether work is left
 */
async function takeTurn(login: Client, log: Log, isCurrent: () => Promise<boolean>): Promise<boolean> {
  const began = performance.now();
  for (let said = 0; ;) {
    const { rows } = await login.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', [...LOCK]);
    if (rows[0]!.mine) return !(await isCurrent());
    const waited = performance.now() - began;
    if (waited > lockWithinMs) throw new Error('another process has been migrating this database for ten minutes');
    if (waited > said + sayEveryMs)
      log(`another process migrates this database, for ${Math.round(waited / 1_000)} s`);
    if (waited > said + sayEveryMs) said = waited;
    await pause(askEveryMs);
  }
}

/** Working nodes take precedence: a migration that gets no locks in time is retried. */
async function persistently<T>(login: Client, log: Log, work: (waitMs: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(lockTimeoutMs(attempt));
    } catch (error) {
      const { code, cause } = error as { code?: string; cause?: { code?: string } };
      if (attempt === maxTries || !inTheWay.has(code ?? cause?.code ?? '')) throw error;
      log(`the database is busy; the migration is tried again (${attempt})`);
      await pause(againMs);
      await sendVacuumAway(login);
    }
  }
}

/** Tables with a running vacuum or analyze. */
const VACUUMED = `
  select distinct l.relation::regclass::text as name from pg_locks l
  join pg_class c on c.oid = l.relation and c.relkind in ('r', 'p') and c.relowner = 'innkeeper_owner'::regrole
  where l.mode = 'ShareUpdateExclusiveLock' and l.granted
    and l.database = (select oid from pg_database where datname = current_database())`;

/**
 * Has PostgreSQL cancel its own vacuum, which it does for a session that waits for a second. This waits with a lock
 * that blocks nobody, so that the migration, which blocks everybody, need not.
 */
async function sendVacuumAway(login: Client): Promise<void> {
  // Also after a refused lock.
  await login.query('rollback');
  await login.query('set role innkeeper_owner');
  const { rows } = await login.query<{ name: string }>(VACUUMED);
  for (const { name } of rows) {
    await login.query(`begin; set local lock_timeout = ${vacuumLeavesWithinMs}`);
    await login.query(`lock table ${name} in share update exclusive mode`).catch((error: { code?: string }) => {
      if (!inTheWay.has(error.code ?? '')) throw error;
    });
    await login.query('rollback');
  }
  await login.query('reset role');
}

async function readFunctionFiles(): Promise<FunctionFile[]> {
  const files: FunctionFile[] = [];
  for (const { name, url } of FUNCTION_FILES) {
    const text = await readFile(url, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text !== undefined) files.push({ name, text, hash: createHash('sha256').update(text).digest('hex') });
  }
  return files;
}

/** State of a schema beside this build. */
export type SchemaState = {
  /** Whether there are tables of ours at all. */
  isThere: boolean;
  /** Migrations of this build that are not applied, and files of functions that differ from it. */
  pending: string[];
  /** Applied migrations that this build does not know: a newer release has made them. */
  unknown: string[];
};

/** Compares the schema with this build, without a lock. @param login may act as innkeeper_owner */
export async function schemaState(login: Client, migrations: Migrations = MIGRATIONS): Promise<SchemaState> {
  return compareSchema(login, await readFunctionFiles(), migrations);
}

/** The common start: everything is up to date, found with two queries and without a lock. */
async function hasAll(login: Client, files: readonly FunctionFile[], known: Migrations): Promise<boolean> {
  const { isThere, pending, unknown } = await compareSchema(login, files, known);
  // An older build that starts again must not replace newer functions.
  return isThere && (unknown.length > 0 || pending.length === 0);
}

async function compareSchema(login: Client, files: readonly FunctionFile[], known: Migrations): Promise<SchemaState> {
  const { rows } = await login.query<{ present: boolean }>(
    `select to_regclass('system.migration') is not null and to_regclass('system.function_file') is not null
       and to_regrole('innkeeper_owner') is not null as present`,
  );
  if (!rows[0]?.present) return { isThere: false, pending: known.map(({ name }) => name), unknown: [] };
  await login.query('set role innkeeper_owner');
  const done = await login.query<{ migrations: string[] | null; functions: string[] | null }>(
    `select (select array_agg(name::text) from system.migration) as migrations,
       (select array_agg(name || ' ' || hash) from system.function_file) as functions`,
  );
  await login.query('reset role');
  const { migrations, functions } = done.rows[0] ?? {};
  const names = new Set(known.map(({ name }) => name));
  return {
    isThere: true,
    pending: [
      ...[...names].filter((name) => !migrations?.includes(name)),
      ...files.filter(({ name, hash }) => !functions?.includes(`${name} ${hash}`)).map(({ name }) => name),
    ],
    unknown: migrations?.filter((name) => !names.has(name)) ?? [],
  };
}

async function runMigrations(
  login: Client,
  databaseUrl: string,
  { log, migrations, waitMs }: { log: Log; migrations: Migrations; waitMs: number },
): Promise<string[]> {
  const { rows } = await login.query<{ name: string }>('select current_database() as name');
  const settings = { lock_timeout: `${waitMs}ms`, application_name: 'innkeeper_migrations' };
  const orm = await MikroORM.init({
    // The migrator checks that this database exists; the connection string has the address.
    dbName: rows[0]?.name,
    ensureDatabase: false,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    metadataCache: { enabled: false },
    pool: { min: 0, max: 1 },
    driverOptions: { connectionString: actingAs(databaseUrl, 'innkeeper_owner', settings), Client: LimitedClient },
    extensions: [Migrator],
    migrations: {
      tableName: 'system.migration',
      migrationsList: [...migrations],
      // Disabling foreign keys needs a superuser, which the owner is not.
      disableForeignKeys: false,
      // Each in its own transaction: a concurrent index build allows none, and completed migrations stay.
      allOrNothing: false,
      snapshot: false,
      silent: true,
    },
  });
  try {
    const done = await orm.migrator.up();
    const names = done.map((migration) => migration.name);
    for (const name of names) log(`migration ${name} applied`);
    return names;
  } finally {
    await orm.close(true);
  }
}

/**
 * Installs changed functions as innkeeper_writer: a SECURITY DEFINER function owned by a superuser would bypass row
 * security. The right to create lasts for that transaction only.
 */
async function installFunctions(
  login: Client,
  files: FunctionFile[],
  { log, waitMs }: { log: Log; waitMs: number },
): Promise<string[]> {
  await login.query('set role innkeeper_owner');
  const known = await login.query<{ name: string; hash: string }>('select name, hash from system.function_file');
  const changed = files.filter((file) => !known.rows.some((row) => row.name === file.name && row.hash === file.hash));
  if (changed.length > 0) {
    await login.query(`begin; set local lock_timeout = ${waitMs}`);
    await login.query('grant create on schema public, system to innkeeper_writer');
    await login.query('set local role innkeeper_writer');
    await login.query('alter default privileges revoke execute on functions from public');
    for (const { text } of changed) await login.query(text);
    await login.query('set local role innkeeper_owner');
    await login.query('revoke create on schema public, system from innkeeper_writer');
    for (const { name, hash } of changed) {
      await login.query(
        `insert into system.function_file (name, hash) values ($1, $2)
         on conflict (name) do update set hash = excluded.hash, installed_at = now()`,
        [name, hash],
      );
      log(`functions of ${name} installed`);
    }
    await login.query('commit');
  }
  await login.query('reset role');
  return changed.map((file) => file.name);
}
