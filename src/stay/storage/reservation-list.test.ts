import t from 'tap';

import { StoredGuestBook } from '../../guests/storage/guest-book.ts';
import { dayOf } from '../../kernel/rules/dates.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { plansOf } from '../../testing/plans.ts';
import { fillReservations, FIRST_CREATED, reservationId, SPACING_MS } from '../../testing/reservations.ts';
import type { ReservationFilter } from '../ports.ts';
import { databaseReservationReader } from './reservation-reader.ts';

/**
 * Plans as innkeeper_app gets them under row security: a condition that must not run before the policy cannot use an
 * index.
 */
const { admin, url } = await withTestDatabase(t);
await fillReservations(admin, 'big', 20_000);
await fillReservations(admin, 'small', 300);
await admin.query(`
  insert into guests (tenant_id, id, email, email_key, first_name, last_name, last_name_key)
  select 'big', gen_random_uuid(), 'someone' || n || '@example.com', 'someone' || n || '@example.com', 'A', 'B', 'b'
  from generate_series(1, 5000) n`);
await admin.query('analyze guests');
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const reader = databaseReservationReader(database);

const after = { createdAt: FIRST_CREATED + 10_000 * SPACING_MS, id: reservationId(10_000) };
const minute = (n: number): number => FIRST_CREATED + n * SPACING_MS;
const day = (n: number) => dayOf('2026-02-01') + n;
const ofProperty = { propertyId: 'p1' };
const someone = (n: number): string => `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`;
const groupId = '00000000-0000-4000-a000-000000000077';

type Question = { what: string; filter: ReservationFilter; index: string; by: RegExp };

/** Read in index order until the page is full. */
const WALKED: Question[] = [
  { what: 'all', filter: {}, index: 'newest', by: /tenant_id = / },
  { what: 'a house', filter: ofProperty, index: 'house', by: /property_id.* = / },
  { what: 'a status', filter: { status: 'CANCELLED' }, index: 'status', by: /status_key = / },
  { what: 'a status that nobody has', filter: { status: 'NO_SHOW' }, index: 'status', by: /status_key = / },
  {
    what: 'a status of a house',
    filter: { ...ofProperty, status: 'CANCELLED' },
    index: 'house',
    by: /status_key = /,
  },
  { what: 'a channel', filter: { channel: 'OTA' }, index: 'channel', by: /source.* = / },
  { what: 'a channel that nobody uses', filter: { channel: 'WALKIN' }, index: 'channel', by: /source.* = / },
  { what: 'a channel of a house', filter: { ...ofProperty, channel: 'OTA' }, index: 'house', by: /source.* = / },
  {
    what: 'arrivals of a year',
    filter: { arrivalFrom: day(0), arrivalTo: day(365) },
    index: 'newest',
    by: /check_in >= .*check_in <= /,
  },
  {
    what: 'changed long ago or later',
    filter: { updatedSince: minute(50) },
    index: 'newest',
    by: /created_at >= /,
  },
];

/**
 * With as few properties as here, an index of one property that skips their ids is as good as the one of all
 * properties.
 */
const ANY_DAYS = 'days|arrival|departure';

/** Found by an index in any order, because they are few; the newest are picked from them. */
const GATHERED: Question[] = [
  {
    what: 'arrivals of a day',
    filter: { arrivalFrom: day(9), arrivalTo: day(9) },
    index: ANY_DAYS,
    by: /check_in >= .*check_in <= /,
  },
  {
    what: 'departures of a day',
    filter: { departureFrom: day(9), departureTo: day(9) },
    index: ANY_DAYS,
    by: /check_in >= .*check_out >= .*check_out <= /,
  },
  { what: 'in house on a day', filter: { inHouseOn: day(9) }, index: ANY_DAYS, by: /check_in <= .*check_out > / },
  { what: 'changed lately', filter: { updatedSince: minute(19_990) }, index: 'changed', by: /updated_at >= / },
  {
    what: 'arrivals of a day of a property',
    filter: { ...ofProperty, arrivalFrom: day(9), arrivalTo: day(9) },
    index: 'arrival',
    by: /check_in >= .*check_in <= /,
  },
  {
    what: 'departures of a day of a property',
    filter: { ...ofProperty, departureFrom: day(9), departureTo: day(9) },
    index: 'departure',
    by: /check_out >= .*check_out <= /,
  },
  { what: 'an e-mail', filter: { email: 'guest77@example.com' }, index: 'email', by: /email_key/ },
  { what: 'a guest', filter: { guestId: someone(77) }, index: 'guest', by: /guest_id = / },
  { what: 'a group', filter: { groupId }, index: 'group', by: /group_id = / },
  {
    what: 'a confirmation number',
    filter: { confirmationNumber: 'big7' },
    index: 'confirmation_number',
    by: /confirmation_number.* = /,
  },
];

for (const [how, questions] of Object.entries({ WALKED, GATHERED })) {
  for (const { what, filter, index, by } of questions) {
    for (const [page, position] of [['first', undefined] as const, ['late', after] as const]) {
      t.test(`${what}, the ${page} page: by the index ${index}`, async (t) => {
        const plans = await plansOf(database, 'big', () => reader.list('big', filter, 50, position));
        t.same(plans.scanned, [], 'no table is read whole');
        const ofIndex = new RegExp(`^reservations_(${index}):`);
        const conditions = plans.conditions.filter((condition) => ofIndex.test(condition));
        t.ok(
          conditions.some((condition) => by.test(condition)),
          plans.conditions.join('\n'),
        );
        const sorted = plans.sorted.filter((keys) => keys.startsWith('r.'));
        if (how === 'WALKED' && page === 'first') t.same(sorted, [], 'its order is that of the index');
      });
    }
  }
}

t.test('nights of the guests of a page are looked up guest by guest', async (t) => {
  const guests = new StoredGuestBook(database);
  await admin.query(
    `insert into guests (tenant_id, id, last_name) select t, g::uuid, 'B' from unnest(array['small', 'big']) t, unnest(array['${someone(7)}', '${someone(8)}']) g`,
  );
  await admin.query(
    `update reservations set status = 'CHECKED_OUT' where tenant_id = 'small' and guest_id = '${someone(7)}' and deleted_at is null`,
  );
  const nights = await guests.nightsOf('small', [someone(7), someone(8), someone(7), 'nobody'], day(0));
  t.same([...nights], [[someone(7), 20]], 'ten reservations of one to three nights');
  t.equal((await guests.nightsOf('small', [someone(7)], day(30))).size, 0, 'nights of long ago do not count');
  const plans = await plansOf(database, 'big', () => guests.nightsOf('big', [someone(7), someone(8)], day(0)));
  t.same(plans.scanned, [], 'no table is read whole');
  t.match(plans.conditions.join(), /reservations_guest: .*guest_id = m\.id/);
});
