import fc from 'fast-check';
import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import { Random } from '../../kernel/rules/random.ts';
import {
  bookedBetween,
  DEMAND,
  demandChances,
  demandLeft,
  doubtOf,
  expectedSold,
  RATE_WEIGHTS,
  remainingElasticity,
  usualPrice,
} from './demand-model.ts';

const MONDAY = dayOf('2027-03-01');
const FRIDAY = MONDAY + 4;

void t.test('the shares of the table are shares: lead times, lengths of stay, weights of rates', async (t) => {
  t.ok(Math.abs(bookedBetween(0, DEMAND.longestLeadDays) - 1) < 0.001);
  t.ok(Math.abs(DEMAND.lengthOfStay.reduce((sum, share) => sum + share, 0) - 1) < 0.001);
  const weights = RATE_WEIGHTS.reduce((sum, weight, apart) => sum + (apart === 0 ? weight : 2 * weight), 0);
  t.ok(Math.abs(weights - 1) < 1e-9);
});

void t.test('lead times that follow each other add up', async (t) => {
  const parts = bookedBetween(0, 4) + bookedBetween(5, 40) + bookedBetween(41, 365);
  t.ok(Math.abs(parts - bookedBetween(0, 365)) < 1e-9);
  t.equal(bookedBetween(10, 9), 0);
});

void t.test('demand for a night is more elastic the further it is, and more at weekends', async (t) => {
  t.equal(remainingElasticity(MONDAY, MONDAY), 0.8);
  t.equal(remainingElasticity(FRIDAY, FRIDAY).toFixed(6), '0.900000');
  const ahead = [1, 10, 40, 100, 300].map((days) => remainingElasticity(MONDAY, MONDAY - days));
  t.same(
    ahead,
    ahead.toSorted((one, other) => one - other),
  );
  t.ok(ahead.at(-1)! < 1.2, 'late demand is among it');
});

void t.test('demand follows the price at the elasticity of the table, and no change leaves all of it', async (t) => {
  t.equal(demandLeft(1.2, 0), 1);
  t.ok(Math.abs(demandLeft(1.2, 0.01) - (1 - 0.012)) < 1e-4);
  t.ok(demandLeft(1.2, 0.5) < demandLeft(1.2, 0.1));
});

void t.test('competitors move what is usual, as far as they are comparable', async (t) => {
  t.equal(usualPrice(10_000, undefined), 10_000);
  t.equal(usualPrice(10_000, 12_000), 12_000);
  t.equal(usualPrice(10_000, 90_000), 15_000);
});

void t.test('expected sales of Poisson demand are what its probabilities say', async (t) => {
  // 1 room, demand 0.5: it sells with probability 1 - e^-0.5.
  t.ok(Math.abs(expectedSold(0.5, 0, 1) - (1 - Math.exp(-0.5))) < 1e-12);
  t.same([expectedSold(0, 0, 5), expectedSold(3, 0, 0), expectedSold(Number.NaN, 0, 5)], [0, 0, 0]);
});

void t.test('expected sales agree with demand that is drawn, sure and unsure', async (t) => {
  const random = new Random(11);
  for (const [mean, doubt, rooms] of [
    [4, 0, 5],
    [12, 0.1, 10],
    [30, 0.25, 25],
  ] as const) {
    const draws = 20_000;
    let sold = 0;
    for (let n = 0; n < draws; n++) sold += Math.min(rooms, poisson(mean * gamma(doubt, random), random));
    t.ok(Math.abs(sold / draws - expectedSold(mean, doubt, rooms)) < 0.02 * rooms, `mean ${mean}, doubt ${doubt}`);
  }
});

void t.test('rooms sold are never more than the rooms or the demand, and grow with both', async () => {
  const mean = fc.double({ min: 0.01, max: 400, noNaN: true });
  const doubt = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(mean, doubt, fc.integer({ min: 1, max: 400 }), (mean, doubt, rooms) => {
      const sold = expectedSold(mean, doubt, rooms);
      const most = Math.min(mean, rooms) * (1 + 1e-9);
      return (
        sold >= 0 &&
        sold <= most &&
        expectedSold(mean * 1.1, doubt, rooms) >= sold - 1e-9 &&
        (rooms === 300 || expectedSold(mean, doubt, rooms + 1) >= sold - 1e-9)
      );
    }),
    { examples: [[5.71050842821523, 0.0000031582394085959926, 169]] },
  );
});

void t.test('counting and the normal distribution meet where one takes over from the other', async (t) => {
  for (const mean of [250, 300, 350]) {
    const [counted, normal] = [expectedSold(mean, 0.01, 300), expectedSold(mean, 0.01, 301)];
    t.ok(normal > counted - 0.5 && normal < counted + 1.5, `${mean}: ${counted} and ${normal}`);
  }
});

void t.test('a forecast is in doubt for what its deviation has beyond chance', async (t) => {
  t.equal(doubtOf(16, 4), 0);
  t.equal(doubtOf(16, 3), 0);
  t.equal(doubtOf(10, Math.sqrt(10 + 0.04 * 100)).toFixed(6), '0.040000');
  t.same([doubtOf(0, 3), doubtOf(5e-324, 3), doubtOf(1e-6, 3)], [0, 0, 4]);
});

function poisson(mean: number, random: Random): number {
  let count = 0;
  for (let product = random.next(); product > Math.exp(-mean); product *= random.next()) count += 1;
  return count;
}

/** Mean 1, variance `doubt`: a sum of exponential draws, which is exact where 1 / doubt is whole. */
function gamma(doubt: number, random: Random): number {
  if (doubt === 0) return 1;
  const shape = Math.round(1 / doubt);
  let sum = 0;
  for (let n = 0; n < shape; n++) sum -= Math.log(1 - random.next());
  return sum / shape;
}

void t.test('chances of each number of rooms sum to what is sold of them', async (t) => {
  for (const [mean, doubt, rooms] of [
    [8, 0, 12],
    [8, 0.3, 12],
    [0.01, 2, 3],
    [150, 0.02, 140],
    [0, 0.5, 4],
    [320, 0.001, 310],
  ] as const) {
    const chances = demandChances(mean, doubt, { first: 1, last: rooms });
    const sold = chances.reduce((sum, chance) => sum + chance, 0);
    t.ok(Math.abs(sold - expectedSold(mean, doubt, rooms)) < 1e-2 + mean / 1e4, `${mean}: ${sold}`);
    t.ok(chances.every((chance, index) => index === 0 || chance <= chances[index - 1]!));
    t.same(demandChances(mean, doubt, { first: 3, last: rooms }), chances.slice(2));
  }
});
