import fc from 'fast-check';
import t from 'tap';

import { DAY } from '../../src/testing/property-world.ts';
import { Overlay } from './overlay.ts';
import { type Counter, COUNTERS, Slab } from './slab.ts';

const counters = Object.keys(COUNTERS) as Counter[];

void t.test('free rooms are total and overbooking limit less booked, held and blocked', async () => {
  const count = fc.nat(500);
  fc.assert(
    fc.property(
      count,
      fc.option(count),
      count,
      fc.array(count, { minLength: 5, maxLength: 5 }),
      (total, own, limit, used) => {
        const slab = Slab.empty('STD', DAY, 3, total);
        counters.forEach((counter, index) => slab.setCount(DAY + 1, counter, used[index]!));
        slab.setOverbooking(DAY + 1, own);
        const sum = used.reduce((a, b) => a + b, 0);
        return (
          slab.free(DAY + 1, limit) === total + (own ?? limit) - sum &&
          slab.blocked(DAY + 1) === sum - slab.count(DAY + 1, 'booked') - slab.count(DAY + 1, 'held') &&
          slab.free(DAY, limit) === total + limit &&
          slab.free(DAY + 2, limit) === total + limit
        );
      },
    ),
  );
});

void t.test('a limit of 0 for a cell is not the same as none', async (t) => {
  const slab = Slab.empty('STD', DAY, 1, 5);
  t.equal(slab.overbooking(DAY), null);
  slab.setOverbooking(DAY, 0);
  t.equal(slab.overbooking(DAY), 0);
  t.equal(slab.free(DAY, 3), 5);
  slab.setOverbooking(DAY, null);
  t.equal(slab.free(DAY, 3), 8);
});

void t.test('what is written to a copy is not seen in the original, nor the other way round', async (t) => {
  const slab = Slab.empty('STD', DAY, 2, 5);
  slab.setRate(DAY, 10_000, 100, 0);
  const copy = slab.copy();
  copy.add(DAY, 'booked', 2);
  copy.setRate(DAY, 1, 1, 1);
  slab.add(DAY + 1, 'held', 1);
  t.equal(slab.count(DAY, 'booked'), 0);
  t.same([slab.base(DAY), slab.multiplier(DAY), slab.amount(DAY)], [10_000, 100, 0]);
  t.equal(copy.count(DAY + 1, 'held'), 0);
});

void t.test('a window that moves keeps the cells it still has and opens new ones without a rate', async () => {
  fc.assert(
    fc.property(fc.integer({ min: -4, max: 12 }), fc.integer({ min: 1, max: 15 }), (shift, nights) => {
      const slab = Slab.empty('STD', DAY, 8, 5);
      for (let day = DAY; day < DAY + 8; day++) {
        slab.add(day, 'booked', 1 + (day - DAY));
        slab.setRate(day, 100 + day, 110, -7);
      }
      slab.usual = 9;
      const moved = slab.moved(DAY + shift, nights);
      return Array.from({ length: nights }, (_, index) => DAY + shift + index).every((day) =>
        slab.has(day)
          ? moved.count(day, 'booked') === 1 + (day - DAY) &&
            moved.base(day) === 100 + day &&
            moved.amount(day) === -7
          : moved.total(day) === 9 && moved.count(day, 'booked') === 0 && moved.base(day) === -1,
      );
    }),
  );
});

void t.test('a count below 0 or above 16 bits is a bug and never stored', async (t) => {
  const slab = Slab.empty('STD', DAY, 1, 5);
  t.throws(() => slab.add(DAY, 'booked', -1), /out of range/);
  t.throws(() => slab.setTotal(DAY, 65_536), /out of range/);
  t.throws(() => slab.setTotal(DAY, 1.5), /out of range/);
  t.equal(slab.count(DAY, 'booked'), 0);
});

void t.test('a remembered price of a night is forgotten when the night changes, others stay', async (t) => {
  const slab = Slab.empty('STD', DAY, 2, 5);
  const night = { text: '', rate: 1, taxes: 0, available: 5 };
  slab.priced.set('BAR', [night, night]);
  slab.add(DAY, 'booked', 1);
  t.same(slab.priced.get('BAR'), [undefined, night]);
  slab.setRate(DAY + 1, 5, 100, 0);
  t.same(slab.priced.get('BAR'), [undefined, undefined]);
});

void t.test('an overlay shows its changes, and its base only when it is applied', async (t) => {
  const base = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  const overlay = new Overlay(base);
  overlay.set('c', 3);
  overlay.set('a', 10);
  overlay.delete('b');
  t.same(
    ['a', 'b', 'c', 'd'].map((key) => overlay.get(key)),
    [10, undefined, 3, undefined],
  );
  t.same(
    [...base],
    [
      ['a', 1],
      ['b', 2],
    ],
  );
  t.same([overlay.put(), overlay.removed()], [[3, 10], ['b']]);
  overlay.apply(base);
  t.same(
    [...base],
    [
      ['a', 10],
      ['c', 3],
    ],
  );
});
