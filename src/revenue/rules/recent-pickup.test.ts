import t from 'tap';

import { recentPickup } from './recent-pickup.ts';

const TODAY = 1_000;
const FIRST = TODAY - 400;

/** Rooms of each night of the past: two were booked 10 days before it, one 3 days before. */
const steady = Array.from({ length: 400 }, (_, n) => TODAY - 1 - n).flatMap((night) => [
  [night - 10, night, 2],
  [night - 3, night, 1],
]);

const of = (changes: number[][], nights = 20): ReturnType<typeof recentPickup> =>
  recentPickup(Int32Array.from(changes.flat()), { first: FIRST, today: TODAY, nights });

void t.test('what is usual is what past nights gained in the week so many days before', async (t) => {
  const pickups = of(steady);
  // Booked 3 days before: in the week before the night itself, and up to the one that ends 2 days before.
  t.same(
    [0, 2, 3, 9, 10].map((lead) => Math.round(pickups[lead]!.usual * 100) / 100),
    [1, 1, 2, 2, 0],
  );
  t.ok(pickups.every((one) => one!.rooms === 0));
});

void t.test('the last seven days count, today does not, and cancellations take rooms away', async (t) => {
  const pickups = of([
    ...steady,
    [TODAY - 7, TODAY + 5, 4],
    [TODAY - 1, TODAY + 5, -1],
    [TODAY - 8, TODAY + 5, 9],
    [TODAY, TODAY + 5, 9],
    [TODAY - 1, TODAY + 500, 1],
  ]);
  t.equal(pickups[5]!.rooms, 3);
  t.equal(
    pickups.reduce((sum, one) => sum + one!.rooms, 0),
    3,
  );
});

void t.test('nothing is usual so early that too few nights are known', async (t) => {
  const pickups = of(steady, 400);
  t.same(
    pickups.findIndex((one) => one === undefined),
    400 - 7 - 28 + 1,
  );
});
