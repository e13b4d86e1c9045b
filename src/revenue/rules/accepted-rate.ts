import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** A recommended rate that was accepted (docs/reference/rates.md#what-came-of-it). */
export type AcceptedRate = {
  optimizationId: string;
  roomType: string;
  day: Day;
  acceptedAt: Instant;
  /** The user; of a rule who has set it. */
  acceptedBy: string;
  byRule: boolean;
  from: Minor;
  to: Minor;
  /** Expected of the rooms that were still to be sold. */
  roomsExpected: number;
  /** The same at the rate before, and at the accepted one. */
  revenueBefore: Minor;
  revenueExpected: Minor;
  /** On the books at that time. */
  roomsBooked: number;
  revenueBooked: Minor;
};

/** What a night has ended with. */
type NightEnd = { rooms: number; revenue: Minor };

/** Rooms and revenue that a night has gained since its rate was accepted; below 0 where more was cancelled. */
export type RateOutcome = AcceptedRate & { actual?: NightEnd };

/** @param end of a night that is over */
export function outcomeOf(accepted: AcceptedRate, end: NightEnd | undefined): RateOutcome {
  if (!end) return accepted;
  const { roomsBooked, revenueBooked } = accepted;
  return { ...accepted, actual: { rooms: end.rooms - roomsBooked, revenue: end.revenue - revenueBooked } };
}

/** Sums over the nights that are over. */
export type OutcomeTotals = {
  accepted: number;
  over: number;
  revenueBefore: Minor;
  revenueExpected: Minor;
  revenueActual: Minor;
};

/** What was expected of the nights that are over, and what came of it. */
export function totalsOf(outcomes: readonly RateOutcome[]): OutcomeTotals {
  const over = outcomes.filter(({ actual }) => actual !== undefined);
  return {
    accepted: outcomes.length,
    over: over.length,
    revenueBefore: sum(over, ({ revenueBefore }) => revenueBefore),
    revenueExpected: sum(over, ({ revenueExpected }) => revenueExpected),
    revenueActual: sum(over, ({ actual }) => actual!.revenue),
  };
}

/**
 * The rates with which the day began, of nights that still have the rate that was accepted last: what somebody has set
 * by hand since is a beginning of its own.
 * @param accepted of this business date
 */
export function ratesOfDayStart(
  accepted: readonly AcceptedRate[],
  currentOf: (night: { roomType: string; day: Day }) => Minor | undefined,
): Map<string, Minor> {
  const starts = new Map<string, Minor>();
  for (const [key, all] of Map.groupBy(accepted, nightKeyOf)) {
    const inOrder = all.toSorted((one, other) => one.acceptedAt - other.acceptedAt);
    const last = inOrder.at(-1)!;
    if (currentOf(last) === last.to) starts.set(key, inOrder[0]!.from);
  }
  return starts;
}

/**
 * The rates before recommendations moved them, one after the other, of nights that still have the rate that was accepted
 * last.
 * @param accepted of some weeks
 */
export function unadvisedRates(
  accepted: readonly AcceptedRate[],
  currentOf: (night: { roomType: string; day: Day }) => Minor | undefined,
): Map<string, Minor> {
  const before = new Map<string, Minor>();
  for (const [key, all] of Map.groupBy(accepted, nightKeyOf)) {
    let rate = currentOf(all[0]!);
    const newestFirst = all.toSorted((one, other) => other.acceptedAt - one.acceptedAt);
    for (const { from, to } of newestFirst) {
      if (to !== rate) break;
      rate = from;
      before.set(key, rate);
    }
  }
  return before;
}

/** One night of one room type, as a key. */
export function nightKeyOf({ roomType, day }: { roomType: string; day: Day }): string {
  return `${day} ${roomType}`;
}
