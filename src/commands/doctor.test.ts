import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';

import { MIGRATIONS } from '../../migrations/all.ts';
import { readableEnvironment } from '../platform/config/config.ts';
import { migrate } from '../platform/database/migrator.ts';
import { startDatabase } from '../testing/database.ts';
import { freePorts } from '../testing/launch/free-ports.ts';
import { asRoot } from '../testing/launch/throw-away.ts';
import { DOCTOR_CHECKS } from './doctor/all-checks.ts';
import { type DoctorLine, examineAll, type Examinee } from './doctor/check.ts';
import { judgeClock, examineClock } from './doctor/database.ts';
import { examinePermissions } from './doctor/files.ts';

// A server of its own: it is stopped, and given settings that lose bookings.
const database = await startDatabase();
t.teardown(async () => database[Symbol.asyncDispose]());
const { admin, url } = database;
const folder = mkdtempSync(join(tmpdir(), 'innkeeper-doctor-'));
t.teardown(() => rmSync(folder, { recursive: true }));
const ports = await freePorts(5);

/** Valid for a year that is over. */
const EXPIRED = `-----BEGIN CERTIFICATE-----
MIIBIzCBygIBATAKBggqhkjOPQQDAjAeMRwwGgYDVQQDDBNub2RlLmlubmtlZXBl
ci50ZXN0MB4XDTI0MDEwMTAwMDAwMFoXDTI1MDEwMTAwMDAwMFowHjEcMBoGA1UE
AwwTbm9kZS5pbm5rZWVwZXIudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BGvPypCMPBU2WOXZhDHj4ZJjW3z9u4g3VKZ5s+VmCXVzAU6BBsMG/VIzC7sJZNER
BeMLv+Hj5aHr9twRGHF4aRQwCgYIKoZIzj0EAwIDSAAwRQIgcdCD0CEed9qe1tQ/
6UlF4PLIr20z7Wy2oHv7SZ3z2ewCIQCsPg0cMekKWpG5+TYtY/oiGTDA2jMxB8kk
bQveqQDq0w==
-----END CERTIFICATE-----
`;
const HOUR_MS = 3_600_000;
/** An address of this machine at which nobody listens. */
const NOBODY = '127.0.0.1:1';

/** An installation that nothing is wrong with. */
const sound = {
  NODE_ENV: 'development',
  DATABASE_URL: url,
  DATA_DIR: join(folder, 'data'),
  RATE_PORT: String(ports[0]),
  RESERVATION_PORT: String(ports[1]),
  LIVE_PORT: String(ports[2]),
  OIDC_PORT: String(ports[3]),
  REGISTRY_PORT: String(ports[4]),
};

type Report = { code: number; output: string };

/** The program itself, in a process of its own. */
async function run(env: Record<string, string> = {}, ...args: string[]): Promise<Report> {
  const script = fileURLToPath(new URL('doctor.ts', import.meta.url));
  const { PATH = '', HOME = '' } = process.env;
  const flags = ['--import', './src/platform/launch/strip-types.mjs', script, ...args];
  const child = spawn(process.execPath, flags, { env: { PATH, HOME, ...sound, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

/** All its checks, in this process. */
function examined(env: Record<string, string> = {}): Promise<DoctorLine[]> {
  const source = { ...sound, ...env };
  return examineAll(DOCTOR_CHECKS, { source, values: readableEnvironment(source), now: Date.now });
}

/** One broken part: its line says what and what to do next, and no other check fails for it. */
async function finds(t: Test, env: Record<string, string>, expected: [check: string, status: string, says: RegExp]) {
  const [check, status, says] = expected;
  const wrong = (await examined(env)).filter((one) => one.status !== 'ok');
  t.match(wrong, [{ check, status, text: says, next: /\w/ }]);
  t.same([...new Set(wrong.map((one) => one.check))], [check], 'and nothing else is wrong');
}

t.test('a sound installation: a line for each check, 0, and nothing is created', async (t) => {
  const { code, output } = await run();
  t.equal(code, 0, output);
  t.notMatch(output, /warning|fault/);
  for (const check of [
    'settings',
    'runtimes',
    'permissions',
    'disk',
    'ports',
    'database',
    'clock',
    'schema',
    'logins',
  ])
    t.match(output, new RegExp(`^ok +${check} `, 'm'));
  t.same(readdirSync(folder), [], 'not even DATA_DIR');
});

t.test('settings that the start refuses, each in a line', async (t) => {
  const { code, output } = await run({ RATE_PORT: 'eighty', LIVE_PORT: '99999' }, '--json');
  const { status, checks } = JSON.parse(output) as { status: string; checks: DoctorLine[] };
  t.match(checks, [{ text: /^RATE_PORT: expected/ }, { text: /^LIVE_PORT: expected/ }, { status: 'ok' }]);
  t.same([status, code], ['fault', 1]);
});

t.test('settings that contradict each other', async (t) => {
  const RATE_PORT = sound.RESERVATION_PORT;
  await finds(t, { RATE_PORT }, ['settings', 'fault', /RATE_PORT and RESERVATION_PORT name the same port/]);
  const keys = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
  await finds(t, keys, ['settings', 'fault', /different modes, live and test/]);
  await finds(t, { CLUSTER_SECRET: 'a-secret-of-a-cluster' }, ['settings', 'warning', /no effect without REDIS_URL/]);
  const DATABASE_APP_URL = url.replace(/\/innkeeper$/, '/postgres');
  const logins = { DATABASE_APP_URL, DATABASE_SYSTEM_URL: url, DATABASE_JOBS_URL: url };
  t.match((await examined(logins))[0], {
    check: 'settings',
    status: 'fault',
    text: /DATABASE_APP_URL: another database/,
  });
});

t.test('a port that another program has', async (t) => {
  const taken = createServer((_request, response) => response.end('something else'));
  taken.listen(ports[1], '127.0.0.1');
  await once(taken, 'listening');
  await finds(t, {}, ['ports', 'fault', new RegExp(`127.0.0.1:${ports[1]} is taken by another program`)]);
  taken.close();
});

t.test('a port whose program says nothing, as the service does while it stands still', async (t) => {
  const silent = createTcpServer((socket) => socket.on('error', () => {}));
  silent.listen(ports[1], '127.0.0.1');
  await once(silent, 'listening');
  await finds(t, {}, [
    'ports',
    'fault',
    new RegExp(`127.0.0.1:${ports[1]} is taken, and no answer comes within 2 s`),
  ]);
  silent.close();
});

t.test(
  'a data folder that cannot be written to',
  { skip: !asRoot && 'NOT RUN: run this file as root too' },
  async (t) => {
    const DATA_DIR = mkdtempSync(join(folder, 'read-only-'));
    chmodSync(folder, 0o755);
    chmodSync(DATA_DIR, 0o555);
    const given: Examinee = { source: {}, values: readableEnvironment({ DATA_DIR }), now: Date.now };
    t.match(await examinePermissions(given), { troubles: [] }, 'root may');
    process.seteuid!('nobody');
    t.teardown(() => process.seteuid!(0));
    t.match(await examinePermissions(given), {
      troubles: [{ status: 'fault', text: /DATA_DIR: .* cannot be written to \(EACCES\)/, next: /let the user/ }],
    });
  },
);

t.test('keys that others may read', async (t) => {
  const DATA_DIR = mkdtempSync(join(folder, 'open-'));
  writeFileSync(join(DATA_DIR, 'secrets.json'), '{}', { mode: 0o644 });
  const values = readableEnvironment({ DATA_DIR });
  const { troubles } = await examinePermissions({ source: {}, values, now: Date.now });
  t.match(troubles, [{ status: 'warning', text: /other users may read/, next: /^chmod 600/ }]);
});

t.test('a file of keys that is damaged', async (t) => {
  const DATA_DIR = mkdtempSync(join(folder, 'damaged-'));
  writeFileSync(join(DATA_DIR, 'secrets.json'), '{"keys":', { mode: 0o600 });
  t.match(
    (await examined({ DATA_DIR })).filter(({ check }) => check === 'keys'),
    [{ status: 'fault', text: /secrets\.json has no keys that can be read: restore it from a backup/ }],
  );
});

t.test('a certificate that has expired, of another key', async (t) => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const CLUSTER_TLS_CERT = file('cert.pem', EXPIRED);
  const env = { CLUSTER_TLS_CERT, CLUSTER_TLS_CA: CLUSTER_TLS_CERT, CLUSTER_TLS_KEY: file('key.pem', privateKey) };
  t.match(
    (await examined(env)).filter(({ check }) => check === 'certificates'),
    [
      { text: /not the key of CLUSTER_TLS_CERT/ },
      { status: 'fault', text: /CLUSTER_TLS_CERT: expired on Jan +1 .* 2025/, next: /renew/ },
      { text: /CLUSTER_TLS_CA: expired/ },
    ],
  );
});

t.test('Redis and Kafka that do not answer', async (t) => {
  await finds(t, { REDIS_URL: `redis://${NOBODY}` }, ['redis', 'fault', /Redis at 127.0.0.1:1 does not answer/]);
  await finds(t, { KAFKA_BROKERS: NOBODY }, ['kafka', 'fault', /no broker of 127.0.0.1:1 answers/]);
});

t.test('Redis that refuses the password', async (t) => {
  const refuses = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.write('-WRONGPASS invalid username-password pair or user is disabled.\r\n'));
  });
  refuses.listen(0, '127.0.0.1');
  await once(refuses, 'listening');
  t.teardown(() => refuses.close());
  const { port } = refuses.address() as AddressInfo;
  const REDIS_URL = `redis://:yesterday@127.0.0.1:${port}`;
  await finds(t, { REDIS_URL }, ['redis', 'fault', /refuses the credentials of REDIS_URL \(WRONGPASS/]);
});

t.test('an address of a database that cannot be read is not taken for an embedded one', async (t) => {
  const lines = await examined({ DATABASE_URL: 'mysql://127.0.0.1/innkeeper' });
  t.equal(lines.find(({ check }) => check === 'settings')?.status, 'fault');
  t.equal(
    lines.find(({ check }) => check === 'database'),
    undefined,
  );
});

t.test('an issuer and a schema registry that do not answer', async (t) => {
  const env = { OIDC_ISSUER: `http://${NOBODY}`, KAFKA_BROKERS: NOBODY, SCHEMA_REGISTRY_URL: `http://${NOBODY}` };
  const checks = await examined(env);
  t.match(checks.slice(-3), [{ check: 'kafka' }, { check: 'registry' }, { check: 'issuer' }]);
  t.ok(checks.slice(-3).every(({ status, next }) => status === 'fault' && next));
});

t.test('a wrong password, which is not shown', async (t) => {
  const DATABASE_URL = url.replace(/\/\/postgres:[^@]+@/, '//postgres:wrong-secret@');
  await finds(t, { DATABASE_URL }, ['database', 'fault', /password authentication failed/]);
  const { output, code } = await run({ DATABASE_URL });
  t.equal(code, 1);
  t.match(output, /-> the password is wrong; correct user and password in DATABASE_URL/);
  t.notMatch(output, /wrong-secret/);
});

t.test('a schema that is behind, ahead, or not there', async (t) => {
  const DATABASE_URL = await database.createDatabase('empty');
  await finds(t, { DATABASE_URL }, ['schema', 'warning', /no tables yet/]);
  const behind = await database.createDatabase('behind');
  await migrate(behind, () => {}, MIGRATIONS.slice(0, -2));
  await finds(t, { DATABASE_URL: behind }, ['schema', 'warning', /2 changes are pending/]);
  await admin.query(`insert into system.migration (name) values ('9999-of-a-newer-release')`);
  await finds(t, {}, ['schema', 'warning', /newer release .*9999-of-a-newer-release/]);
  await admin.query(`delete from system.migration where name = '9999-of-a-newer-release'`);
});

t.test('a clock that differs from that of the database', async (t) => {
  const values = readableEnvironment(sound);
  const skewed = (ms: number) => examineClock({ source: sound, values, now: () => Date.now() + ms });
  t.match(await skewed(0), { troubles: [] });
  t.match(await skewed(HOUR_MS), { troubles: [{ status: 'fault', text: /3[56]\d\d\.\d s ahead of/, next: /NTP/ }] });
  t.match(await skewed(-5_000), { troubles: [{ status: 'warning', text: /[45]\.\d s behind/ }] });
  const slow = judgeClock({ sent: 0, database: 4_000, received: 9_000 });
  t.match(slow, { troubles: [], fine: 'within 9000 ms of the database' }, 'a slow answer is no difference');
});

t.test('a key that the database was used with and that is missing', async (t) => {
  await admin.query(`insert into system.secret_key (id, proof) values ('k9', 'of another key')`);
  await finds(t, {}, ['keys', 'fault', /SECRET_KEYS: the key k9 is missing/]);
  await admin.query(`delete from system.secret_key where id = 'k9'`);
});

t.test('rows that wait for Kafka, where a broker is set', async (t) => {
  await admin.query(`insert into property_actor (tenant_id, property_id, seq) values ('acme', 'anchor', 1)`);
  await admin.query(
    `insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
     values ('acme', 'anchor', 1, now() - interval '5 minutes', 'TICK', 'system', 'r', 'e', '{}', '')`,
  );
  const lag = (await examined({ KAFKA_BROKERS: NOBODY })).find(({ check }) => check === 'lag');
  t.match(lag, { status: 'warning', text: /^1 rows wait for Kafka, the oldest for 30\d s/, next: /RelayBehind/ });
  t.equal((await examined()).find(({ check }) => check === 'lag')?.status, 'ok', 'else none waits');
});

t.test('settings of PostgreSQL under which a crash loses what was acknowledged', async (t) => {
  await admin.query('alter database innkeeper set synchronous_commit = off');
  await finds(t, {}, ['database', 'fault', /synchronous_commit off: a crash of the server loses acknowledged/]);
  await admin.query('alter database innkeeper reset synchronous_commit');
});

t.test('PostgreSQL that is down: named once, and what it would have to answer is left out', async (t) => {
  await database.crash();
  await finds(t, {}, ['database', 'fault', /ECONNREFUSED/]);
  const { output } = await run();
  t.match(output, /-> nothing listens there; start PostgreSQL/);
  t.notMatch(output, /clock|schema|keys|lag/);
});
