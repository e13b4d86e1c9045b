import { cellKey } from '../../../src/live/contracts/replica.ts';
import { addDays } from '../grid/days.ts';
import type { Advice } from './shapes.ts';
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

/** Accepts the recommended rates of some nights, and reports the result. */
export async function accept(
  desk: RevenueStore,
  nights: readonly Advice[],
  said: (nights: number) => string,
): Promise<void> {
  const { optimization, api } = desk.revenue;
  if (!api || !optimization.value) return;
  await api.implement(optimization.value.optimizationId, nights);
  desk.announcement.value = said(nights.length);
}
