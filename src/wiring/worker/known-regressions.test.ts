import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import { forecastProperty, type PropertyHistory } from '../../revenue/rules/forecast/property-forecast.ts';
import { bookedNights } from '../../testing/booked-nights.ts';
import { KnownRegressions } from './known-regressions.ts';

const TODAY = dayOf('2026-07-01');
const NIGHTS = 60;

/** A hotel of 50 rooms, with so many more sold on each coming night than were on the books. */
function history(more: number, over: Partial<PropertyHistory> = {}): PropertyHistory {
  const rooms = (night: number): number => 30 + (night % 7);
  const all = bookedNights({ first: TODAY - 420, nights: 420 + NIGHTS, rooms });
  const past = all.filter(({ moment }) => moment < TODAY);
  const sold = new Int32Array(NIGHTS).fill(more);
  for (const { night, rooms: one } of past) if (night >= TODAY) sold[night - TODAY]! += one;
  const changes = Int32Array.from(past.flatMap(({ moment, night, rooms: one }) => [moment, night, one]));
  return { changes, today: TODAY, sold, capacity: 50, ...over };
}

void t.test('with regressions of the same day a forecast is as if they were fitted for it', async (t) => {
  const known = new KnownRegressions();
  const first = history(0);
  const before = forecastProperty(first, known.of(first));
  t.same(before, forecastProperty(first));
  t.equal(before.nights[0]!.method, 'regression');
  const booked = history(4);
  const fits = known.of(booked);
  t.ok(fits.byLead.size > 5, 'they are there already');
  const after = forecastProperty(booked, fits);
  t.same(after, forecastProperty(booked));
  t.not(after.nights[20]!.expected, before.nights[20]!.expected);
});

void t.test('another day or another history has its own, and the oldest are dropped', async (t) => {
  const known = new KnownRegressions();
  const first = known.of(history(0));
  t.equal(known.of(history(3)), first);
  t.not(known.of(history(0, { today: TODAY + 1 })), first);
  const { changes } = history(0);
  t.not(known.of(history(0, { changes: changes.with(changes.length - 1, 2) })), first);
  t.equal(known.of(history(0)), first);
  for (let n = 0; n < 16; n++) known.of({ changes: Int32Array.of(n, n, 1), today: TODAY });
  t.not(known.of(history(0)), first);
});
