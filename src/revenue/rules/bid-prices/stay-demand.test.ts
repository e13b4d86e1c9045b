import fc from 'fast-check';
import t from 'tap';

import type { Day } from '../../../kernel/rules/dates.ts';
import { DEMAND } from '../../../rates/rules/demand-model.ts';
import { stayDemand } from './stay-demand.ts';

const days = (count: number): Day[] => Array.from({ length: count }, (_, n) => 20_000 + n);

/** What all stays together need of each night. */
function covered(demand: readonly number[], on: readonly Day[] = days(demand.length)): number[] {
  const { arrival, length, stays } = stayDemand(on, Float64Array.from(demand));
  const sums = demand.map(() => 0);
  for (const [stay, expected] of stays.entries())
    for (let n = 0; n < length[stay]!; n++) sums[arrival[stay]! + n]! += expected;
  return sums;
}

void t.test('steady demand has the lengths of stay of the demand model', async (t) => {
  const { arrival, length, stays } = stayDemand(days(60), new Float64Array(60).fill(10));
  const from30 = [...stays].filter((_, stay) => arrival[stay] === 30);
  const all = from30.reduce((sum, expected) => sum + expected, 0);
  for (const [index, share] of DEMAND.lengthOfStay.entries())
    t.ok(Math.abs(from30[index]! / all - share) < 0.005, `${length[index]} nights`);
});

void t.test('stays over a night sum to its demand, whatever that of the nights around it', async (t) => {
  for (const demand of [
    [1, 8, 2, 9, 9, 3, 0, 4, 5],
    [5, 5, 5, 40, 5, 5, 5],
  ])
    for (const [night, sum] of covered(demand).entries())
      t.ok(Math.abs(sum - demand[night]!) < 0.03 * demand[night]! + 1e-9, `${sum} for ${demand[night]}`);
});

void t.test('no stay leads over a night without demand or over a gap', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ demand: fc.constantFrom(0, 0.5, 3, 20), gap: fc.constantFrom(1, 1, 1, 2) }), {
        maxLength: 20,
      }),
      (nights) => {
        let day = 20_000;
        const on = nights.map(({ gap }) => (day += gap));
        const { arrival, length, stays } = stayDemand(
          on,
          Float64Array.from(nights, ({ demand }) => demand),
        );
        for (const [stay, expected] of stays.entries()) {
          if (!(expected > 0) || !Number.isFinite(expected)) return false;
          const last = arrival[stay]! + length[stay]! - 1;
          if (on[last]! - on[arrival[stay]!]! !== length[stay]! - 1) return false;
          for (let night = arrival[stay]!; night <= last; night++) if (nights[night]!.demand === 0) return false;
        }
        return true;
      },
    ),
  );
  t.end();
});
