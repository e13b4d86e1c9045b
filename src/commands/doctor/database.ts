import type { Client } from 'pg';

import { outboxLag } from '../../events/storage/outbox.ts';
import { loadSecretKeys } from '../../platform/config/config.ts';
import { actingAs, assertActingAs, connect } from '../../platform/database/connection.ts';
import { type DatabaseFailure, describeFailure } from '../../platform/database/failure.ts';
import { LimitedClient } from '../../platform/database/limited-client.ts';
import { databaseLogins } from '../../platform/database/logins.ts';
import { schemaState, type SchemaState } from '../../platform/database/migrator.ts';
import { wrongSecretKeys } from '../../platform/database/secret-keys.ts';
import { majorVersion } from '../../platform/launch/cluster.mjs';
import { databaseCursors } from '../../subscriptions/storage/cursors.ts';
import { type Examined, type Examinee, fault, type Trouble, warning } from './check.ts';

const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 12_000;
/** Oldest release with which roles can be granted as the migrations do. */
const LEAST_VERSION = 16;
/** Connections of a node (docs/concepts/storage.md#connections-of-a-node). */
const NODE_CONNECTIONS = 16;
/** Tokens and times of logs are judged by the clocks of others, which differ by less. */
const SKEW_MS = { warning: 1_000, fault: 60_000 };
/** Alert RelayBehind fires at the same age. */
const OLD_MS = 60_000;

/** A time of the database with the times of this machine around the question. */
type ClockSample = { sent: number; database: number; received: number };

type Server = { version: string; major: number; standby: boolean; free: number; lax: string[] };

const SERVER = `
  select current_setting('server_version') as version,
    current_setting('server_version_num')::int / 10000 as major, pg_is_in_recovery() as standby,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as free,
    array(select name from unnest(array['fsync', 'full_page_writes', 'synchronous_commit']) as name
      where current_setting(name) = 'off') as lax`;

/** Checks of the database, over one connection; without it only `database` reports. */
export async function examineDatabase({ source, values }: Examinee): Promise<Examined | undefined> {
  const { DATABASE_URL: url } = values;
  if (url === undefined) {
    // One that cannot be read stands in the line of `settings`: it is not embedded for that.
    if (values.NODE_ENV === 'production' || source['DATABASE_URL']) return undefined;
    return { fine: 'embedded, not running; npm start starts it, and its schema is checked then', troubles: [] };
  }
  try {
    await using session = await openSession(url);
    const { rows } = await session.client.query<Server>(SERVER);
    const server = rows[0]!;
    const text = `PostgreSQL ${server.version.split(' ')[0]}, ${server.free} connections free`;
    return { fine: text, troubles: serverTroubles(server) };
  } catch (error) {
    return { fine: '', troubles: [failureTrouble(describeFailure(error, url))] };
  }
}

function serverTroubles({ version, major, standby, free, lax }: Server): Trouble[] {
  const troubles: Trouble[] = [];
  if (major < LEAST_VERSION)
    troubles.push(fault(`PostgreSQL ${version} is too old`, `upgrade it to ${majorVersion}, which the tests run on`));
  else if (major !== Number(majorVersion))
    troubles.push(
      warning(`PostgreSQL ${version}, the tests run on ${majorVersion}`, `plan a move to ${majorVersion}`),
    );
  if (standby)
    troubles.push(
      fault('the server is a standby and takes no writes', 'name the primary in DATABASE_URL, or promote it'),
    );
  if (free < NODE_CONNECTIONS)
    troubles.push(
      warning(
        `${free} connections are free, a node takes ${NODE_CONNECTIONS}`,
        'raise max_connections of the server',
      ),
    );
  if (lax.length > 0)
    troubles.push(
      fault(`${lax.join(', ')} off: a crash of the server loses acknowledged bookings`, `turn ${lax.join(', ')} on`),
    );
  return troubles;
}

function failureTrouble({ message, remedy }: DatabaseFailure): Trouble {
  if (remedy === undefined) return fault(message, 'see the log of PostgreSQL');
  return fault(message.replace(` (${remedy})`, ''), remedy);
}

/** A session of the login of DATABASE_URL. */
async function openSession(url: string): Promise<AsyncDisposable & { client: Client }> {
  const limits = { connectionTimeoutMillis: CONNECT_WITHIN_MS, query_timeout: ANSWER_WITHIN_MS };
  const client = new LimitedClient({ connectionString: url, ...limits });
  // An idle connection that breaks reports here; the next query fails anyway.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return { client, [Symbol.asyncDispose]: () => client.end().catch(() => {}) };
}

/** Runs a check in a session; undefined where the database is away, which `database` reports. */
async function inSession<T>({ values }: Examinee, work: (client: Client) => Promise<T>): Promise<T | undefined> {
  if (values.DATABASE_URL === undefined) return undefined;
  const session = await openSession(values.DATABASE_URL).catch(() => undefined);
  if (session === undefined) return undefined;
  await using opened = session;
  return await work(opened.client);
}

/** Check `clock`: the clock of this machine beside that of the database. */
export function examineClock(given: Examinee): Promise<Examined | undefined> {
  return inSession(given, async (client) => {
    // The first question of a session takes longer, which would widen the bounds.
    await client.query('select 1');
    const sent = given.now();
    const { rows } = await client.query<{ database: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as database',
    );
    return judgeClock({ sent, database: rows[0]!.database, received: given.now() });
  });
}

/** Judges a sample: only what the way of the question cannot explain is a difference. */
export function judgeClock({ sent, database, received }: ClockSample): Examined {
  const ahead = Math.max(0, sent - database);
  const behind = Math.max(0, database - received);
  const skew = Math.max(ahead, behind);
  const text = `this machine is ${(skew / 1_000).toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} the database`;
  const next = 'let NTP set the clocks of both machines; tokens and logs carry wrong times until then';
  if (skew >= SKEW_MS.fault) return { fine: '', troubles: [fault(text, next)] };
  if (skew >= SKEW_MS.warning) return { fine: '', troubles: [warning(text, next)] };
  return { fine: `within ${Math.ceil(skew + (received - sent))} ms of the database`, troubles: [] };
}

/** Check `schema`: what the migrations of this build would change, and what a newer release has changed. */
export function examineSchema(given: Examinee): Promise<Examined | undefined> {
  return inSession(given, async (client) => {
    const state = await schemaState(client);
    const troubles = [...schemaTroubles(state), ...(state.isThere ? await clockTroubles(client, given) : [])];
    return { fine: 'as this build needs it', troubles };
  });
}

function schemaTroubles({ isThere, pending, unknown }: SchemaState): Trouble[] {
  if (!isThere) return [warning('there are no tables yet', 'npm run migrate creates them, or the first start')];
  if (unknown.length > 0)
    return [
      warning(
        `a newer release has changed the schema (${unknown.join(', ')}); this build leaves it as it is`,
        'finish the upgrade; go back one release at a time only (docs/guide/upgrade.md)',
      ),
    ];
  if (pending.length === 0) return [];
  return [
    warning(
      `${pending.length} changes are pending (${pending[0]}${pending.length > 1 ? ', ...' : ''})`,
      'make a backup, then npm run migrate, or start the service, which does it',
    ),
  ];
}

/** A database that a trial has put forward must not serve real guests. */
async function clockTroubles(client: Client, { values }: Examinee): Promise<Trouble[]> {
  if (values.NODE_ENV !== 'production') return [];
  await client.query('set role innkeeper_owner');
  const { rows } = await client.query<{ ahead: number }>('select offset_ms::float8 as ahead from system.clock');
  await client.query('reset role');
  const ahead = rows[0]?.ahead ?? 0;
  if (ahead === 0) return [];
  const text = `the clock of this database was put forward by ${Math.round(ahead / 3_600_000)} hours in development`;
  return [fault(text, 'use a database that no trial has run on')];
}

/** Check `logins`: each role can be acted as, under row-level security. */
export function examineLogins(given: Examinee): Promise<Examined | undefined> {
  return inSession(given, async (client) => {
    if (!(await schemaState(client)).isThere) return undefined;
    const { app, system, jobs } = databaseLogins(given.values);
    const troubles: Trouble[] = [];
    const roles = [
      ['innkeeper_app', app],
      ['innkeeper_system', system],
      ['innkeeper_jobs', jobs],
    ] as const;
    for (const [role, url] of roles) {
      try {
        await using session = await openSession(actingAs(url, role));
        await assertActingAs(session.client, role);
      } catch (error) {
        troubles.push(failureTrouble(describeFailure(error, url)));
      }
    }
    return { fine: `${roles.map(([role]) => role).join(', ')} under row-level security`, troubles };
  });
}

/** Check `keys`: SECRET_KEYS are those that data of the database is sealed with. */
export async function examineKeys(given: Examinee): Promise<Examined | undefined> {
  const unreadable = unreadableKeys(given);
  if (unreadable) return { fine: '', troubles: [unreadable] };
  return inSystemSession(given, async (client) => {
    const wrong = await wrongSecretKeys(client, loadSecretKeys(given.source));
    const next = 'the service does not start without it: docs/guide/production.md#keys';
    return { fine: 'those that the database was used with', troubles: wrong.map((line) => fault(line, next)) };
  });
}

function unreadableKeys({ source: { DATA_DIR, SECRET_KEYS } }: Examinee): Trouble | undefined {
  try {
    loadSecretKeys({ DATA_DIR, SECRET_KEYS });
    return undefined;
  } catch (error) {
    return fault((error as Error).message, 'docs/guide/production.md#keys');
  }
}

/** Check `lag`: rows of journals that the broker or subscribers were not sent yet. */
export function examineLag(given: Examinee): Promise<Examined | undefined> {
  return inSystemSession(given, async (client) => {
    const nobody = { nodeId: 'doctor', takes: () => true };
    const cursors = await databaseCursors(async () => client, nobody).lag();
    const relay = given.values.KAFKA_BROKERS ? await outboxLag(client) : { rows: 0, oldest: undefined };
    const { rows } = await client.query<{ now: number }>(
      'select (extract(epoch from app_now()) * 1000)::float8 as now',
    );
    const ageOf = (oldest: number | undefined): number => (oldest === undefined ? 0 : rows[0]!.now - oldest);
    const troubles: Trouble[] = [];
    const said = (what: string, count: number, age: number): string =>
      `${count} rows wait for ${what}, the oldest for ${Math.round(age / 1_000)} s`;
    if (ageOf(relay.oldest) > OLD_MS)
      troubles.push(warning(said('Kafka', relay.rows, ageOf(relay.oldest)), 'ops/runbook/RelayBehind.md'));
    if (ageOf(cursors.oldest) > OLD_MS)
      troubles.push(
        warning(said('subscribers', cursors.rows, ageOf(cursors.oldest)), 'ops/runbook/SubscriptionsFailing.md'),
      );
    return { fine: `${relay.rows} rows wait for Kafka, ${cursors.rows} for subscribers`, troubles };
  });
}

/** Runs a check as innkeeper_system on a schema that this build can read. */
function inSystemSession<T>(given: Examinee, work: (client: Client) => Promise<T>): Promise<T | undefined> {
  return inSession(given, async (login) => {
    const { isThere, pending } = await schemaState(login);
    if (!isThere || pending.length > 0) return undefined;
    const client = await connect(databaseLogins(given.values).system, 'innkeeper_system');
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  });
}
