import { test } from 'tap';

import { dayOf } from '../../src/kernel/rules/dates.ts';
import type { RealBooking } from './bookings.ts';
import { peakRooms } from './hotel.ts';
import { planReplay } from './plan.ts';
import { median, pricePeriods } from './prices.ts';
import { realBooking } from './real-booking.ts';
import { bodyOf } from './requests.ts';

const ARRIVAL = dayOf('2015-07-01');
/** Far in the future: schemas reject days that are past by the real clock. */
const TODAY = dayOf('2082-11-20');

let rows = 0;
function booking(more: Partial<RealBooking> = {}): RealBooking {
  rows += 1;
  return realBooking({ row: rows, arrival: ARRIVAL, ...more });
}

void test('the first arrival becomes tomorrow and all others keep their distance', async (t) => {
  const plan = planReplay([booking({ arrival: ARRIVAL + 7 }), booking({ arrival: ARRIVAL })], TODAY);
  t.same(
    plan.bookings.map(({ arrival }) => arrival),
    [TODAY + 8, TODAY + 1],
  );
});

void test('rooms are counted from stays that took place, the night of departure is free', async (t) => {
  const peak = peakRooms([
    booking({ arrival: ARRIVAL, nights: 2 }),
    booking({ arrival: ARRIVAL + 2, nights: 1 }),
    booking({ arrival: ARRIVAL + 1, nights: 3 }),
    booking({ arrival: ARRIVAL, nights: 5, outcome: 'Canceled', outcomeDay: ARRIVAL - 1 }),
    booking({ arrival: ARRIVAL, nights: 5, outcome: 'No-Show' }),
  ]);
  t.equal(peak.get('A'), 2);
});

void test('a type without a positive price is not created and its bookings are foreseen as unknown', async (t) => {
  const plan = planReplay([booking(), booking({ roomType: 'P', adr: 0 })], TODAY);
  t.same(
    plan.types.map(({ roomType }) => roomType),
    ['A'],
  );
  t.same([...(plan.bookings[1]?.foreseen ?? [])], ['UNKNOWN_ROOM_TYPE']);
});

void test('a median of an even count lies between the two middle ones, half to even', async (t) => {
  t.equal(median([100, 103, 1, 900]), 102);
  t.equal(median([100, 101]), 100);
  t.equal(median([101, 102]), 102);
  t.equal(median([]), undefined);
});

void test('a month without a positive median is priced like the type', async (t) => {
  const bookings = [
    booking({ arrival: dayOf('2015-07-30'), adr: 12_000 }),
    booking({ arrival: dayOf('2015-08-01'), adr: 0 }),
    booking({ arrival: dayOf('2015-09-01'), adr: 8_000 }),
  ];
  const nights = { first: dayOf('2015-07-30'), last: dayOf('2015-09-02'), longest: 731 };
  t.same(pricePeriods(bookings, 'A', nights), [
    { roomType: 'A', start: dayOf('2015-07-30'), end: dayOf('2015-07-31'), rate: 12_000 },
    { roomType: 'A', start: dayOf('2015-08-01'), end: dayOf('2015-09-02'), rate: 8_000 },
  ]);
});

void test('a period is cut at the longest that the service takes', async (t) => {
  const periods = pricePeriods([booking()], 'A', { first: ARRIVAL, last: ARRIVAL + 899, longest: 731 });
  t.same(
    periods.map(({ start, end }) => end - start + 1),
    [731, 169],
  );
});

void test('events come in the order of their days, and per booking from creation to cancellation', async (t) => {
  const cancelled = booking({ leadDays: 40, changes: 3, outcome: 'Canceled', outcomeDay: ARRIVAL - 5 });
  const plan = planReplay([booking({ leadDays: 3 }), cancelled], TODAY);
  t.same(
    plan.events.map(({ day, kind, planned }) => [day - (TODAY + 1), kind, planned.booking.row === cancelled.row]),
    [
      [-40, 'create', true],
      [-32, 'amend', true],
      [-23, 'amend', true],
      [-14, 'amend', true],
      [-5, 'cancel', true],
      [-3, 'create', false],
    ],
  );
});

void test('amendments make a booking grow to what the file records', async (t) => {
  const plan = planReplay([booking({ adults: 3, nights: 4, changes: 4, specialRequests: 2 })], TODAY);
  const [created, ...amended] = plan.events.map((event) => bodyOf(event, 'resort'));
  t.match(created, {
    stayDetails: { checkIn: '2082-11-21', checkOut: '2082-11-24', adults: 2 },
    specialRequests: [],
  });
  t.match(amended, [
    { modifications: { stayDetails: { adults: 3 } } },
    { modifications: { stayDetails: { checkOut: '2082-11-25' } } },
    { modifications: { specialRequests: ['request 1', 'change 1 of 2'] } },
    { modifications: { specialRequests: ['request 1', 'request 2', 'change 2 of 2'] } },
  ]);
});

void test('a booking that is going to be refused is sent as it stands in the file', async (t) => {
  const plan = planReplay([booking(), booking({ nights: 0, changes: 2 })], TODAY);
  t.same(
    plan.events.map(({ kind }) => kind),
    ['create', 'create'],
  );
  t.match(
    plan.events.map((event) => bodyOf(event, 'resort')),
    [{}, { stayDetails: { checkIn: '2082-11-21', checkOut: '2082-11-21' } }],
  );
});
