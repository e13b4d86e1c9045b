import { test } from 'tap';

import { dayOf } from '../../src/kernel/rules/dates.ts';
import type { RealBooking } from '../replay/bookings.ts';
import { planReplay } from '../replay/plan.ts';
import { realBooking } from '../replay/real-booking.ts';
import { type SimulatedDay, simulatedDays } from './life.ts';
import { madeUpBookings } from './made-up.ts';

const TODAY = dayOf('2026-11-20');
const ARRIVAL = dayOf('2015-07-01');

/** Row 10 has a card; its arrival is the first day after today. */
function booking(more: Partial<RealBooking> = {}): RealBooking {
  return realBooking({ row: 10, leadDays: 0, arrival: ARRIVAL, ...more });
}

/** Events, by days from today. */
function described(days: readonly SimulatedDay[]): string[] {
  return days.flatMap(({ day, departures, others }) =>
    [...departures, ...others].map((event) => `${day - TODAY} ${event.kind}`),
  );
}

/** One more booking defines the hotel: types are inferred from stays that took place. */
const days = (more: Partial<RealBooking>): string[] =>
  described(simulatedDays(planReplay([booking({ row: 1_000 }), booking(more)], TODAY)));

void test('a booking is made its lead before arrival, at the start where that is earlier', async (t) => {
  const plan = planReplay([booking(), booking({ row: 11, arrival: ARRIVAL + 9, leadDays: 4 })], TODAY);
  t.same(described(simulatedDays(plan)), [
    '1 create',
    '1 checkIn',
    '3 checkOut',
    '6 create',
    '10 checkIn',
    '12 checkOut',
  ]);
  const early = planReplay([booking({ leadDays: 300 })], TODAY);
  t.same(described(simulatedDays(early)), ['0 create', '1 checkIn', '3 checkOut']);
});

void test('departures come before arrivals, and every day is present', async (t) => {
  const plan = planReplay([booking(), booking({ row: 11, arrival: ARRIVAL + 2 })], TODAY);
  const days = simulatedDays(plan);
  t.same(
    days.map(({ day }) => day - TODAY),
    [0, 1, 2, 3, 4, 5],
  );
  t.same(described(days.slice(3, 4)), ['3 checkOut', '3 create', '3 checkIn']);
});

void test('a cancel comes between its booking and the day of arrival', async (t) => {
  const cancelled = (outcomeDay: number) => days({ leadDays: 0, outcome: 'Canceled', outcomeDay, row: 12 });
  t.ok(cancelled(ARRIVAL - 5).includes('1 cancel'));
  t.ok(cancelled(ARRIVAL + 3).includes('1 cancel'), 'the guest has not come by then');
});

void test('every tenth no-show is marked by hand, the others by the roll', async (t) => {
  t.ok(days({ outcome: 'No-Show', row: 20 }).includes('1 noShow'));
  t.notOk(days({ outcome: 'No-Show', row: 21 }).includes('1 noShow'));
});

void test('instalments are paid after booking and before departure; a guest with debts does not pay the rest', async (t) => {
  const parts = planReplay([booking({ deposit: 'Refundable' })], TODAY);
  t.same(described(simulatedDays(parts)), ['1 create', '1 pay', '1 checkIn', '3 pay', '3 checkOut']);
  const amended = planReplay([booking({ deposit: 'Refundable', changes: 1 })], TODAY);
  t.same(described(simulatedDays(amended)).slice(0, 4), ['1 create', '1 pay', '1 amend', '1 pay']);
  const owed = planReplay([booking({ row: 86 })], TODAY);
  t.same(described(simulatedDays(owed)), ['1 create', '1 pay', '1 checkIn', '3 checkOut']);
});

void test('a booking that will be rejected is only requested', async (t) => {
  const plan = planReplay([booking(), booking({ row: 11, nights: 0, outcomeDay: ARRIVAL })], TODAY);
  t.equal(described(simulatedDays(plan)).filter((line) => line === '1 create').length, 2);
  t.equal(described(simulatedDays(plan)).filter((line) => line.endsWith('checkIn')).length, 1);
});

void test('days that are not lived have no events', async (t) => {
  const plan = planReplay(madeUpBookings(60, 20), TODAY);
  const [all, some] = [simulatedDays(plan), simulatedDays(plan, 10)];
  t.equal(some.length, 10);
  t.same(described(some), described(all.slice(0, 10)));
});

void test('no event of a booking comes before its creation, and each kind is there', async (t) => {
  const days = simulatedDays(planReplay(madeUpBookings(200, 20), TODAY));
  const made = new Set<number>();
  const kinds = new Set<string>();
  for (const { departures, others } of days)
    for (const event of [...departures, ...others]) {
      const { row } = event.planned.booking;
      kinds.add(event.kind);
      if (event.kind === 'create') made.add(row);
      else if (!made.has(row)) t.fail(`row ${row}: ${event.kind} before its creation`);
    }
  t.same([...kinds].sort(), ['amend', 'cancel', 'checkIn', 'checkOut', 'create', 'noShow', 'pay']);
});
