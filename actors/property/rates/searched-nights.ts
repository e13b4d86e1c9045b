import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import type { PricedParty } from '../../../src/rates/rules/occupancy.ts';
import { atItsCheapest, nightPrice, type PricedCell, type StayTerms } from '../../../src/rates/rules/pricing.ts';
import type { SearchedNight, SearchedNights } from '../../../src/rates/rules/queries.ts';
import type { PricedPlan } from '../../../src/rates/rules/rate-plan.ts';
import { rulesOf } from '../../../src/rates/rules/restriction-table.ts';
import type { RestrictionDays } from '../../../src/rates/rules/restriction.ts';
import type { Slab } from '../slab.ts';
import { saleWindow, type State } from '../state.ts';
import { cellOf, hasRate, type Pricing, pricingOf, usualTerms } from './plans.ts';

type SearchedPlan = { pricing: Pricing; cheapest: readonly PricedPlan[]; rules: RestrictionDays | undefined };

/**
 * Nights of both days inclusive, by room type, as a search over many properties needs them: whether a room is free, and
 * the least that a plan which everybody can book costs for each of `parties`. Nothing is cached in the slab: a search
 * reads whole windows.
 */
export function searchedNights(
  state: State,
  start: Day,
  end: Day,
  parties: readonly PricedParty[],
): SearchedNights[] {
  const { metadata } = state.property!;
  const sold = [...state.plans.values()].filter((plan) => plan.status === 'ACTIVE' && plan.guarantee !== 'COMPANY');
  const first = Math.max(start, state.today);
  const last = Math.min(end, saleWindow(state).lastNight);
  return [...state.roomTypes.values()].map(({ roomType, maxAdults, maxChildren, maxGuests }) => {
    const slab = state.slabs.get(roomType)!;
    const plans = sold.map((plan): SearchedPlan => {
      const pricing = pricingOf(state.plans, plan);
      const cheapest = [...pricing.lineage.slice(0, -1), atItsCheapest(pricing.lineage.at(-1)!)];
      return { pricing, cheapest, rules: rulesOf(state.restrictions, plan.code, roomType) };
    });
    const nights: SearchedNight[] = [];
    for (let day = first; day <= last; day++) {
      const isFree = slab.free(day, metadata.policies.overbookingLimit) > 0;
      nights.push({ isFree, least: leastOf(slab, day, plans, { currency: metadata.currency, parties }) });
    }
    return { roomType, maxAdults, maxChildren, maxGuests, first, nights };
  });
}

/** The least price of a night for each party; undefined where no plan sells it. */
function leastOf(
  slab: Slab,
  day: Day,
  plans: readonly SearchedPlan[],
  { currency, parties }: { currency: string; parties: readonly PricedParty[] },
): Minor[] | undefined {
  let cell: PricedCell | undefined;
  let terms: StayTerms | undefined;
  /** Of plans with one price for all parties, which most are. */
  let ofAll = Infinity;
  let least: Minor[] | undefined;
  for (const { pricing, cheapest, rules } of plans) {
    if (!hasRate(slab, day, pricing) || rules?.get(day)?.stopSell) continue;
    cell ??= cellOf(slab, day, currency);
    if (pricing.varies) {
      const prices = parties.map((party) => nightPrice(cell!, cheapest, { party, nights: 1, ahead: 0 }));
      least = least ? least.map((price, index) => Math.min(price, prices[index]!)) : prices;
      continue;
    }
    const price = nightPrice(cell, pricing.lineage, (terms ??= usualTerms(slab, day)));
    // As in a quote, a price of 0 is not sold.
    if (price > 0) ofAll = Math.min(ofAll, price);
  }
  if (least) return least.map((price) => Math.min(price, ofAll));
  return ofAll === Infinity ? undefined : parties.map(() => ofAll);
}
