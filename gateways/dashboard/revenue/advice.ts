import { cellKey } from '../../../packages/client/src/live/replica.ts';
import { MAX_NIGHT_RATES } from '../../../src/rates/rules/night-rates.ts';
import { percentFrom } from '../grid/cell-face.ts';
import { addDays } from '../grid/days.ts';
import { advice as words } from '../messages.ts';
import { advising } from './advice-messages.ts';
import type { Advice, OptimizationView } from './shapes.ts';
import type { RevenueStore } from './store.ts';

/** State of a recommendation: accepted, outdated because the rate has changed, locked, rejected, or open. */
type AdviceStanding = 'open' | 'done' | 'moved' | 'locked' | 'rejected';

export function standingOf(desk: RevenueStore, one: Advice): AdviceStanding {
  const rate = desk.cell(cellKey(one)).value.item?.rate;
  if (rate === one.optimizedRate) return 'done';
  if (desk.revenue.locked.value.has(cellKey(one))) return 'locked';
  if (rate !== undefined && rate !== one.currentRate) return 'moved';
  return desk.revenue.rejected.value.has(cellKey(one)) ? 'rejected' : 'open';
}

/** Joins equal changes of one room type on consecutive nights in the same state, in order of the first night. */
export function grouped(all: readonly Advice[], standing: (one: Advice) => AdviceStanding): Advice[][] {
  const runs: Advice[][] = [];
  for (const one of all.toSorted((a, b) => a.date.localeCompare(b.date))) {
    const run = runs.find((nights) => continues(nights.at(-1)!, one) && standing(nights[0]!) === standing(one));
    if (run) run.push(one);
    else runs.push([one]);
  }
  return runs;
}

function continues(before: Advice, one: Advice): boolean {
  if (before.roomType !== one.roomType || addDays(before.date, 1) !== one.date) return false;
  return before.currentRate === one.currentRate && before.optimizedRate === one.optimizedRate;
}

/** Revenue of some nights before and after a change; `undefined` in a plan that does not say. */
export function gainOf(group: readonly Advice[]): { before: number; after: number } | undefined {
  let [before, after] = [0, 0];
  for (const { revenueBefore, revenueAfter } of group) {
    if (revenueBefore === undefined || revenueAfter === undefined) return undefined;
    before += revenueBefore;
    after += revenueAfter;
  }
  return { before, after };
}

/** Recommendations that bring something by their own figures, or do not say what; the others are taken one by one. */
export function worthTaking(nights: readonly Advice[]): Advice[] {
  return nights.filter((one) => {
    const gain = gainOf([one]);
    return !gain || gain.after >= gain.before;
  });
}

/** The most valuable changes first; those that do not say what they bring stay in order behind them. */
export function byValue(groups: readonly Advice[][]): Advice[][] {
  const value = (group: Advice[]): number => {
    const gain = gainOf(group);
    return gain ? gain.after - gain.before : -Infinity;
  };
  return groups
    .map((group) => ({ group, worth: value(group) }))
    .sort((a, b) => (a.worth === b.worth ? 0 : b.worth - a.worth))
    .map(({ group }) => group);
}

/** Recommendations that move a rate by at most so many percent. */
export function movesUpTo(nights: readonly Advice[], percent: number): Advice[] {
  return nights.filter(
    ({ currentRate, optimizedRate }) => Math.abs(percentFrom(optimizedRate, currentRate)) <= percent,
  );
}

/** Recommendations that the rule of the property has accepted and nobody has moved since. */
export function standingByRule(desk: RevenueStore): Advice[] {
  const newest = desk.revenue.optimization.value;
  return newest ? nightsByRule(newest).filter((one) => standingOf(desk, one) === 'done') : [];
}

/** Says for a while what the rule has accepted of recommendations that somebody has just requested. */
export async function sayByRule(desk: RevenueStore): Promise<void> {
  const rule = desk.revenue.optimization.peek()?.acceptedByRule;
  if (!rule) return;
  const nights = nightsByRule(desk.revenue.optimization.peek()!);
  const text = advising.byRule(nights.length, rule.upToPercent);
  await desk.changes.run('advice', async () => ({ text, undo: () => setBack(desk, nights, 'before') }));
}

/** Gives nights that the rule has accepted their earlier rates again. */
export function takeBack(desk: RevenueStore, nights: readonly Advice[]): Promise<boolean> {
  return desk.changes.run('advice', async () => {
    await setBack(desk, nights, 'before');
    return { text: advising.takenBack(nights.length), undo: () => setBack(desk, nights, 'after') };
  });
}

function nightsByRule({ acceptedByRule: rule, recommendations }: OptimizationView): Advice[] {
  const keys = new Set(rule?.nights.map(cellKey));
  return recommendations.filter((one) => keys.has(cellKey(one)));
}

/** Sets rates of nights to those before or after their recommendation, unless somebody has moved them. */
async function setBack(desk: RevenueStore, nights: readonly Advice[], to: 'before' | 'after'): Promise<void> {
  const wanted = nights.map(({ roomType, date, currentRate, optimizedRate }) => {
    const [rate, previousRate] = to === 'before' ? [currentRate, optimizedRate] : [optimizedRate, currentRate];
    return { roomType, date, rate, previousRate };
  });
  for (let n = 0; n < wanted.length; n += MAX_NIGHT_RATES)
    await desk.revenue.api!.setRates(wanted.slice(n, n + MAX_NIGHT_RATES));
}

/** Accepts the recommended rates of some nights, which can be taken back for a while. */
export function accept(desk: RevenueStore, nights: readonly Advice[]): Promise<boolean> {
  return desk.changes.run('advice', async () => {
    const { optimization, api } = desk.revenue;
    await api!.implement(optimization.peek()!.optimizationId, nights);
    return { text: words.accepted(nights.length), undo: () => setBack(desk, nights, 'before') };
  });
}
