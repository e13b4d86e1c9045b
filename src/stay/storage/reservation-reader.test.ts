import t from 'tap';

import type { PagePosition } from '../../kernel/ports.ts';
import { dayOf, parseDay } from '../../kernel/rules/dates.ts';
import { connect } from '../../platform/database/connection.ts';
import { openDatabase } from '../../platform/database/database.ts';
import type { PaymentRow, ReservationRow } from '../../platform/database/entities/reservations.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { plansOf } from '../../testing/plans.ts';
import {
  fillProperties,
  fillReservations,
  FIRST_CREATED,
  reservationId,
  SPACING_MS,
} from '../../testing/reservations.ts';
import type { ReservationFilter } from '../ports.ts';
import type { ClaimedBy } from '../rules/reservation.ts';
import { databaseReservationReader } from './reservation-reader.ts';
import { toReservation } from './reservation-row.ts';

const { admin, url } = await withTestDatabase(t);
// Enough rows for the planner to prefer an index.
await fillProperties(admin, 'many', 3_000);
await fillReservations(admin, 'big', 20_000);
await fillReservations(admin, 'small', 300);
await admin.query(`
  insert into invoice_documents (tenant_id, property_id, number, kind, year, serial, reservation_id,
      confirmation_number, issued_at, issued_by, issued_to, currency, lines)
    select 'big', 'p1', 'INV-2026-' || lpad(n::text, 6, '0'), 'INVOICE', 2026, n, gen_random_uuid(), 'x',
      now(), '{}', '{}', 'EUR', '[]' from generate_series(1, 3000) n;
  analyze invoice_documents`);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const reader = databaseReservationReader(database);

/** Ids of a whole list, read page by page. */
async function all(tenant: string, filter: ReservationFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let after: PagePosition | undefined;
  do {
    const page = await reader.list(tenant, filter, limit, after);
    ids.push(...page.items.map((item) => item.id));
    after = page.next;
  } while (after);
  return ids;
}

/** Numbers of the non-deleted reservations of `small` for which `keep` holds, newest first. */
function expected(keep: (n: number) => boolean): string[] {
  return Array.from({ length: 300 }, (_, n) => n)
    .filter((n) => n % 100 !== 99 && keep(n))
    .toReversed()
    .map(reservationId);
}

t.test('a reservation is read with its payments, its property and the sequence of the same moment', async (t) => {
  const found = await reader.get('small', reservationId(7));
  t.match(found, {
    seq: 20,
    property: {
      propertyId: 'p2',
      name: 'House 2',
      metadata: { currency: 'EUR', policies: { horizonNights: 730 } },
    },
    reservation: {
      id: reservationId(7),
      propertyId: 'p2',
      confirmationNumber: 'small7',
      status: 'CONFIRMED',
      paid: 4_000,
      createdAt: FIRST_CREATED + 7 * SPACING_MS,
      specialRequests: ['late arrival'],
      version: 1,
      currency: 'EUR',
      stay: {
        roomType: 'STD',
        rateCode: 'BAR',
        checkIn: dayOf('2026-02-01'),
        checkOut: dayOf('2026-02-03'),
        adults: 2,
      },
      guest: { email: 'Guest0@Example.com' },
      payments: [{ type: 'CHARGE', amount: 4_000, method: 'CREDIT_CARD', status: 'COMPLETED' }],
    },
  });
});

t.test('a row of a plain connection maps to the same reservation', async (t) => {
  const client = await connect(url, 'innkeeper_app');
  t.teardown(() => client.end());
  await client.query(`select set_config('innkeeper.tenant', 'small', false)`);
  const { rows } = await client.query<ReservationRow>('select * from reservations where id = $1', [reservationId(7)]);
  const payments = await client.query<PaymentRow>('select * from payments where reservation_id = $1', [
    reservationId(7),
  ]);
  const found = await reader.get('small', reservationId(7));
  t.same(toReservation(rows[0]!, payments.rows), found?.reservation);
});

t.test('allotments that a reservation has lost are not read, though its row names them', async (t) => {
  const client = await connect(url, 'innkeeper_app');
  t.teardown(() => client.end());
  await client.query(`select set_config('innkeeper.tenant', 'small', false)`);
  const { rows } = await client.query<ReservationRow>('select * from reservations where id = $1', [reservationId(7)]);
  const named = { ...rows[0]!, promo_code: 'TEN', group_id: reservationId(1) };
  t.match(toReservation(named, []), { promoCode: 'TEN', groupId: reservationId(1) });
  const without = (unclaimed: ClaimedBy[]) =>
    toReservation({ ...named, details: { ...named.details, unclaimed } }, []);
  t.match(without(['promoCode']), { promoCode: undefined, groupId: reservationId(1) });
  t.match(without(['groupId']), { promoCode: 'TEN', groupId: undefined });
});

t.test("deleted, unknown and other tenants' reservations and malformed ids are not found", async (t) => {
  const theirs = reservationId(12_345);
  for (const id of [reservationId(99), reservationId(999_999), theirs, 'not-an-id', '']) {
    t.equal(await reader.get('small', id), undefined, id);
  }
  t.same(await reader.list('small', { guestId: 'not-an-id' }, 10), { items: [] });
  t.same(await reader.list('small', { bookingId: 'not-an-id' }, 10), { items: [] });
  t.same(await reader.list('small', { confirmationNumber: 'big7' }, 10), { items: [] });
  t.same(await reader.list('nobody', {}, 10), { items: [] });
});

t.test('the property of a reservation is known, deleted or not', async (t) => {
  t.equal(await reader.propertyOf('small', reservationId(7)), 'p2');
  t.equal(await reader.propertyOf('small', reservationId(99)), 'p4');
  t.equal(await reader.propertyOf('small', reservationId(12_345)), undefined);
});

t.test('a property that was deleted still names its reservations', async (t) => {
  await admin.query(`update properties set deleted_at = now() where tenant_id = 'small' and property_id = 'p3'`);
  t.match(await reader.get('small', reservationId(8)), { property: { name: 'House 3' } });
  await admin.query(`update properties set deleted_at = null where tenant_id = 'small'`);
});

t.test('pages follow each other without gap or repeat, newest first, whatever their size', async (t) => {
  const whole = expected(() => true);
  for (const limit of [7, 99, 200]) t.same(await all('small', {}, limit), whole, `pages of ${limit}`);
  const exact = await reader.list('small', {}, whole.length);
  t.equal(exact.next, undefined, 'a full last page has no next one');
});

t.test('pages stay stable when rows share a moment and new ones arrive', async (t) => {
  await admin.query(`update reservations set created_at = '2026-01-01T01:00:00.123456Z' where tenant_id = 'small'`);
  t.teardown(() => admin.query(`update reservations set created_at = updated_at where tenant_id = 'small'`));
  const first = await reader.list('small', {}, 10);
  await admin.query(`update reservations set created_at = now() where tenant_id = 'small' and id = any ($1)`, [
    [reservationId(0), reservationId(1)],
  ]);
  const rest: string[] = [];
  for (let after = first.next; after;) {
    const page = await reader.list('small', {}, 10, after);
    rest.push(...page.items.map((item) => item.id));
    after = page.next;
  }
  const seen = [...first.items.map((item) => item.id), ...rest];
  t.equal(new Set(seen).size, seen.length, 'none twice');
  t.same(
    seen,
    expected((n) => n > 1),
  );
});

const day = (n: number) => dayOf('2026-02-01') + n;
const arrival = (n: number) => Math.floor(n / 50);
const departure = (n: number) => arrival(n) + 1 + (n % 3);

const FIRST_DAYS = parseDay('0001-01-02')!;
const FILTERS: [string, ReservationFilter, (n: number) => boolean][] = [
  ['propertyId', { propertyId: 'p1' }, (n) => n % 5 === 1],
  ['status', { status: 'CANCELLED' }, (n) => n % 10 === 0],
  ['arrival', { arrivalFrom: day(1), arrivalTo: day(2) }, (n) => arrival(n) >= 1 && arrival(n) <= 2],
  ['departure', { departureFrom: day(3), departureTo: day(4) }, (n) => departure(n) >= 3 && departure(n) <= 4],
  ['inHouseOn', { inHouseOn: day(3) }, (n) => arrival(n) <= 3 && departure(n) > 3 && n % 10 !== 0],
  ['inHouseOn in the first days that there are', { inHouseOn: FIRST_DAYS }, () => false],
  [
    'inHouseOn and status',
    { inHouseOn: day(3), status: 'CANCELLED' },
    (n) => arrival(n) <= 3 && departure(n) > 3 && n % 10 === 0,
  ],
  ['guestId', { guestId: '00000000-0000-4000-9000-000000000003' }, (n) => Math.floor(n / 10) === 3],
  ['email', { email: 'gUEST3@example.COM' }, (n) => Math.floor(n / 10) === 3],
  ['confirmationNumber', { confirmationNumber: 'small42' }, (n) => n === 42],
  ['channel', { channel: 'OTA' }, (n) => n % 7 === 0],
  ['groupId', { groupId: '00000000-0000-4000-a000-000000000001' }, (n) => n % 25 === 0 && Math.floor(n / 100) === 1],
  ['updatedSince', { updatedSince: FIRST_CREATED + 250 * SPACING_MS }, (n) => n >= 250],
  ['several', { propertyId: 'p0', channel: 'OTA', status: 'CONFIRMED' }, (n) => n % 35 === 0 && n % 10 !== 0],
];

for (const [name, filter, keep] of FILTERS) {
  t.test(`filter ${name} keeps what it says, over several pages`, async (t) => {
    t.same(await all('small', filter, 13), expected(keep));
  });
}

t.test('a reservation and its property are found by their keys', async (t) => {
  for (const ask of [() => reader.get('big', reservationId(5)), () => reader.propertyOf('big', reservationId(5))]) {
    const plans = await plansOf(database, 'big', ask);
    t.same(plans.scanned, [], 'no table is read whole');
    t.ok(plans.indexes.includes('reservations_pkey'), plans.indexes.join());
  }
});

t.test('a row that cannot be read is left out of its page and named', async (t) => {
  const filter = { arrivalFrom: parseDay('0001-01-01')! };
  const before = await all('small', {}, 50);
  const broken = before[3]!;
  await admin.query(
    `update reservations set details = (details::jsonb - 'nights')::json where tenant_id = 'small' and id = $1`,
    [broken],
  );
  const first = await reader.list('small', {}, 4);
  t.same(first.unreadable, [broken]);
  t.equal(first.items.length, 3);
  t.same(
    await all('small', {}, 4),
    before.filter((id) => id !== broken),
  );
  t.equal((await reader.list('small', filter, 1)).unreadable, undefined);
});
