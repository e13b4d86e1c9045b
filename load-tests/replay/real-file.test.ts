import { test } from 'tap';

import { dayOf } from '../../src/kernel/rules/dates.ts';
import { readBookings } from './bookings.ts';
import { planReplay } from './plan.ts';
import { RESORT_FILE, RESORT_FILE_IS_MISSING } from './resort-file.ts';

void test('the resort file', { skip: RESORT_FILE_IS_MISSING }, async (file) => {
  const bookings = await readBookings(RESORT_FILE);
  const plan = planReplay(bookings, dayOf('2082-11-20'));

  void file.test('has the bookings that its README counts', async (t) => {
    t.equal(bookings.length, 40_060);
    t.equal(bookings.filter(({ nights }) => nights === 0).length, 384);
    t.equal(bookings.filter(({ nights }) => nights > 30).length, 17);
    t.equal(bookings.filter(({ adults }) => adults === 0).length, 13);
    t.equal(bookings.filter(({ outcome }) => outcome !== 'Check-Out').length, 11_122);
  });

  void file.test('fits the horizon: last arrival on day 792, last departure on day 806', async (t) => {
    const days = plan.bookings.map(({ arrival }) => arrival - (plan.firstNight + 1));
    t.equal(Math.min(...days), 0);
    t.equal(Math.max(...days), 792);
    t.equal(Math.max(...plan.bookings.map(({ booking }, index) => (days[index] ?? 0) + booking.nights)), 806);
    t.equal(plan.lastNight - plan.firstNight, 899);
  });

  void file.test('gives rooms to nine types and none to the one without a price', async (t) => {
    t.same(
      plan.types.map(({ roomType, totalRooms }) => [roomType, totalRooms]),
      [
        ['A', 142],
        ['B', 1],
        ['C', 14],
        ['D', 64],
        ['E', 37],
        ['F', 12],
        ['G', 10],
        ['H', 5],
        ['L', 1],
      ],
    );
    t.equal(plan.rooms.length, 286);
    t.equal(new Set(plan.rooms.map(({ roomNumber }) => roomNumber)).size, 286);
  });

  void file.test('prices every night of every type once, in periods that the service takes', async (t) => {
    const priced = new Set<string>();
    for (const { roomType, start, end, rate } of plan.prices) {
      if (rate <= 0 || end - start >= 731) t.fail(`${roomType} costs ${rate} for ${end - start + 1} nights`);
      for (let day = start; day <= end; day += 1) priced.add(`${roomType} ${day}`);
    }
    t.equal(priced.size, 9 * 900);
    t.equal(
      plan.prices.reduce((nights, { start, end }) => nights + end - start + 1, 0),
      9 * 900,
    );
  });

  void file.test('is played with one creation a row, its changes and its cancellations, in order', async (t) => {
    const of = (kind: string) => plan.events.filter((event) => event.kind === kind);
    const foreseen = plan.bookings.filter((planned) => planned.foreseen.size > 0);
    t.equal(of('create').length, 40_060);
    t.equal(of('cancel').length, 10_831);
    const dropped = foreseen.reduce((changes, { booking }) => changes + booking.changes, 0);
    t.equal(of('amend').length + dropped, 11_536);
    t.ok(plan.events.every((event, index) => event.day >= (plan.events[index - 1]?.day ?? -Infinity)));
    t.ok(foreseen.length >= 384 + 13 + 17 && foreseen.length < 450, `${foreseen.length} errors foreseen`);
  });
});
