import t from 'tap';

import { ASSUMED_DEMAND, type LearnedDemand } from '../../../rates/rules/demand-model.ts';
import { factorAt, isValidLive } from '../../../rates/rules/live-signal.ts';
import { type LiveNight, liveTablesOf, withinDay } from './live-tables.ts';

const TODAY = 20_000;

/** Three weeks of 20 rooms with little demand; night 10 is given. */
function nights(busy: Partial<LiveNight> = {}): LiveNight[] {
  return Array.from({ length: 21 }, (_, n) => ({
    roomType: 'STD',
    day: TODAY + n,
    capacity: 20,
    booked: 8,
    current: 10_000,
    expected: 4,
    deviation: 2,
    ...(n === 10 && busy),
  }));
}

const tables = (of: readonly LiveNight[], demand: LearnedDemand = ASSUMED_DEMAND) =>
  liveTablesOf({ nights: of, today: TODAY, demand }).tables;
const minding = (factor: number): LearnedDemand => ({
  ...ASSUMED_DEMAND,
  elasticity: ASSUMED_DEMAND.elasticity.map(({ fromDays, weekday, weekend }) => ({
    fromDays,
    weekday: factor * weekday,
    weekend: factor * weekend,
  })),
});
/** The factor of night 10 with its rooms left, or others. */
const factor = (busy: Partial<LiveNight>, { left = 12, demand = ASSUMED_DEMAND } = {}): number =>
  factorAt({ ...tables(nights(busy), demand)[10]!, start: 10_000, on: TODAY }, left);

void t.test('each night has factors by rooms left, which rise as rooms are sold', async (t) => {
  for (const table of tables(nights())) {
    t.ok(isValidLive({ ...table, start: 10_000, on: TODAY }));
    t.same(
      table.factors,
      table.factors.toSorted((one, other) => one - other),
    );
    t.ok(table.rooms >= 12 && table.rooms - (table.factors.length - 1) * table.step <= 1, 'down to the last room');
    t.ok(table.factors.at(-1)! > table.factors[0]!);
  }
});

void t.test('more demand, fewer rooms and guests who mind less cost more', async (t) => {
  const usual = factor({});
  t.ok(factor({ expected: 25, deviation: 5 }) > 1.1 * usual);
  t.ok(factor({ expected: 10 }, { left: 2 }) > factor({ expected: 10 }, { left: 12 }));
  t.ok(factor({}, { demand: minding(0.7) }) > usual && factor({}, { demand: minding(1.4) }) < usual);
  t.ok(factor({ market: 12_000 }) > factor({ market: 10_000 }), 'guests take the competitors for usual');
});

void t.test('stays over a busy night make the nights around it dearer to give away', async (t) => {
  const one = liveTablesOf({ nights: nights({ expected: 40, deviation: 7 }), today: TODAY, demand: ASSUMED_DEMAND });
  const none = liveTablesOf({ nights: nights(), today: TODAY, demand: ASSUMED_DEMAND });
  t.ok(one.values.get(TODAY + 10)! > none.values.get(TODAY + 10)!);
});

void t.test('from known values one round is as good as the first ones', async (t) => {
  const input = { nights: nights({ expected: 18, deviation: 5 }), today: TODAY, demand: ASSUMED_DEMAND };
  const first = liveTablesOf(input);
  const again = liveTablesOf({ ...input, values: first.values });
  for (const [n, { factors }] of again.tables.entries())
    for (const [at, one] of factors.entries())
      t.ok(Math.abs(one / first.tables[n]!.factors[at]! - 1) < 0.02, `${n} ${at}`);
});

void t.test('only the nights that have changed get new tables, as if all were computed', async (t) => {
  const input = { nights: nights(), today: TODAY, demand: ASSUMED_DEMAND };
  const { values } = liveTablesOf(input);
  const changed = { ...input, nights: nights({ booked: 16, expected: 3 }), values };
  const only = new Set(Array.from({ length: 13 }, (_, n) => TODAY + 4 + n));
  const part = liveTablesOf({ ...changed, only });
  const whole = liveTablesOf(changed);
  t.same(
    part.tables.map(({ day }) => day),
    [...only],
  );
  const apart = part.tables.map(({ day, factors }) => {
    const same = whole.tables.find((table) => table.day === day)!.factors;
    return Math.max(...factors.map((factor, at) => Math.abs(factor / same[at]! - 1)));
  });
  t.ok(Math.max(...apart) < 0.02, apart.join(' '));
  t.equal(part.values.get(TODAY + 20), values.get(TODAY + 20), 'the others are worth what they were');
});

void t.test('bad input: no nights, no price, no demand, no rooms, oversold, one room, gaps', async (t) => {
  t.same(tables([]), []);
  t.same(tables([{ ...nights()[0]!, current: 0 }]), [], 'a rate of 0');
  for (const odd of [
    { expected: 0, deviation: 0 },
    { expected: 1e-9, deviation: 1e-9 },
    { capacity: 0, booked: 0 },
    { booked: 25 },
    { capacity: 1, booked: 0 },
    { expected: 500, deviation: 300 },
    { market: 1 },
    { market: 1_000_000 },
  ])
    t.ok(
      tables(nights(odd)).every((table) => isValidLive({ ...table, start: 10_000, on: TODAY })),
      JSON.stringify(odd),
    );
  t.equal(tables(nights().filter((_, n) => n % 3)).length, 14);
});

void t.test('no rate leaves the limits of its day', async (t) => {
  t.same(withinDay([5_000, 8_500, 10_000, 12_500, 30_000], 10_000), [8_500, 8_500, 10_000, 12_500, 12_500]);
  t.same(withinDay([1, 32_000], 30_001), [25_501, 32_000]);
  t.same(withinDay([1], 1), [1]);
});
