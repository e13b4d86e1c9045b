import t, { type Test } from 'tap';

import { isNightly } from '../../../../test/loop/nightly.ts';
import { dayOf } from '../../../kernel/rules/dates.ts';
import { mean } from '../../../kernel/rules/figures.ts';
import { bookedNights } from '../../../testing/booked-nights.ts';
import type { DemandForecast } from './demand-forecast.ts';
import { forecastByEnsemble, forecastProperty, type PropertyHistory } from './property-forecast.ts';

const TODAY = dayOf('2026-07-01');
const NIGHTS = 120;

/**
 * Days ahead for which the ensemble is computed. Each of its leads takes half a second of a processor, so in CI they are
 * those that the test is about; at night they are all.
 */
const DAYS = { near: { from: 0, to: 15 }, season: { from: 30, to: 60 }, far: { from: 60, to: NIGHTS } };

type Hotel = {
  first: number;
  capacity: number;
  rooms: (night: number) => number;
  isLost?: (night: number) => boolean;
};

/** The history of a property until today, and what is sold of its coming nights. */
function historyOf({ first, capacity, rooms, isLost = () => false }: Hotel): PropertyHistory {
  const changes = bookedNights({ first, nights: TODAY + NIGHTS - first, rooms }).filter(
    ({ night }) => !isLost(night),
  );
  const sold = new Int32Array(NIGHTS);
  for (const { moment, night, rooms: one } of changes)
    if (moment <= TODAY && night >= TODAY && night < TODAY + NIGHTS) sold[night - TODAY]! += one;
  const past = changes.filter(({ moment, night }) => moment < TODAY && moment >= first && night >= first);
  const packed = Int32Array.from(past.flatMap(({ moment, night, rooms: one }) => [moment, night, one]));
  const mostRooms = sold.map((one) => Math.max(one, capacity));
  return { changes: packed, today: TODAY, sold, capacity, mostRooms };
}

/** Every number is one, within its bounds, and has a confidence. */
function sound(t: Test, history: PropertyHistory, days = DAYS.near): DemandForecast[] {
  const ensemble = forecastByEnsemble(history, () => {}, isNightly() ? undefined : days);
  for (const nights of [forecastProperty(history).nights, forecastProperty({ ...history, ensemble }).nights]) {
    t.equal(nights.length, NIGHTS);
    for (const { night, expected, low, high, deviation, confidence } of nights) {
      const most = history.mostRooms![night - TODAY]!;
      t.ok([expected, low, high, deviation, confidence].every(Number.isFinite), `${night - TODAY} days before`);
      t.ok(0 <= low && low <= expected && expected <= high && high <= most, `${low} ${expected} ${high} of ${most}`);
      t.ok(confidence >= 0 && confidence <= 1);
    }
  }
  return forecastProperty({ ...history, ensemble }).nights;
}

const methods = (nights: readonly DemandForecast[]): string[] => [...new Set(nights.map(({ method }) => method))];
const meanOf = (nights: readonly DemandForecast[]): number => mean(nights.map(({ expected }) => expected));

void t.test('a property of three weeks is forecast by its pickup, then by a usual curve', async (t) => {
  const nights = sound(t, historyOf({ first: TODAY - 21, capacity: 60, rooms: () => 50 }));
  t.same(methods(nights).toSorted(), ['curve', 'pickup']);
  t.ok(meanOf(nights) > 5 && meanOf(nights) < 60);
});

void t.test('a property of one room ends with none or one', async (t) => {
  const nights = sound(t, historyOf({ first: TODAY - 400, capacity: 1, rooms: (night) => night % 2 }));
  t.ok(nights.every(({ high }) => high <= 1));
  t.ok(meanOf(nights) > 0.1 && meanOf(nights) < 0.9, `${meanOf(nights)}`);
});

void t.test('a season in which it is closed is no reason to expect an empty summer', async (t) => {
  const isWinter = (night: number): boolean => Math.abs(((night - TODAY + 9_125) % 365) - 182) < 60;
  const rooms = (night: number): number => (isWinter(night) ? 0 : 50);
  const nights = sound(t, historyOf({ first: TODAY - 420, capacity: 60, rooms }), DAYS.season);
  const soon = meanOf(nights.slice(0, 60));
  t.ok(soon > 34 && soon < 46, `${soon} where 40 are usual`);
});

void t.test('a year of two that is lost says nothing of the next', async (t) => {
  const isLost = (night: number): boolean => night < TODAY - 20 && night >= TODAY - 385;
  const nights = sound(t, historyOf({ first: TODAY - 790, capacity: 60, rooms: () => 50, isLost }), DAYS.far);
  const far = meanOf(nights.slice(60));
  t.ok(far > 30 && far < 50, `${far} where 40 are usual`);
});

void t.test('a lockdown of a year says nothing of the next', async (t) => {
  const rooms = (night: number): number => (night < TODAY - 20 && night >= TODAY - 385 ? 3 : 50);
  const nights = sound(t, historyOf({ first: TODAY - 790, capacity: 60, rooms }), DAYS.far);
  const far = meanOf(nights.slice(60));
  t.ok(far > 30 && far < 50, `${far} where 40 are usual`);
});

void t.test(
  'a property that opens again after a lost year, of which no other is known, is not sure of itself',
  async (t) => {
    for (const left of [0, 1])
      for (const open of [20, 90]) {
        const rooms = (night: number): number => (night < TODAY - open && night >= TODAY - 385 ? left : 50);
        const nights = sound(t, historyOf({ first: TODAY - 400, capacity: 60, rooms }), { from: 0, to: 0 });
        const far = nights.slice(60);
        t.same(methods(far), [open === 20 ? 'pickup' : 'regression']);
        t.ok(far.every(({ confidence, low, high }) => confidence < 0.9 && high - low > 8));
        t.ok(meanOf(far) > 15, `${meanOf(far)} where 40 are usual`);
      }
  },
);

void t.test(
  'a property that is always sold out, and one that sells more than it has, stay within what is sold',
  async (t) => {
    const nights = sound(t, historyOf({ first: TODAY - 400, capacity: 30, rooms: () => 60 }));
    t.ok(meanOf(nights) > 27, `${meanOf(nights)} of 30`);
    const over = historyOf({ first: TODAY - 400, capacity: 30, rooms: () => 60 });
    t.ok(sound(t, { ...over, sold: over.sold.fill(33), mostRooms: over.sold.map(() => 33) })[0]!.high <= 33);
  },
);

void t.test('a property without rooms, and one that never sold a room, have numbers too', async (t) => {
  const none = { changes: new Int32Array(), today: TODAY, sold: new Int32Array(NIGHTS), capacity: 0 };
  sound(t, { ...none, mostRooms: new Int32Array(NIGHTS) });
  const nights = sound(t, { ...none, capacity: 20, mostRooms: new Int32Array(NIGHTS).fill(20) });
  t.same(methods(nights), ['curve']);
});

void t.test(
  'an event that is learnt and one that is stated are in the nights that they cover, and in no other',
  async (t) => {
    const rooms = (night: number): number => (night >= TODAY - 300 && night < TODAY - 296 ? 75 : 50);
    const history = historyOf({ first: TODAY - 400, capacity: 100, rooms });
    const plain = forecastProperty(history).nights;
    const event = (name: string, from: number) => ({
      name,
      firstNight: from,
      lastNight: from + 3,
      effect: 'HIGH' as const,
    });
    const events = [event('Fair 2025', TODAY - 300), event('Fair 2026', TODAY + 64), event('Concert', TODAY + 100)];
    const found = forecastProperty({ ...history, events }).nights;
    for (const [n, one] of found.entries()) {
      const isFair = n >= 64 && n < 68;
      const isConcert = n >= 100 && n < 104;
      t.equal(one.event?.basis, isFair ? 'learnt' : isConcert ? 'stated' : undefined);
      if (isFair || isConcert)
        t.ok(one.expected > plain[n]!.expected + 2, `${one.expected} after ${plain[n]!.expected}`);
      else t.equal(one.expected, plain[n]!.expected);
    }
  },
);
