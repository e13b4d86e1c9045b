import type { Minor } from '../../../src/kernel/rules/money.ts';
import type { NightBasis, PriceBasis } from '../../../src/rates/rules/price-basis.ts';
import type { PricedPlan } from '../../../src/rates/rules/rate-plan.ts';
import { daysOf, type Stay } from '../../../src/rates/rules/stay.ts';
import { cellOf, type Pricing } from '../rates/plans.ts';
import type { Slab } from '../slab.ts';
import type { State } from '../state.ts';

type Now = Pick<State, 'property' | 'today'>;

/** Everything that the current prices of a stay follow from, so that they hold for any guests. */
export function basisOfNow(
  now: Now,
  slab: Slab,
  stay: Stay,
  { lineage }: Pick<Pricing, 'lineage'>,
  lists: readonly Minor[],
): PriceBasis {
  const { currency } = now.property!.metadata;
  return {
    lineage,
    ...ageBandsOf(now, lineage),
    nights: listedNights(now, stay, lists).map((night) => ({ ...night, cell: cellOf(slab, night.day, currency) })),
  };
}

/**
 * What a promise of the current prices has to remember, so that a change of its booking is priced as of then; `undefined`
 * where nothing of them depends on the stay. A hold has its promotion only when it is booked.
 * @param lists prices before the promotion
 */
export function promisedBasis(
  now: Now,
  slab: Slab,
  stay: Stay & { promoCode?: string | undefined },
  pricing: Pricing,
  lists: readonly Minor[],
): PriceBasis | undefined {
  // Day use has a price of its own.
  if (pricing.varies && !stay.dayUse) return basisOfNow(now, slab, stay, pricing, lists);
  return stay.promoCode === undefined ? undefined : { nights: listedNights(now, stay, lists) };
}

function listedNights({ today }: Now, stay: Stay, lists: readonly Minor[]): NightBasis[] {
  return daysOf(stay).map((day, index) => ({ day, bookedOn: today, list: lists[index]! }));
}

/** The age bands of the property, where a plan (`lineage`: itself first) prices by them. */
export function ageBandsOf(
  { property }: Pick<State, 'property'>,
  lineage: readonly PricedPlan[],
): Pick<PriceBasis, 'ageBands'> {
  return lineage.at(-1)!.occupancyPricing ? { ageBands: property!.metadata.policies.ageBands } : {};
}
