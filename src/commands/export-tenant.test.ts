import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

import { changeGuest } from '../guests/operations/change-guest.ts';
import { eraseGuest } from '../privacy/operations/erase-guest.ts';
import { cancelBody, createBody } from '../stay/contracts/reservations.ts';
import { cancelReservation } from '../stay/operations/cancel-reservation.ts';
import { createReservation } from '../stay/operations/create-reservation.ts';
import { untilTime } from '../testing/fake-clock.ts';
import { CALLER, SOME_DAY } from '../testing/front-desk.ts';
import { GuestWorld } from '../testing/guest-world.ts';
import { DAY, PROPERTY_ID } from '../testing/property-world.ts';
import { TENANT_TABLES } from '../testing/tables.ts';

const world = await GuestWorld.open(t);
const { services, admin, url } = world;
const { tenantId } = PROPERTY_ID;
await world.property('north');
for (const id of [tenantId, 'neighbour'])
  await admin.query('insert into tenants (tenant_id, name) values ($1, $2)', [id, id]);
const body = createBody.parse({
  propertyId: 'north',
  guestInfo: { firstName: 'Ada', lastName: 'Exportova', email: 'ada@example.com' },
  stayDetails: { ...SOME_DAY, adults: 1, roomType: 'STD' },
  paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_export' },
});
const stayDetails = { ...body.stayDetails, checkIn: DAY, checkOut: DAY + 1 };
const { result } = await createReservation(
  services,
  CALLER,
  { ...body, stayDetails },
  { key: 'k', fingerprint: 'f' },
);
const { id, guest } = result.reservation;
await changeGuest(services, CALLER, guest.guestId, { phone: '+351 999' });

const folder = mkdtempSync(join(tmpdir(), 'innkeeper-export-'));
t.teardown(() => rmSync(folder, { recursive: true }));

type Rows = Record<string, unknown>[];
type Manifest = { tenantId: string; files: { table: string; file: string; rows: number; sha256: string }[] };

function run(...args: string[]): { status: number | null; output: string } {
  const path = fileURLToPath(new URL('export-tenant.ts', import.meta.url));
  const SECRET_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  const env = { ...process.env, DATABASE_URL: url, SECRET_KEYS };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './src/platform/launch/strip-types.mjs', path, ...args],
    {
      env,
      encoding: 'utf8',
    },
  );
  return { status, output: stdout + stderr };
}

const fileOf = (name: string, file: string): string => readFileSync(join(folder, name, file), 'utf8');
const rowsOf = (name: string, table: string): Rows =>
  fileOf(name, `${table}.ndjson`)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

void t.test('all that a tenant owns is there, counted and with its hash, and nothing else', async (t) => {
  t.match(run('--tenant', tenantId, '--to', join(folder, 'one')), { status: 0, output: /rows of \d+ tables/ });
  const manifest: Manifest = JSON.parse(fileOf('one', 'manifest.json'));
  t.equal(manifest.tenantId, tenantId);
  const left = new Set(['browser_sessions', 'guest_keys', 'idempotency']);
  const names = TENANT_TABLES.map((table) => table.split('.')[1]!).filter((name) => !left.has(name));
  t.same(
    manifest.files.map(({ table }) => table),
    names.toSorted(),
  );
  t.equal(readdirSync(join(folder, 'one')).length, names.length + 1);
  t.equal(statSync(join(folder, 'one', 'guests.ndjson')).mode & 0o777, 0o600);
  for (const { table, file, rows, sha256 } of manifest.files) {
    const place = TENANT_TABLES.find((name) => name.endsWith(`.${table}`))!;
    const counted = await admin.query<{ n: number }>(
      `select count(*)::int as n from ${place} where tenant_id = '${tenantId}'`,
    );
    t.equal(rows, counted.rows[0]!.n, table);
    t.equal(rowsOf('one', table).length, rows, table);
    t.equal(createHash('sha256').update(fileOf('one', file)).digest('hex'), sha256, table);
  }
  const whole = manifest.files.map(({ file }) => fileOf('one', file)).join('');
  t.notMatch(whole, /tok_export|neighbour/);
  t.notMatch(whole, /"card":/, 'nor encrypted');
  t.match(rowsOf('one', 'reservations'), [{ id, confirmation_number: result.reservation.confirmationNumber }]);
});

void t.test('encrypted values are exported in clear for their own tenant, until the guest is erased', async (t) => {
  t.ok(rowsOf('one', 'journal').some(({ opened }) => (opened as { guestName?: string })?.guestName?.includes('Ada')));
  t.match(rowsOf('one', 'administration_journal'), [
    { action: 'CHANGED', before: { personal: String }, opened: { before: {}, after: { phone: '+351 999' } } },
  ]);
  await cancelReservation(services, CALLER, id, cancelBody.parse({}), { key: { key: 'c', fingerprint: 'f' } });
  const payments = async () => (await services.reservations.get(tenantId, id))!.reservation.payments;
  await untilTime(async () => (await payments()).every(({ status }) => status !== 'PROCESSING'));
  await eraseGuest(services, CALLER, guest.guestId);
  t.equal(run('--tenant', tenantId, '--to', join(folder, 'two')).status, 0);
  // The retained penalty is invoiced, and tax law requires the recipient.
  t.match(rowsOf('two', 'invoice_documents'), [{ issued_to: { name: /Exportova/ }, number: 'INV-2026-000001' }]);
  t.notMatch(
    readdirSync(join(folder, 'two'))
      .filter((file) => !file.startsWith('invoice_documents.'))
      .map((file) => fileOf('two', file))
      .join(''),
    /Exportova|\+351 999/,
  );
  t.match(rowsOf('two', 'administration_journal')[0], { opened: { before: null, after: null } });
});

void t.test('a failed export prints its reason in one line', async (t) => {
  t.match(run(), { status: 1, output: /^innkeeper: name the tenant/ });
  t.match(run('--tenant', 'nobody', '--to', join(folder, 'no')), { status: 1, output: /there is no tenant nobody/ });
  t.match(run('--tenant', tenantId, '--to', join(folder, 'one')), { status: 1, output: /is not empty/ });
  t.match(run('--tennant', 'x'), { status: 1, output: /^innkeeper: Unknown option/ });
});
