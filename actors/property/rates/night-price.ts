import type { PriceChange } from '../../../src/kernel/rules/commands/rates.ts';
import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import { incrementOf, MAX_AMOUNT, type Minor } from '../../../src/kernel/rules/money.ts';
import { nightPrice, type PricedCell } from '../../../src/rates/rules/pricing.ts';
import { BAR } from '../../../src/rates/rules/rate-plan.ts';
import type { Draft } from '../draft.ts';
import type { Slab } from '../slab.ts';
import { cellOf, nightUnder, type Pricing, pricingOf, usualTerms } from './plans.ts';

type Cell = { roomType: string; day: Day };

/** Pricing of the best available rate. @throws DomainError UNKNOWN_RATE_CODE */
export function pricingOfBar(draft: Draft): Pricing {
  const bar = draft.plans.get(BAR);
  if (!bar) throw new DomainError('UNKNOWN_RATE_CODE', 'The property has no best available rate.');
  return pricingOf(draft.plans, bar);
}

/** What a night costs under the best available rate; null without a price. */
export function costOf(draft: Draft, pricing: Pricing, { roomType, day }: Cell): Minor | null {
  const slab = draft.slab(roomType);
  if (!slab?.has(day)) return null;
  return nightUnder(slab, day, pricing, draft.property!.metadata)?.rate ?? null;
}

/** Sets the base rate of a night so that it costs `to` under the best available rate, as nearly as its rules allow. */
export function priceAt(draft: Draft, pricing: Pricing, { roomType, day }: Cell, to: Minor): void {
  const slab = draft.slab(roomType)!;
  const { currency } = draft.property!.metadata;
  const { base, amount } = baseFor(slab, day, { pricing, currency }, to);
  draft.setRate(roomType, day, base, slab.multiplier(day), amount);
}

/**
 * Checks that nights cost what somebody has seen before he changed them.
 * @param now what each costs, by its index
 * @throws DomainError RATES_MOVED with each that costs something else
 */
export function checkUnmoved(
  nights: readonly (Cell & { from?: Minor | null | undefined })[],
  now: readonly (Minor | null)[],
): void {
  const changed = nights.flatMap(({ roomType, day, from }, index) => {
    const cost = now[index]!;
    if (from === undefined || from === cost) return [];
    // oxlint-disable-next-line unicorn/no-thenable -- its name on the wire
    return [{ roomType, date: formatDay(day), then: decimal(from), now: decimal(cost) }];
  });
  if (changed.length === 0) return;
  throw new DomainError('RATES_MOVED', `${changed.length} nights cost something else by now.`, {
    extra: { changed },
  });
}

const decimal = (amount: Minor | null): number | null => (amount === null ? null : amount / 100);

/** What an event says of changed prices. */
export function rateFacts(rateId: string, changes: readonly PriceChange[]): NonNullable<Facts['rates']> {
  return { rateId, nights: changes.map(({ roomType, day, from, to }) => [roomType, day, from, to]) };
}

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
