import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { nightPrice, type PricedCell } from './pricing.ts';
import type { Promotion } from './promotion.ts';
import type { RatePlan } from './rate-plan.ts';
import { personsOf, type Stay } from './stay.ts';

/** What the price of one night was made of when it was booked. */
export type NightBasis = {
  day: Day;
  /** The business date then. */
  bookedOn: Day;
  /** Its price without a promotion. */
  list: Minor;
  /** Where the plan prices by who stays, how long, or how far ahead: what else moved its price. */
  cell?: PricedCell;
  /** The promotion counts on it. */
  isDiscounted?: true;
};

/**
 * What the price of a booking was made of, where it depends on the stay: a change is priced as it would have been then,
 * whatever rates, plans and promotions are now (docs/reference/reservations.md#change).
 */
export type PriceBasis = {
  /** The plan first, the one that prices by itself last; with `cell` of the nights. */
  lineage?: readonly RatePlan[];
  promotion?: Pick<Promotion, 'discount' | 'conditions' | 'stayPeriod' | 'roomTypes'>;
  nights: NightBasis[];
};

/** The price of a night without a promotion, as it would have been when it was booked, for another stay. */
export function listPriceThen({ lineage }: PriceBasis, { list, cell, bookedOn }: NightBasis, stay: Stay): Minor {
  if (!lineage || !cell) return list;
  const { checkIn, checkOut } = stay;
  return nightPrice(cell, lineage, {
    persons: personsOf(stay),
    nights: checkOut - checkIn,
    ahead: checkIn - bookedOn,
  });
}
