import type { Day } from '../../kernel/rules/dates.ts';
import { pickDefined } from '../../kernel/rules/members.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { AgeBand } from '../../properties/rules/age-band.ts';
import { occupancyPriceOf, pricedParty } from './occupancy.ts';
import { nightPrice, type PricedCell } from './pricing.ts';
import type { Promotion } from './promotion.ts';
import { PRICED_MEMBERS, type PricedPlan } from './rate-plan.ts';
import type { Stay } from './stay.ts';

/** Parts of a night's price at booking. */
export type NightBasis = {
  day: Day;
  /** Business date of the booking. */
  bookedOn: Day;
  /** Price without promotion. */
  list: Minor;
  /** Further price inputs, where the plan prices by party, length of stay or lead time. */
  cell?: PricedCell;
  /** The promotion applied to it. */
  isDiscounted?: true;
};

/**
 * Inputs of a booking's price, where it depends on the stay: a change is priced as at booking, whatever rates, plans
 * and promotions are now (docs/reference/reservations.md#change).
 */
export type PriceBasis = {
  /** The plan first, the root of its derivation last; with `cell` of the nights. */
  lineage?: readonly PricedPlan[];
  /** Age bands of the property, where the plan prices by them. */
  ageBands?: readonly AgeBand[];
  promotion?: Pick<Promotion, 'discount' | 'conditions' | 'stayPeriod' | 'roomTypes'>;
  nights: NightBasis[];
};

/** Plans without anything that the price of a room type does not depend on. */
export function pricedPlans(lineage: readonly PricedPlan[], roomType: string): PricedPlan[] {
  return lineage.map((plan) => {
    const { occupancyPricing, ...others } = pickDefined(plan, PRICED_MEMBERS);
    const ofType = occupancyPricing && occupancyPriceOf(occupancyPricing, roomType);
    return { ...others, ...(occupancyPricing && { occupancyPricing: ofType ? [ofType] : [] }) };
  });
}

/** Price of a night without promotion, as it would have been at booking for another stay. */
export function listPriceThen(
  { lineage, ageBands = [] }: PriceBasis,
  { list, cell, bookedOn }: NightBasis,
  stay: Stay,
): Minor {
  if (!lineage || !cell) return list;
  const { checkIn, checkOut } = stay;
  return nightPrice(cell, lineage, {
    party: pricedParty(stay, ageBands),
    nights: checkOut - checkIn,
    ahead: checkIn - bookedOn,
  });
}
