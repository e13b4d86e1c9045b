import { test } from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import { demandOf, demoRate, eventOfNight } from './demand.ts';
import { demoGuest, isDemoGuest } from './guests.ts';
import { DEMO_PROPERTIES } from './hotels.ts';
import { type PlannedStay, planStays } from './plan.ts';

const [CITY, RESORT, RIVAL] = DEMO_PROPERTIES;
const ORIGIN = dayOf('2026-06-01');
const OF = { origin: ORIGIN, seed: 5, offset: 1_000, from: ORIGIN - 60, to: ORIGIN + 60 };

/** Rooms of a type that are taken on a night. */
function takenOn(stays: readonly PlannedStay[], night: number, roomType?: string): number {
  const isThere = (stay: PlannedStay): boolean => stay.arrival <= night && stay.departure > night;
  return stays.filter((stay) => isThere(stay) && (roomType === undefined || stay.roomType === roomType)).length;
}

void test('the same seed and day give the same hotel, another seed another one', async (t) => {
  const text = (seed: number): string => JSON.stringify(planStays(CITY!, { ...OF, seed }));
  t.ok(text(5) === text(5));
  t.notOk(text(5) === text(6));
  const night = ORIGIN + 3;
  t.equal(demandOf(CITY!.market!, night, OF), demandOf(CITY!.market!, night, OF));
  t.same(planStays(RIVAL!, OF), [], 'a hotel without a market has nobody');
});

void test('no night has more guests than rooms, also with those who cancel', async (t) => {
  for (const property of [CITY!, RESORT!]) {
    const stays = planStays(property, OF);
    for (const { code, rooms } of property.types)
      for (let night = OF.from; night <= OF.to; night++)
        if (takenOn(stays, night, code) >= rooms) t.fail(`${property.propertyId} ${code} on ${night}`);
  }
});

void test('guests are booked before they come, and come before they leave', async (t) => {
  const stays = planStays(CITY!, OF);
  t.ok(stays.length > 3_000, `${stays.length}`);
  const wrong = stays.filter(
    ({ bookedAt, arrivesAt, leavesAt, cancelledAt = bookedAt + 1, arrival, departure }) =>
      !(bookedAt < arrivesAt && arrivesAt < leavesAt && arrival < departure && bookedAt < cancelledAt) ||
      cancelledAt >= arrivesAt,
  );
  t.same(wrong, []);
  t.ok(
    stays.every(({ n }, index) => n === OF.offset + index),
    'each with a number of its own',
  );
});

void test('a part of the guests cancels, some do not come, and some come again', async (t) => {
  const stays = planStays(CITY!, { ...OF, from: ORIGIN - 200 });
  const part = (is: (stay: PlannedStay) => boolean): number => stays.filter(is).length / stays.length;
  const cancelled = part(({ outcome }) => outcome === 'CANCELS');
  t.ok(cancelled > 0.1 && cancelled < 0.25, `${cancelled}`);
  const missed = part(({ outcome }) => outcome === 'NO_SHOW');
  t.ok(missed > 0.001 && missed < 0.03, `${missed}`);
  t.ok(new Set(stays.map(({ guest }) => guest)).size < 0.9 * stays.length);
  t.ok(
    stays.every(({ way, company }) => (way === 'COMPANY') === (company !== undefined)),
    'companies send guests',
  );
});

void test('the city works on weekdays, and the mountains have seasons', async (t) => {
  const mean = (of: typeof CITY, nights: readonly string[]): number =>
    nights.reduce((sum, night) => sum + demandOf(of!.market!, dayOf(night), OF), 0) / nights.length;
  t.ok(mean(CITY, ['2026-05-19', '2026-05-20']) > mean(CITY, ['2026-05-22', '2026-05-24']) + 0.05);
  t.ok(mean(RESORT, ['2026-02-14', '2026-01-30']) > 1.5 * mean(RESORT, ['2026-05-15', '2026-11-10']));
  t.equal(eventOfNight(CITY!.market!, dayOf('2027-03-03'))?.name, 'Travel fair');
  t.equal(eventOfNight(CITY!.market!, dayOf('2027-04-03')), undefined);
  const [std] = CITY!.types;
  const rate = (night: string): number => demoRate(CITY!.market!, std!, dayOf(night));
  t.ok(rate('2026-11-11') > rate('2026-01-14') + 3_000, 'a fair is dearer than January');
  t.equal(rate('2026-11-11') % 100, 0, 'in whole units');
});

void test('this year is ahead of the last one', async (t) => {
  const stays = planStays(CITY!, { ...OF, from: ORIGIN - 420, to: ORIGIN });
  const nights = (from: number): number =>
    Array.from({ length: 28 }, (_, n) => takenOn(stays, from + n)).reduce((sum, one) => sum + one, 0);
  t.ok(nights(ORIGIN - 30) > nights(ORIGIN - 30 - 364), 'the same weekdays');
});

void test('guests are invented, each with an address of its own', async (t) => {
  const guests = Array.from({ length: 2_000 }, (_, n) => demoGuest(1, n));
  t.equal(new Set(guests.map(({ email }) => email)).size, guests.length);
  t.ok(guests.every(({ email }) => isDemoGuest(email)));
  t.notOk(isDemoGuest('someone@example.com'), 'a visitor of the demo is no guest of it');
  t.notOk(isDemoGuest('ana.pinto.7@example.com.evil.net'));
  t.same(demoGuest(1, 7), demoGuest(1, 7));
});
