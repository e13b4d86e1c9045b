import t from 'tap';

import { dayOf } from '../../src/kernel/rules/dates.ts';
import type { RealBooking } from '../replay/bookings.ts';
import { derivedHotels } from './derived.ts';

const booking = (row: number): RealBooking => ({
  row,
  roomType: row % 3 === 0 ? 'A' : 'D',
  arrival: dayOf('2016-05-10') + row,
  nights: 1 + (row % 7),
  leadDays: row % 90,
  adults: 2,
  children: 0,
  adr: 10_000,
  marketSegment: ['Online TA', 'Offline TA/TO', 'Groups', 'Direct'][row % 4]!,
  distributionChannel: 'Direct',
  changes: 0,
  specialRequests: 0,
  deposit: 'No Deposit',
  outcome: row % 5 === 0 ? 'Canceled' : 'Check-Out',
  outcomeDay: dayOf('2016-05-10') + row,
});
const BOOKINGS = Array.from({ length: 500 }, (_, row) => booking(row + 1));

void t.test('twelve hotels are made of a file, each of a part of it and the same every time', async (t) => {
  const hotels = derivedHotels(BOOKINGS);
  t.equal(new Set(hotels.map(({ name }) => name)).size, 12);
  t.ok(hotels.every(({ bookings }) => bookings.length > 50));
  t.same(derivedHotels(BOOKINGS), hotels);
  const short = hotels.find(({ name }) => name === 'two nights at most')!;
  t.equal(short.bookings.length, 500);
  t.ok(short.bookings.every(({ nights }) => nights <= 2));
});
