import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { PriceChange } from '../../../src/kernel/rules/commands/rates.ts';
import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { incrementOf, MAX_AMOUNT, type Minor } from '../../../src/kernel/rules/money.ts';
import { nightPrice, type PricedCell } from '../../../src/rates/rules/pricing.ts';
import { BAR } from '../../../src/rates/rules/rate-plan.ts';
import { rulesOf } from '../../../src/rates/rules/restriction-table.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import type { Slab } from '../slab.ts';
import { cellOf, nightUnder, type Pricing, pricingOf, usualTerms } from './plans.ts';

/**
 * Makes the rates of an optimization the base rates (docs/reference/rates.md#optimization): all of them, if none has
 * changed since it was computed. A night that has the recommended price already (implemented automatically) is left as
 * it is, and so is one whose rate is locked.
 * @throws DomainError RATES_MOVED with every night whose price has changed
 */
export function decideImplementRates(
  draft: Draft,
  command: CommandOf<'IMPLEMENT_RATES'>,
  context: DecisionContext,
): Decision<'IMPLEMENT_RATES'> {
  const { optimizationId } = command;
  const bar = draft.plans.get(BAR);
  if (!bar) throw new DomainError('UNKNOWN_RATE_CODE', 'The property has no best available rate.');
  const pricing = pricingOf(draft.plans, bar);
  const { currency } = draft.property!.metadata;
  const costs = (night: PriceChange): Minor | null => costOf(draft, pricing, night);
  const isLocked = ({ roomType, day }: PriceChange): boolean =>
    rulesOf(draft.restrictions, BAR, roomType)?.get(day)?.rateLocked ?? false;
  const nights = command.nights.filter((night) => !isLocked(night) && night.to !== costs(night));
  checkUnmoved(nights, costs);
  for (const { roomType, day, to } of nights) {
    const slab = draft.slab(roomType)!;
    const { base, amount } = baseFor(slab, day, { pricing, currency }, to!);
    draft.setRate(roomType, day, base, slab.multiplier(day), amount);
  }
  const moved = nights.map(({ roomType, day, from, to }) => [roomType, day, from, to] as const);
  return {
    result: { affectedDates: new Set(nights.map(({ day }) => day)).size, implementedAt: context.now },
    entity: optimizationId,
    facts: { rates: { rateId: optimizationId, nights: moved.map((night) => [...night]) } },
  };
}

function costOf(draft: Draft, pricing: Pricing, { roomType, day }: PriceChange): Minor | null {
  const slab = draft.slab(roomType);
  if (!slab?.has(day)) return null;
  return nightUnder(slab, day, pricing, draft.property!.metadata)?.rate ?? null;
}

function checkUnmoved(nights: readonly PriceChange[], costs: (night: PriceChange) => Minor | null): void {
  const changed = nights.flatMap((night) => {
    const { roomType, day, from } = night;
    const now = costs(night);
    // oxlint-disable-next-line unicorn/no-thenable -- its name on the wire
    return now === from ? [] : [{ roomType, date: formatDay(day), then: decimal(from), now: decimal(now) }];
  });
  if (changed.length === 0) return;
  throw new DomainError('RATES_MOVED', `${changed.length} nights cost something else by now.`, {
    extra: { changed },
  });
}

const decimal = (amount: Minor | null): number | null => (amount === null ? null : amount / 100);

/** Minor units by which the season's amount may change to absorb rounding and fixed surcharges. */
const REST = 10_000_000;

/**
 * The base rate at which a night costs `to` under all other rules: a price grows with its base. Where rounding skips
 * `to`, the season's amount absorbs the remaining cents, except for one cent where a percentage makes steps of two. A
 * currency without cents is computed in whole units.
 */
function baseFor(
  slab: Slab,
  day: Day,
  { pricing, currency }: { pricing: Pricing; currency: string },
  to: Minor,
): { base: Minor; amount: Minor } {
  const cell = cellOf(slab, day, currency);
  const step = incrementOf(currency);
  const price = (changed: Partial<PricedCell>): Minor =>
    nightPrice({ ...cell, ...changed }, pricing.lineage, usualTerms(slab, day));
  const base = step * leastFor(to, 1, Math.floor(MAX_AMOUNT / step), (value) => price({ base: step * value }));
  const from = cell.amount;
  if (price({ base }) === to) return { base, amount: from };
  const low = Math.ceil((from - REST) / step);
  const high = Math.floor((from + REST) / step);
  const amount = step * leastFor(to, low, high, (value) => price({ base, amount: step * value }));
  const below = to - price({ base, amount: amount - step });
  return { base, amount: below < price({ base, amount }) - to ? amount - step : amount };
}

/** The smallest value whose price is at least `to`. */
function leastFor(to: Minor, least: number, most: number, price: (value: number) => Minor): number {
  let low = least;
  let high = most;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (price(middle) >= to) high = middle;
    else low = middle + 1;
  }
  return low;
}
