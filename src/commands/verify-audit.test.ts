import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

import { databaseRetention } from '../history/storage/retention.ts';
import { SignedText } from '../kernel/operations/signed-text.ts';
import { openDatabase } from '../platform/database/database.ts';
import { PostgresPropertyStore } from '../property-store/storage/property-store.ts';
import { databaseReservationReader } from '../stay/storage/reservation-reader.ts';
import { signHeads } from '../tenants/operations/sign-heads.ts';
import { appendAdministration } from '../tenants/storage/administration-journal.ts';
import { databaseHeads } from '../tenants/storage/audit-heads.ts';
import { quiet } from '../testing/actors/running-host.ts';
import { Stored } from '../testing/actors/store-conformance.ts';
import { withTestDatabase } from '../testing/database.ts';
import { bookCommand } from '../testing/property-world.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function run(tool: string, more: Record<string, string> = KEYS): { status: number | null; output: string } {
  const path = fileURLToPath(new URL(tool, import.meta.url));
  const env = { ...process.env, DATABASE_URL: url, ...more };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './src/platform/launch/strip-types.mjs', path],
    {
      env,
      encoding: 'utf8',
    },
  );
  return { status, output: stdout + stderr };
}

const property = await Stored.property(store);
for (let n = 0; n < 6; n++)
  property.scene.accept(bookCommand({ stay: { ...property.stay(n), roomType: n % 2 ? 'STD' : 'DLX' } }));
await property.write();

const secret = Buffer.alloc(32, 9);
const KEYS = { SECRET_KEYS: `k1:${secret.toString('base64')}` };
const { tenantId } = property.to;
/** As the hourly job does it. */
const sign = () =>
  signHeads({
    signed: new SignedText([{ id: 'k1', secret }]),
    clock: { now: Date.now },
    log: quiet,
    tenants: { running: async () => [tenantId] },
    keepHeads: databaseHeads(database),
  });
const by = { tenantId, subject: 'u-1', requestId: 'r-1' };
const change = (entityId: string) =>
  database.inTenant(tenantId, (em) =>
    appendAdministration(em, by, { entity: 'service', entityId, action: 'CREATED', after: { price: 1.5 } }),
  );
await change('one');
await sign();
await change('two');

const whole = /^13 rows of 1 properties and the administration of 1 tenants, 2 signed heads: every chain is whole\n$/;

void t.test('an untouched chain is valid', async (t) => {
  t.match(run('verify-audit.ts'), { status: 0, output: whole });
});

void t.test('a changed, removed or truncated journal row is reported', async (t) => {
  const where = `tenant_id = '${property.to.tenantId}' and property_id = '${property.to.propertyId}'`;
  for (const [change, message] of [
    [`update journal set subject = 'somebody else' where ${where} and seq = 7`, /row 7 was changed/],
    [
      `update journal set facts = (facts::jsonb || '{"businessDate": 1}')::json where ${where} and seq = 9`,
      /row 9 was changed/,
    ],
    [`delete from journal where ${where} and seq = 8`, /row 8 is missing/],
    [`delete from journal where ${where} and seq > 9`, /newest rows are missing: 11 were written/],
    [`delete from journal where ${where} and seq <= 4`, /row 4 is missing, before its time/],
    [`delete from journal where ${where}`, /row 11 is missing, before its time/],
  ] as const) {
    await admin.query('create temp table kept as select * from journal');
    await admin.query(change);
    t.match(run('verify-audit.ts'), { status: 1, output: message });
    await admin.query('delete from journal; insert into journal select * from kept; drop table kept');
  }
});

void t.test('a changed, removed, truncated or rewritten administration journal is reported', async (t) => {
  await change('three');
  await sign();
  await change('four');
  await sign();
  await change('five');
  const where = `tenant_id = '${tenantId}'`;
  for (const [sql, message] of [
    [`update administration_journal set after = '{"price":9}' where ${where} and seq = 2`, /row 2 was changed/],
    [`delete from administration_journal where ${where} and seq = 2`, /\(administration\): row 2 is missing/],
    [`delete from administration_journal where ${where} and seq < 2`, /row 1 is missing, before its time/],
    [`delete from administration_journal where ${where} and seq > 3`, /row 4 was signed/],
    [`delete from administration_journal where ${where}`, /row 4 was signed/],
    [`update audit_heads set hash = 'x' where source = '' and seq = 3`, /row 3 is not the one that was signed/],
    [`update audit_heads set signature = 'k1..0' where source = '' and seq = 4`, /head of row 4 is not ours/],
    [`update audit_heads set hour = hour - interval '1 hour' where seq = 1`, /head of row 1 is not ours/],
    [`delete from audit_heads where source = '' and seq = 3`, /head of row 4 is not ours, or one before/],
  ] as const) {
    await admin.query('create temp table kept as select * from administration_journal');
    await admin.query('create temp table kept_heads as select * from audit_heads');
    await admin.query(sql);
    t.match(run('verify-audit.ts'), { status: 1, output: message }, sql);
    await admin.query('delete from administration_journal; insert into administration_journal select * from kept');
    await admin.query('delete from audit_heads; insert into audit_heads select * from kept_heads');
    await admin.query('drop table kept; drop table kept_heads');
  }
  t.match(run('verify-audit.ts'), { status: 0, output: /4 signed heads: every chain is whole/ });
  const others = { SECRET_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}` };
  t.match(run('verify-audit.ts', others), { status: 1, output: /head of row 1 is not ours/ });
});

void t.test('months past the retention are dropped, and the chain stays valid', async (t) => {
  const rows = async () =>
    (await admin.query<{ n: number }>('select min(seq)::int as n from administration_journal')).rows[0]!.n;
  const forget = () => databaseRetention(url).alone(async (expiring) => void (await expiring.forgetAudit()));
  await forget();
  t.equal(await rows(), 1, 'not before its time');
  await admin.query(`update system.clock set offset_ms = 401 * 86400000::bigint`);
  await change('six');
  await forget();
  t.equal(await rows(), 5, 'the newest that is too old stays, the others hang on it');
  t.match(run('verify-audit.ts'), { status: 0, output: /every chain is whole/ });
  await admin.query('update system.clock set offset_ms = 0');
});

void t.test('size tells what a booking takes', async (t) => {
  t.match(run('size.ts'), { status: 0, output: /no bookings yet/ });
  await admin.query('analyze');
  const { status, output } = run('size.ts');
  t.equal(status, 0);
  for (const table of ['reservations', 'journal', 'in all', 'growth']) t.match(output, table);
});
