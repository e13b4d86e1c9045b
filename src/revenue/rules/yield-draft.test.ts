import t from 'tap';

import { YIELD_TODAY, yieldNight, testYieldProblem } from '../../testing/yield.ts';
import { genesOf } from './yield-choices.ts';
import { YieldDraft } from './yield-draft.ts';
import { YieldNights } from './yield-nights.ts';
import type { YieldNight } from './yield-problem.ts';

const week = Array.from({ length: 7 }, (_, n) => yieldNight({ day: YIELD_TODAY + 10 + n, expected: 6 + n }));

function drafts(nights: readonly YieldNight[]): {
  genes: ReturnType<typeof genesOf>;
  at(choices: number[]): YieldDraft;
} {
  const problem = testYieldProblem(nights);
  const genes = genesOf(problem);
  const known = new YieldNights(genes, problem);
  const none = nights.map(() => 0);
  return { genes, at: (choices) => new YieldDraft(genes, known, none, Int32Array.from(choices)) };
}

void t.test('a plan that sells too little is lowered evenly until it sells just enough', async (t) => {
  const { genes, at } = drafts(week);
  const plan = at(genes.map(({ now }) => now + 20));
  const needed = at(genes.map(({ now }) => now)).sold;
  t.ok(plan.sold < needed);
  plan.fill(needed);
  t.ok(plan.sold >= needed);
  t.ok(plan.sold < needed + 0.1);
  const lowered = [...plan.choices].map((choice, gene) => genes[gene]!.now - choice);
  t.ok(Math.max(...lowered) - Math.min(...lowered) <= 1, `${lowered}`);
});

void t.test('an unreachable number of rooms ends at the lowest rates', async (t) => {
  const { genes, at } = drafts(week);
  const plan = at(genes.map(({ now }) => now));
  plan.fill(1_000);
  t.same([...plan.choices], [0, 0, 0, 0, 0, 0, 0]);
});

void t.test('after each change the sales are those of a plan made anew', async (t) => {
  const { genes, at } = drafts([...week, ...week.map((night) => ({ ...night, roomType: 'A' }))]);
  const plan = at(genes.map(({ now }, gene) => now + ((gene * 5) % 9)));
  plan.fill(plan.sold + 3);
  t.same(plan.sales(), at([...plan.choices]).sales());
});

void t.test('changes that bring next to nothing are taken back, others stay', async (t) => {
  const nearlyBest = yieldNight({ expected: 2, market: 8_300 });
  const { genes, at } = drafts([nearlyBest, yieldNight({ day: YIELD_TODAY + 30, expected: 25 })]);
  const plan = at([genes[0]!.now + 1, genes[1]!.now + 40]);
  plan.forgetTrifles(-Infinity, 0);
  t.same([...plan.choices], [genes[0]!.now, genes[1]!.now + 40]);
});

void t.test('changes that the occupancy needs are not reverted', async (t) => {
  const { genes, at } = drafts([yieldNight({ expected: 5 })]);
  const plan = at([genes[0]!.now - 30]);
  plan.forgetTrifles(plan.sold, 0);
  t.same([...plan.choices], [genes[0]!.now - 30]);
  plan.forgetTrifles(0, 0);
  t.same([...plan.choices], [genes[0]!.now]);
});
