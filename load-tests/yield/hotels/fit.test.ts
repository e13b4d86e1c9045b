import { readFileSync } from 'node:fs';
import t from 'tap';

import { dayOf } from '../../../src/kernel/rules/dates.ts';
import { readBookings } from '../../replay/bookings.ts';
import { realBooking } from '../../replay/real-booking.ts';
import { RESORT_FILE, RESORT_FILE_IS_MISSING } from '../../replay/resort-file.ts';
import { fitHotel, type HotelPart } from './fit.ts';
import { PARTS } from './parts.ts';

const FITTED: unknown = JSON.parse(readFileSync(new URL('fitted.json', import.meta.url), 'utf8'));
const PART: HotelPart = { name: 'may', months: [5], takes: () => true, typeOf: () => 'STD', scale: 1 };

void t.test('guests, groups, lengths, cancellations and rates are counted', async (t) => {
  const cancelled = { outcome: 'Canceled', outcomeDay: dayOf('2016-05-06') } as const;
  const group = { marketSegment: 'Groups', leadDays: 90, nights: 3 };
  const hotel = fitHotel(PART, [
    realBooking({}),
    realBooking({ adr: 14_000, nights: 1 }),
    realBooking({ ...cancelled, nights: 1 }),
    realBooking(group),
    realBooking(group),
    realBooking({ nights: 0 }),
    realBooking({ arrival: dayOf('2016-06-10') }),
  ]);
  t.equal(hotel.bookings, 5);
  t.equal(hotel.guests.leads.find(({ fromDays }) => fromDays === 7)!.cancelled, 0.333);
  t.same(hotel.guests.lengths.slice(0, 3), [0.6667, 0.3333, 0]);
  t.same([hotel.groups.share, hotel.groups.sizes], [0.4, [{ rooms: 2, share: 1 }]]);
  t.equal(hotel.groups.leads.find(({ fromDays }) => fromDays === 90)!.share, 1);
  t.equal(hotel.roomTypes[0]!.rooms, 4, 'the most rooms occupied');
  t.same(
    hotel.cancelledWithLeft,
    Array.from({ length: 10 }, () => 0.4),
  );
  t.ok(Math.abs(hotel.arrivals[0]!.rooms - 5 / 30.4) < 0.01);
  // Two nights at 100.00, one at 140.00, and two rooms of three nights at 100.00.
  t.equal(hotel.roomTypes[0]!.rates[0]!.weekday, 10_400);
});

void t.test('the committed tables are those of the file', { skip: RESORT_FILE_IS_MISSING }, async (t) => {
  const bookings = await readBookings(RESORT_FILE);
  t.same(
    PARTS.map((part) => fitHotel(part, bookings)),
    FITTED,
  );
});
