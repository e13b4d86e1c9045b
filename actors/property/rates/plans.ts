import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { decimalText, incrementOf, type Minor } from '../../../src/kernel/rules/money.ts';
import { bidAt } from '../../../src/rates/rules/bid-signal.ts';
import { factorAt } from '../../../src/rates/rules/live-signal.ts';
import { nightTax, type SaleTerms } from '../../../src/rates/rules/night-charges.ts';
import { adultsOnly } from '../../../src/rates/rules/occupancy.ts';
import { nightPrice, type PricedCell, type StayTerms } from '../../../src/rates/rules/pricing.ts';
import { dependsOnStay, lineageOf, type RatePlan, sellsType } from '../../../src/rates/rules/rate-plan.ts';
import type { PricedNight, Slab } from '../slab.ts';

/** A plan with everything that its prices depend on. */
export type Pricing = {
  plan: RatePlan;
  /** The plan first, then its parents up to the one with its own prices. */
  lineage: readonly RatePlan[];
  /** Whether the price of a night depends on the party, the length of stay, or the lead time. */
  varies: boolean;
};

/** Cached by the map of all plans, which is replaced whenever one of them changes. */
const known = new WeakMap<ReadonlyMap<string, RatePlan>, Map<RatePlan, Pricing>>();

/** How a plan is priced among the others. */
export function pricingOf(plans: ReadonlyMap<string, RatePlan>, plan: RatePlan): Pricing {
  let pricings = known.get(plans);
  if (!pricings) known.set(plans, (pricings = new Map()));
  let pricing = pricings.get(plan);
  if (!pricing) {
    const lineage = lineageOf(plans, plan);
    pricings.set(plan, (pricing = { plan, lineage, varies: dependsOnStay(lineage.at(-1)!) }));
  }
  return pricing;
}

/** Terms by which dashboards show a plan that is priced by stay: two guests, one night, arriving on that day. */
export function usualTerms(slab: Slab, day: Day): StayTerms {
  return { party: adultsOnly(2), nights: 1, ahead: day - slab.first };
}

/** Whether a plan sells the room type on a night that has a rate; its rules may still leave no price. */
export function hasRate(slab: Slab, day: Day, { plan, lineage }: Pricing): boolean {
  const { validFrom = -Infinity, validTo = Infinity } = plan;
  if (!sellsType(lineage, slab.roomType)) return false;
  return day >= validFrom && day <= validTo && (slab.base(day) >= 0 || lineage.at(-1)!.baseRate !== undefined);
}

/**
 * A night under a plan, from the slab's cache or computed and cached; undefined where it is not sold: without a rate,
 * or when the rules leave a price of 0 (docs/reference/rates.md#rate-plans). Nights of plans that are priced by stay
 * are computed for each stay.
 */
export function nightUnder(
  slab: Slab,
  day: Day,
  pricing: Pricing,
  sale: SaleTerms,
  terms?: StayTerms,
): PricedNight | undefined {
  if (terms && (pricing.varies || terms.dayUse !== undefined)) return computed(slab, day, pricing, sale, terms);
  const { code } = pricing.plan;
  let nights = slab.priced.get(code);
  if (!nights) slab.priced.set(code, (nights = []));
  const index = day - slab.first;
  return (nights[index] ??= computed(slab, day, pricing, sale, usualTerms(slab, day)));
}

function computed(
  slab: Slab,
  day: Day,
  pricing: Pricing,
  { policies, currency }: SaleTerms,
  terms: StayTerms,
): PricedNight | undefined {
  if (!hasRate(slab, day, pricing)) return undefined;
  const rate = nightPrice(cellOf(slab, day, currency), pricing.lineage, terms);
  // A rule that leaves a price of 0 is taken for a mistake. Free nights come from a promotion or a group's rate.
  if (rate === 0) return undefined;
  const { taxPercent, overbookingLimit } = policies;
  const available = Math.max(0, slab.free(day, overbookingLimit));
  return { text: nightText(day, rate, available), rate, taxes: nightTax(rate, { taxPercent, currency }), available };
}

/** Why a night is not sold under a plan. */
export function notSold(slab: Slab, day: Day, pricing: Pricing): DomainError {
  const date = formatDay(day);
  const { code } = pricing.plan;
  if (!sellsType(pricing.lineage, slab.roomType))
    return new DomainError('NO_RATE', `The plan ${code} does not sell ${slab.roomType}.`, { date });
  const words = hasRate(slab, day, pricing)
    ? `The price under ${code} of the night of ${date} comes to 0.00, so it is not sold.`
    : `No rate is set for the night of ${date}.`;
  return new DomainError('NO_RATE', words, { date });
}

/** Unavailable rooms: sold, held, or off sale. Each makes the remaining ones dearer (bid price). */
function scarce(slab: Slab, day: Day): number {
  const taken = slab.blocked(day) + slab.usual - slab.total(day);
  return Math.max(0, slab.count(day, 'booked') + slab.count(day, 'held') + taken);
}

/** What affects the price of a cell. */
export function cellOf(slab: Slab, day: Day, currency: string): PricedCell {
  const increment = incrementOf(currency);
  const sold = scarce(slab, day);
  const bid = slab.bid(day);
  const live = slab.live(day);
  return {
    roomType: slab.roomType,
    day,
    base: slab.base(day),
    multiplier: slab.multiplier(day),
    amount: slab.amount(day),
    sold,
    demand: slab.demand(day),
    market: slab.market(day),
    ...(bid && { bid: bidAt(bid, slab.usual - sold) }),
    ...(live && { live: factorAt(live, slab.usual - sold) }),
    ...(increment > 1 && { increment }),
  };
}

/** A night as quotes print it. */
export function nightText(day: Day, rate: Minor, available: number): string {
  return `{"date":"${formatDay(day)}","rate":${decimalText(rate)},"availability":${available}}`;
}
