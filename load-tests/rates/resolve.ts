import { ASSUMED_DEMAND, DEMAND } from '../../src/rates/rules/demand-model.ts';
import { linearSolver } from '../../src/revenue/partners/linear-solver.ts';
import { bidPricesOf } from '../../src/revenue/rules/bid-prices/bid-prices.ts';
import { changedNights } from '../../src/revenue/rules/bid-prices/expected-change.ts';
import { type LiveNight, liveTablesOf } from '../../src/revenue/rules/live-rates/live-tables.ts';

const TYPES = 10;
const NIGHTS = 365;
const ROOMS = 100;
const TODAY = 20_000;

/** A year of a room type, with a busy night a month. */
const nights: readonly LiveNight[] = Array.from({ length: NIGHTS }, (_, n) => ({
  roomType: 'STD',
  day: TODAY + n,
  capacity: ROOMS,
  booked: Math.max(0, 60 - n),
  current: 10_000,
  expected: 20 + Math.min(40, n) + (n % 30 === 9 ? 60 : 0),
  deviation: 10,
}));

/** After so many nights of the next month were booked three times. */
const booked = (count: number): LiveNight[] =>
  nights.map((night, n) =>
    n >= 10 && n < 10 + count ? { ...night, booked: night.booked + 3, expected: night.expected - 3 } : night,
  );

const solve = await linearSolver();
const solved = bidPricesOf(nights, solve);
const known = liveTablesOf({ nights, today: TODAY, demand: ASSUMED_DEMAND });
const longest = DEMAND.lengthOfStay.length;

/** Of a room type by the median of its runs; processor time, since other work does not count. */
function print(what: string, run: () => unknown): void {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  }).toSorted((one, other) => one - other);
  const each = times[2]!;
  console.log(`  ${what}: ${each.toFixed(0)} ms a type, ${((TYPES * each) / 1_000).toFixed(2)} s for ${TYPES}`);
}

print('bid prices of a year', () => bidPricesOf(nights, solve));
print('live rates of a year, first', () => liveTablesOf({ nights, today: TODAY, demand: ASSUMED_DEMAND }));
print('live rates of a year again, from the values before', () =>
  liveTablesOf({ nights, today: TODAY, demand: ASSUMED_DEMAND, values: known.values }),
);
for (const count of [2, 30]) {
  const now = booked(count);
  const only = changedNights(nights, now, longest)!;
  print(`bid prices after ${count} nights were booked (${only.size} computed)`, () =>
    bidPricesOf(now, solve, { values: solved.values, only }),
  );
  print(`live rates after ${count} nights were booked (${only.size} computed)`, () =>
    liveTablesOf({ nights: now, today: TODAY, demand: ASSUMED_DEMAND, values: known.values, only }),
  );
}
