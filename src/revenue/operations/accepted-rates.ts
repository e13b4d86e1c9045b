import { MAX_RANGE_DAYS } from '../../kernel/contracts/fields.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { PriceChange } from '../../kernel/rules/commands/rates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { endOfBusinessDay, type Instant } from '../../kernel/rules/property-time.ts';
import { clockOf } from '../../properties/rules/property.ts';
import type { OutcomesQuery } from '../contracts/outcomes.ts';
import type { Optimization } from '../ports.ts';
import {
  nightKeyOf,
  outcomeOf,
  type OutcomeTotals,
  type RateOutcome,
  ratesOfDayStart,
  totalsOf,
  unadvisedRates,
} from '../rules/accepted-rate.ts';

type Accepted = { changes: readonly PriceChange[]; at: Instant; by: string; byRule: boolean };

/**
 * Records recommendations that were accepted, with what is on the books of their nights. The rates are made by then: a
 * failure is logged, and a repeat of the request records them.
 */
export async function recordAccepted(
  services: Pick<Services, 'acceptedRates' | 'revenue' | 'log'>,
  to: Address,
  { id, plan }: Optimization,
  { changes, at, by, byRule }: Accepted,
): Promise<void> {
  const recommended = new Map(plan!.recommendations.map((one) => [nightKeyOf(one), one]));
  const nights = changes.flatMap((change) => recommended.get(nightKeyOf(change)) ?? []);
  if (nights.length === 0) return;
  try {
    const days = nights.map(({ day }) => day);
    const sold = await services.revenue(to, Math.min(...days), Math.max(...days));
    const books = new Map(sold.map((night) => [nightKeyOf(night), night]));
    const accepted = nights.map((night) => {
      const { roomType, day, current: from, optimized, revenueBefore = 0, revenueAfter = 0, roomsAfter = 0 } = night;
      const { rooms = 0, revenue = 0 } = books.get(nightKeyOf(night)) ?? {};
      const expected = { roomsExpected: roomsAfter, revenueBefore, revenueExpected: revenueAfter };
      const then = { roomsBooked: rooms, revenueBooked: revenue };
      const who = { acceptedAt: at, acceptedBy: by, byRule };
      return { optimizationId: id, roomType, day, ...who, from, to: optimized, ...expected, ...then };
    });
    await services.acceptedRates.record(to, accepted);
  } catch (error) {
    services.log.warn({ ...to, id, error: String(error) }, 'accepted rates were not recorded');
  }
}

export type RateOutcomes = { outcomes: RateOutcome[]; totals: OutcomeTotals; seq: number };

/**
 * Accepted recommendations of some nights, newest first, and for nights that are over what came of them
 * (docs/reference/rates.md#what-came-of-it).
 */
export async function readOutcomes(
  services: Pick<Services, 'properties' | 'acceptedRates' | 'revenue'>,
  { tenantId }: Caller,
  { propertyId, startDate, endDate }: OutcomesQuery,
): Promise<RateOutcomes> {
  const to = { tenantId, propertyId };
  const view = await services.properties.view(to);
  const end = endDate ?? view.businessDate - 1;
  const start = Math.max(startDate ?? end - USUAL_DAYS + 1, end - MAX_RANGE_DAYS + 1);
  const accepted = await services.acceptedRates.ofNights(to, start, end);
  const lastOver = Math.min(end, view.businessDate - 1);
  const sold = accepted.length === 0 || lastOver < start ? [] : await services.revenue(to, start, lastOver);
  const ends = new Map(sold.map((night) => [nightKeyOf(night), night]));
  const outcomes = accepted.map((one) =>
    outcomeOf(one, one.day > lastOver ? undefined : (ends.get(nightKeyOf(one)) ?? { rooms: 0, revenue: 0 })),
  );
  return { outcomes, totals: totalsOf(outcomes), seq: view.seq };
}

/** Nights of an answer without dates. */
const USUAL_DAYS = 30;

/** Weeks in which a night without a reason of its own is raised by one step (`rateBounds`). */
const ADVISED_MS = 28 * 86_400_000;

type RatesBefore = { dayStarts: ReadonlyMap<string, Minor>; unadvised: ReadonlyMap<string, Minor> };

/** The rates with which the business date, and those weeks, began, where recommendations have moved them since. */
export async function ratesBeforeAdvice(
  { acceptedRates }: Pick<Services, 'acceptedRates'>,
  to: Address,
  view: PropertyView,
  nights: readonly { roomType: string; day: number; rate: Minor }[],
): Promise<RatesBefore> {
  const began = endOfBusinessDay(view.businessDate - 1, clockOf(view.setup.property));
  const rates = new Map(nights.map((night) => [nightKeyOf(night), night.rate]));
  const currentOf = (night: Parameters<typeof nightKeyOf>[0]): Minor | undefined => rates.get(nightKeyOf(night));
  const accepted = await acceptedRates.since(to, began - ADVISED_MS);
  const ofDay = accepted.filter(({ acceptedAt }) => acceptedAt >= began);
  return { dayStarts: ratesOfDayStart(ofDay, currentOf), unadvised: unadvisedRates(accepted, currentOf) };
}
