import fc from 'fast-check';
import t from 'tap';

import { linearSolver } from '../../partners/linear-solver.ts';
import { type BidNight, bidPricesOf } from './bid-prices.ts';
import type { SolveNights } from './night-program.ts';

const solve = await linearSolver();

function bidNight(over: Partial<BidNight> = {}): BidNight {
  const expected = over.expected ?? 8;
  return {
    roomType: 'STD',
    day: 20_000,
    capacity: 20,
    booked: 10,
    current: 10_000,
    expected,
    deviation: Math.sqrt(expected + 0.04 * expected * expected),
    ...over,
  };
}

/** Nights in a row. */
const row = (nights: readonly Partial<BidNight>[]): BidNight[] =>
  nights.map((night, n) => bidNight({ day: 20_000 + n, ...night }));

const amounts = (nights: readonly BidNight[], by?: SolveNights): number[] =>
  bidPricesOf(nights, by).nights.map(({ amount }) => amount);

const anyNight = fc.record({
  capacity: fc.integer({ min: 0, max: 40 }),
  booked: fc.double({ min: 0, max: 45, noNaN: true }),
  current: fc.integer({ min: 0, max: 100_000 }),
  expected: fc.double({ min: 0, max: 60, noNaN: true }),
  deviation: fc.double({ min: 0, max: 60, noNaN: true }),
});

void t.test('a bid price is a whole amount, never negative, and rises with the next room sold', async (t) => {
  fc.assert(
    fc.property(fc.array(anyNight, { maxLength: 12 }), fc.boolean(), (nights, network) =>
      bidPricesOf(row(nights), network ? solve : undefined).nights.every(
        ({ amount, perRoom }) => Number.isInteger(amount) && amount >= 0 && Number.isInteger(perRoom) && perRoom >= 0,
      ),
    ),
    { numRuns: 60 },
  );
  t.end();
});

void t.test('it falls with the rooms left and rises with the demand', async (t) => {
  const rising = (values: readonly number[]): boolean =>
    values.every((value, index) => index === 0 || value >= values[index - 1]! - 0.01 * values[index - 1]! - 1);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.boolean(), (size, network) => {
      const by = network ? solve : undefined;
      const bySold = Array.from(
        { length: 12 },
        (_, sold) => amounts([bidNight({ booked: 8 + sold, expected: size })], by)[0]!,
      );
      const byDemand = Array.from(
        { length: 20 },
        (_, n) => amounts([bidNight({ expected: 0.2 * n * size })], by)[0]!,
      );
      return rising(bySold) && rising(byDemand) && bySold.at(-1)! > bySold[0]! && byDemand.at(-1)! > byDemand[0]!;
    }),
    { numRuns: 20 },
  );
  t.end();
});

void t.test('the room that is sold moves it by what was said before', async (t) => {
  const [before] = bidPricesOf(row([{ booked: 10 }]), solve).nights;
  const [after] = bidPricesOf(row([{ booked: 11 }]), solve).nights;
  t.ok(before!.perRoom > 0);
  t.ok(Math.abs(after!.amount - before!.amount - before!.perRoom) <= 1);
});

void t.test('rooms that nobody comes for are worth nothing', async (t) => {
  const nights = row(Array.from({ length: 20 }, () => ({ capacity: 100, booked: 0, expected: 5 })));
  t.same(
    amounts(nights, solve),
    nights.map(() => 0),
  );
});

void t.test('a stay of seven nights over a peak is worth what it displaces there', async (t) => {
  const peak = row([2, 2, 2, 60, 2, 2, 2].map((expected) => ({ expected })));
  const bids = amounts(peak, solve);
  const sum = bids.reduce((one, other) => one + other);
  t.ok(bids[3]! > 8_000, `${bids}: the peak displaces a guest`);
  t.ok(sum - bids[3]! < 0.15 * bids[3]!, `${bids}: the other nights have rooms`);
});

void t.test('a room that breaks long stays costs more than its own night', async (t) => {
  // One room left in the middle of a busy fortnight with rooms: who takes it takes the rest of a week with it.
  const nights = row(
    Array.from({ length: 15 }, (_, n) => ({ capacity: 60, booked: n === 7 ? 55 : 0, expected: 20, deviation: 5 })),
  );
  t.ok(amounts(nights, solve)[7]! > 20_000, `${amounts(nights, solve)}`);
  t.ok(amounts(nights)[7]! <= 12_000, 'each night alone does not know of them');
});

void t.test(
  'without a solver, and where it has no solution, each night counts alone, and the answer says so',
  async (t) => {
    t.equal(bidPricesOf(row([{}]), solve).model, 'PROGRAM');
    t.equal(bidPricesOf(row([{}])).model, 'NIGHTS');
    t.same(
      bidPricesOf(row([{}, {}]), () => undefined),
      bidPricesOf(row([{}, {}])),
    );
  },
);

void t.test(
  'a property of one room, closed or free nights, sold-out ones and unknown figures leave numbers',
  async (t) => {
    const odd = row([
      { capacity: 1, booked: 0, expected: 0.4 },
      { capacity: 0, booked: 0 },
      { current: 0 },
      { booked: 20 },
      { booked: 25 },
      { expected: NaN, deviation: NaN },
      { expected: -3 },
      { capacity: NaN, current: NaN },
    ]);
    for (const by of [solve, undefined]) {
      const { nights } = bidPricesOf(odd, by);
      t.ok(nights.every(({ amount, perRoom }) => Number.isInteger(amount) && Number.isInteger(perRoom)));
      t.equal(nights[2]!.amount, 0, 'nothing is earned at a rate of 0');
      t.ok(nights[3]!.amount > 0, 'the room that a cancellation frees is worth a guest');
    }
    t.match(bidPricesOf([], solve), { model: 'PROGRAM', nights: [] });
  },
);

void t.test('room types do not share rooms, and the order of the nights does not matter', async (t) => {
  const types = [
    ...row([{}, { expected: 30 }]),
    ...row([{ expected: 1 }, {}]).map((one) => ({ ...one, roomType: 'DLX' })),
  ];
  t.same(bidPricesOf(types.toReversed(), solve), bidPricesOf(types, solve));
  t.same(
    bidPricesOf(types, solve).nights.filter(({ roomType }) => roomType === 'STD'),
    bidPricesOf(row([{}, { expected: 30 }]), solve).nights,
  );
});

void t.test('computed again from the values before, the nights that have changed are as if solved', async (t) => {
  const demand = Array.from({ length: 40 }, (_, n) => ({ expected: n % 10 === 4 ? 14 : 6 }));
  const { values } = bidPricesOf(row(demand), solve);
  const now = row(demand.map((one, n) => (n === 20 ? { ...one, booked: 17 } : one)));
  const only = new Set(Array.from({ length: 13 }, (_, n) => 20_014 + n));
  const again = bidPricesOf(now, solve, { values, only });
  const whole = bidPricesOf(now, solve);
  t.equal(again.model, 'PROGRAM');
  t.same(
    again.nights.map(({ day }) => day),
    [...only],
  );
  for (const { day, amount, perRoom } of again.nights) {
    const solved = whole.nights.find((night) => night.day === day)!;
    const isNear = (one: number, other: number) => Math.abs(one - other) < 20 + 0.02 * other;
    t.ok(isNear(amount, solved.amount) && isNear(perRoom, solved.perRoom), `${day} ${amount}`);
  }
  t.equal(again.values.get('STD 20039'), values.get('STD 20039'), 'the others are worth what they were');
});
