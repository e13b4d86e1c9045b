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

const ratesOf = (plan: YieldDraft): number[] => plan.sales().map(({ rate }) => rate);

void t.test('a plan that sells too little is lowered evenly until it sells just enough', async (t) => {
  const { genes, at } = drafts(week);
  const plan = at(genes.map(({ now }) => now + 9));
  const needed = at(genes.map(({ now }) => now)).sold;
  t.ok(plan.sold < needed);
  plan.fill(needed);
  t.ok(plan.sold >= needed);
  t.ok(plan.sold < needed + 0.1);
  const rates = ratesOf(plan);
  t.ok(Math.max(...rates) - Math.min(...rates) <= 100, `one choice apart: ${rates}`);
});

void t.test('nights of one gene are lowered together', async (t) => {
  const genes = genesOf(testYieldProblem(week, { strategy: 'FIXED' }));
  const nights = new YieldNights(genes, testYieldProblem(week));
  const at = (choice: number): YieldDraft =>
    new YieldDraft(
      genes,
      nights,
      week.map(() => 0),
      Int32Array.of(choice),
    );
  const plan = at(genes[0]!.now);
  plan.fill(plan.sold + 0.5);
  t.equal(new Set(ratesOf(plan)).size, 1);
  t.ok(ratesOf(plan)[0]! < 10_000);
});

void t.test('an unreachable number of rooms ends at the lowest rates', async (t) => {
  const { genes, at } = drafts(week);
  const plan = at(genes.map(({ now }) => now));
  plan.fill(1_000);
  t.same(ratesOf(plan), [8_500, 8_500, 8_500, 8_500, 8_500, 8_500, 8_500]);
});

void t.test('after each change the sales are those of a plan made anew', async (t) => {
  const { genes, at } = drafts([...week, ...week.map((night) => ({ ...night, roomType: 'A' }))]);
  const plan = at(genes.map(({ now }, gene) => now + ((gene * 5) % 9)));
  plan.fill(plan.sold + 3);
  plan.leave(3);
  plan.ease(6);
  plan.lowerTowards(at(genes.map(({ now }) => now - 3)), plan.sold + 5);
  const choices = ratesOf(plan).map((rate, gene) => genes[gene]!.choices[0]!.indexOf(rate));
  t.same(plan.sales(), at(choices).sales());
});

void t.test('a change is taken back by half, and wholly in the end', async (t) => {
  const { genes, at } = drafts([yieldNight()]);
  const plan = at([genes[0]!.now - 9]);
  const seen = [1, 2, 3, 4].map(() => {
    plan.ease(0);
    return ratesOf(plan)[0];
  });
  t.same(seen, [9_600, 9_800, 9_900, 10_000]);
  t.same(plan.changed(), []);
});

void t.test('a copy changes on its own', async (t) => {
  const { genes, at } = drafts(week);
  const plan = at(genes.map(() => 0));
  const copy = plan.copy();
  copy.leave(2);
  t.same([plan.changed().length, copy.changed().length], [7, 6]);
  t.equal(plan.copy().sold, plan.sold);
});
