import t from 'tap';

import { DEMAND } from '../../../rates/rules/demand-model.ts';
import { learnLengths } from './stay-lengths.ts';

const total = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0);

void t.test('lengths of stay go from the assumptions to the own bookings as they come', async (t) => {
  const assumed = learnLengths([], []);
  t.match(assumed, { from: 'PRIOR', bookings: 0 });
  const few = learnLengths([10], []);
  const many = learnLengths([1_000], []);
  t.match([few.from, many.from], ['PRIOR', 'PROPERTY']);
  const [one, two, three] = [assumed, few, many].map(({ shares }) => shares[0]!) as [number, number, number];
  t.ok(one < two && two < three && three > 0.9, `${one} ${two} ${three}`);
  for (const { shares } of [assumed, few, many]) t.ok(Math.abs(total(shares) - 1) < 1e-9);
});

void t.test('a new property has the lengths of its chain, of which the largest is not all', async (t) => {
  const large = [0, 100_000, 0, 0, 0, 0, 0];
  const small = [300, 0, 0, 0, 0, 0, 0];
  const { shares, from } = learnLengths([], [large, small, small, small]);
  t.equal(from, 'CHAIN');
  t.ok(shares[0]! > shares[1]! && shares[1]! > DEMAND.lengthOfStay[1], shares.join(' '));
});
