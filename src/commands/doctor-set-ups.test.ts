import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';

import { readableEnvironment } from '../platform/config/config.ts';
import { startDatabase } from '../testing/database.ts';
import { freePorts } from '../testing/launch/free-ports.ts';
import { DOCTOR_CHECKS } from './doctor/all-checks.ts';
import { examineAll } from './doctor/check.ts';

/**
 * Ten broken set-ups, and what the doctor says of each: the table of docs/operations/doctor.md#ten-broken-set-ups, which
 * `DOCTOR_TABLE=write npm run test:one -- src/commands/doctor-set-ups.test.ts` writes.
 */
const PAGE = join(import.meta.dirname, '../../docs/operations/doctor.md');
const TABLE = /(<!-- set-ups -->\n\n)[\s\S]*?(\n\n<!-- end of set-ups -->)/;
const NOBODY = '127.0.0.1:1';
const NAMES = ['RATE_PORT', 'RESERVATION_PORT', 'LIVE_PORT', 'OIDC_PORT', 'REGISTRY_PORT'] as const;
const DEFAULTS = [8083, 8084, 8085, 8086, 8081];

// A server of its own: it is stopped, and given settings that lose bookings.
const database = await startDatabase();
t.teardown(async () => database[Symbol.asyncDispose]());
const { admin, url } = database;
const folder = mkdtempSync(join(tmpdir(), 'innkeeper-set-ups-'));
t.teardown(() => rmSync(folder, { recursive: true }));
const ports = await freePorts(NAMES.length);

type SetUp = {
  /** What is broken, as the table says it. */
  broken: string;
  env?: Record<string, string>;
  /** Breaks more than settings. @returns what mends it */
  breaks?: () => Promise<() => unknown>;
};

const SET_UPS: readonly SetUp[] = [
  { broken: 'a port that is no number', env: { RATE_PORT: 'eighty' } },
  { broken: 'two services on one port', env: { RATE_PORT: String(ports[1]) } },
  { broken: 'another program has a port', breaks: async () => otherProgram(ports[2]!) },
  {
    broken: 'a live and a test key of Stripe',
    env: { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' },
  },
  {
    broken: 'a wrong password of the database',
    env: { DATABASE_URL: url.replace(/\/\/postgres:[^@]+@/, '//postgres:wrong-secret@') },
  },
  { broken: 'Redis that does not answer', env: { REDIS_URL: `redis://${NOBODY}` } },
  { broken: 'no broker that answers', env: { KAFKA_BROKERS: NOBODY } },
  {
    broken: 'a key that the database was used with is missing',
    breaks: () =>
      statements(
        `insert into system.secret_key (id, proof) values ('k9', 'of another key')`,
        `delete from system.secret_key where id = 'k9'`,
      ),
  },
  {
    broken: 'commits that a crash of PostgreSQL loses',
    breaks: () =>
      statements(
        'alter database innkeeper set synchronous_commit = off',
        'alter database innkeeper reset synchronous_commit',
      ),
  },
  { broken: 'a damaged `secrets.json`', env: { DATA_DIR: damagedFolder() } },
  { broken: 'PostgreSQL is down', breaks: async () => (await database.crash(), () => undefined) },
];

async function otherProgram(port: number): Promise<() => unknown> {
  const server = createServer((_request, response) => response.end('something else'));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => server.close();
}

async function statements(breaks: string, mends: string): Promise<() => unknown> {
  await admin.query(breaks);
  return () => admin.query(mends);
}

function damagedFolder(): string {
  const damaged = join(folder, 'data');
  mkdirSync(damaged, { recursive: true });
  writeFileSync(join(damaged, 'secrets.json'), '{"keys":', { mode: 0o600 });
  return damaged;
}

/** The lines that are not fine, as they would be on a machine with the default ports. */
async function foundIn({ env = {}, breaks }: SetUp): Promise<string[]> {
  const own = Object.fromEntries(NAMES.map((name, n) => [name, String(ports[n])]));
  const source = { NODE_ENV: 'development', DATABASE_URL: url, DATA_DIR: join(folder, 'none'), ...own, ...env };
  const mend = await breaks?.();
  const lines = await examineAll(DOCTOR_CHECKS, { source, values: readableEnvironment(source), now: Date.now });
  await mend?.();
  return lines
    .filter(({ status }) => status !== 'ok')
    .map(({ check, status, text, next }) => {
      const said = `${status} ${check}: ${text} -> ${next}`
        .replaceAll(folder, '')
        .replaceAll(new URL(url).port, '5432');
      return ports.reduce((line, port, n) => line.replaceAll(String(port), String(DEFAULTS[n])), said);
    });
}

void t.test('the doctor finds what is broken in each set-up, and says it as the page does', async (t) => {
  const rows: string[] = [];
  for (const setUp of SET_UPS) {
    const found = await foundIn(setUp);
    t.ok(found.length > 0, `${setUp.broken}: found`);
    rows.push(`| ${setUp.broken} | ${found.map((line) => `\`${line.replaceAll('|', '\\|')}\``).join('<br>')} |`);
  }
  const table = ['| What is broken | What `npm run doctor` says |', '|---|---|', ...rows].join('\n');
  const page = readFileSync(PAGE, 'utf8');
  t.match(page, TABLE, 'the page has a place for it');
  const written = page.replace(TABLE, (_all, begin: string, end: string) => `${begin}${table}${end}`);
  if (process.env['DOCTOR_TABLE'] === 'write') writeFileSync(PAGE, written);
  else t.equal(page, written, 'the table of the page is what the doctor says');
});
