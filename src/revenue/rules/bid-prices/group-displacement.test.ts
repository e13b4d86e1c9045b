import fc from 'fast-check';
import t from 'tap';

import { linearSolver } from '../../partners/linear-solver.ts';
import type { BidNight } from './bid-prices.ts';
import { type Displacement, groupDisplacement } from './group-displacement.ts';

const solve = await linearSolver();

/** A fortnight of which the block has the nights from the sixth on. */
const fortnight = (over: Partial<BidNight> = {}): BidNight[] =>
  Array.from({ length: 14 }, (_, n) => {
    const expected = over.expected ?? 12;
    const deviation = Math.sqrt(expected + 0.04 * expected * expected);
    return {
      roomType: 'STD',
      day: 20_000 + n,
      capacity: 20,
      booked: 6,
      current: 10_000,
      expected,
      deviation,
      ...over,
    };
  });

const block = (count: number, nights = 2): Parameters<typeof groupDisplacement>[1] => ({
  from: 20_006,
  to: 20_005 + nights,
  rooms: [{ roomType: 'STD', count }],
});

const revenue = ({ nights }: Displacement): number => nights.reduce((sum, night) => sum + night.revenue, 0);
const rooms = ({ nights }: Displacement): number => nights.reduce((sum, night) => sum + night.rooms, 0);

void t.test('a block in an empty property displaces nobody', async (t) => {
  const displaced = groupDisplacement(fortnight({ booked: 0, expected: 1 }), block(5), solve);
  t.equal(displaced.model, 'PROGRAM');
  t.same(
    displaced.nights.map(({ day, revenue }) => [day, revenue]),
    [
      [20_006, 0],
      [20_007, 0],
    ],
  );
});

void t.test('each further room displaces at least as much as the one before it', async (t) => {
  const sums = [1, 4, 8, 12].map((count) => groupDisplacement(fortnight(), block(count), solve));
  const each = sums.map((displaced, index) => revenue(displaced) / [1, 4, 8, 12][index]!);
  t.ok(
    each.every((value, index) => index === 0 || value > each[index - 1]!),
    `${each}`,
  );
  t.ok(sums.every((displaced, index) => rooms(displaced) <= 2 * [1, 4, 8, 12][index]!));
});

void t.test('a night that is full without the block loses a guest for each of its rooms', async (t) => {
  const displaced = groupDisplacement(fortnight({ expected: 60, deviation: 8 }), block(5), solve);
  for (const night of displaced.nights) {
    t.ok(night.rooms > 4.9, `${night.rooms}`);
    t.ok(night.revenue > 5 * 9_000 && night.revenue < 5 * 13_000, `${night.revenue}`);
  }
});

void t.test(
  'what a block of a week displaces is less than all that is expected of its nights and the stays over them',
  async (t) => {
    const displaced = groupDisplacement(fortnight(), block(14, 7), solve);
    // Every guest of the fortnight, each night at the highest fare.
    t.ok(revenue(displaced) < 14 * 12 * 12_000);
    t.ok(revenue(displaced) > rooms(displaced) * 8_000 * 0.9, 'and not less than its nights at the lowest fare');
  },
);

void t.test('odd figures leave numbers', async (t) => {
  const figure = fc.constantFrom(0, 1, 7, 20, -1, NaN);
  fc.assert(
    fc.property(fc.record({ capacity: figure, booked: figure, current: figure, expected: figure }), (over) =>
      groupDisplacement(fortnight({ deviation: 3, ...over }), block(3), solve).nights.every(
        ({ rooms, revenue }) => rooms >= 0 && Number.isInteger(revenue) && revenue >= 0,
      ),
    ),
    { numRuns: 40 },
  );
  t.end();
});

void t.test('without a solver the answer says that nights counted alone', async (t) => {
  const displaced = groupDisplacement(fortnight(), block(5));
  t.equal(displaced.model, 'NIGHTS');
  t.ok(revenue(displaced) > 0);
});
