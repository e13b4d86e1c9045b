import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Stored } from '../actors/testing/store-conformance.ts';
import { openDatabase } from './storage/database.ts';
import { Guests } from './storage/guests.ts';
import { PostgresPropertyStore } from './storage/property-store.ts';
import { databaseReservationReader } from './storage/reservation-reader.ts';
import { withDatabase } from './testing/database.ts';
import { book } from './testing/property-world.ts';

const { admin, url } = await withDatabase(t);
const database = await openDatabase(url);
const guests = new Guests(database, [{ id: 'k1', secret: new Uint8Array(32).fill(7) }]);
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, guests, nodeId: 'test' });
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function run(tool: string): { status: number | null; output: string } {
  const path = fileURLToPath(new URL(tool, import.meta.url));
  const env = { ...process.env, DATABASE_URL: url };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', path], {
    env,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

const house = await Stored.house(store);
for (let n = 0; n < 6; n++) house.scene.accept(book({ stay: { ...house.stay(n), roomType: n % 2 ? 'STD' : 'DLX' } }));
await house.write();

void t.test('a chain that nobody touched is whole', async (t) => {
  t.match(run('verify-audit.ts'), { status: 0, output: /^11 rows of 1 properties: every chain is whole\n$/ });
});

void t.test('a row that was changed, removed or cut off is told', async (t) => {
  const where = `tenant_id = '${house.to.tenantId}' and property_id = '${house.to.propertyId}'`;
  for (const [change, told] of [
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
    t.match(run('verify-audit.ts'), { status: 1, output: told });
    await admin.query('delete from journal; insert into journal select * from kept; drop table kept');
  }
});

void t.test('size tells what a booking takes', async (t) => {
  t.match(run('size.ts'), { status: 0, output: /no bookings yet/ });
  await admin.query('analyze');
  const { status, output } = run('size.ts');
  t.equal(status, 0);
  for (const table of ['reservations', 'journal', 'in all', 'growth']) t.match(output, table);
});
