import type { Day } from '../../kernel/rules/dates.ts';
import { incrementOf, type Minor, percentOf, roundTo, scale } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Plain } from '../../kernel/rules/unit.ts';
import { daysOf, type Stay } from './stay.ts';

/** A percentage, minor units off the whole stay, or a number of free nights, the cheapest ones. */
export type Discount =
  | { type: 'FIXED_AMOUNT'; value: Minor }
  | { type: 'PERCENTAGE' | 'FREE_NIGHTS'; value: Plain<number> };

export const PROMOTION_STATUSES = ['ACTIVE', 'PAUSED', 'EXPIRED', 'EXHAUSTED'] as const;
type PromotionStatus = (typeof PROMOTION_STATUSES)[number];

/** Both days inclusive. */
type Period = { start: Day; end: Day };

/**
 * A promotion (docs/reference/rates.md#promotions). One unit is one reservation: `totalRooms` units in all, `maxPerDay`
 * in each night of the stay.
 */
export type Promotion = {
  id: string;
  name: string;
  description?: string;
  promoCode: string;
  discount: Discount;
  /** Booking days. */
  validity: Period;
  /** Every night of the stay has to be within it. */
  stayPeriod?: Period;
  /** Absent means all. */
  roomTypes?: string[];
  conditions: { advanceBookingDays?: number; minimumStay?: number; blackoutDates?: Day[] };
  inventory: { totalRooms?: number; maxPerDay?: number };
  paused: boolean;
  used: number;
  /** Units by night of the stay, from the business date on. */
  usedOn: Readonly<Record<Day, number>>;
  createdAt: Instant;
};

/** Days after its last booking day for which a promotion stays loaded: its bookings may still be changed. */
export const REMEMBERED_DAYS = 400;

/** Whether the property still has it in memory. */
export function isRemembered({ validity }: Promotion, today: Day): boolean {
  return validity.end > today - REMEMBERED_DAYS;
}

/** ACTIVE only while it can be booked. */
export function promotionStatus({ paused, validity, inventory, used }: Promotion, today: Day): PromotionStatus {
  if (today > validity.end) return 'EXPIRED';
  if (inventory.totalRooms !== undefined && used >= inventory.totalRooms) return 'EXHAUSTED';
  return paused ? 'PAUSED' : 'ACTIVE';
}

/** Reason why a promotion does not apply to a stay, and the first such day. */
type PromotionFault = { code: 'PROMO_NOT_APPLICABLE' | 'PROMO_EXHAUSTED'; detail: string; day: Day };

/** Reason why a stay cannot have the promotion; `undefined` when it can. */
export function promotionFault(promotion: Promotion, stay: Stay, today: Day): PromotionFault | undefined {
  const { validity } = promotion;
  const no = (detail: string, day = stay.checkIn): PromotionFault => ({ code: 'PROMO_NOT_APPLICABLE', detail, day });
  if (promotion.paused) return no('The promotion is paused.');
  if (today < validity.start || today > validity.end) return no('The promotion cannot be booked today.');
  const fault = conditionFault(promotion, stay, today);
  if (fault) return no(fault.detail, fault.day);
  return unitFault(promotion, daysOf(stay));
}

/** Reason why there is no unit for some nights, regardless of the conditions; `undefined` when there is one. */
export function unitFault(
  { inventory, used, usedOn }: Promotion,
  nights: readonly Day[],
): PromotionFault | undefined {
  const out = (detail: string, day: Day): PromotionFault => ({ code: 'PROMO_EXHAUSTED', detail, day });
  if (inventory.totalRooms !== undefined && used >= inventory.totalRooms)
    return out('All units of the promotion are taken.', nights[0]!);
  const full = nights.find((day) => (usedOn[day] ?? 0) >= (inventory.maxPerDay ?? Infinity));
  return full === undefined ? undefined : out('All units of the promotion for a night are taken.', full);
}

/** Condition that a stay booked on a day does not meet, regardless of units. */
export function conditionFault(
  { conditions, stayPeriod, roomTypes }: Pick<Promotion, 'conditions' | 'stayPeriod' | 'roomTypes'>,
  stay: Stay,
  today: Day,
): { detail: string; day: Day } | undefined {
  const nights = daysOf(stay);
  const { advanceBookingDays = 0, minimumStay = 1, blackoutDates = [] } = conditions;
  const { checkIn } = stay;
  if (roomTypes && !roomTypes.includes(stay.roomType))
    return { detail: `The promotion is not for ${stay.roomType}.`, day: checkIn };
  if (checkIn - today < advanceBookingDays)
    return { detail: `The promotion is booked at least ${advanceBookingDays} days ahead.`, day: checkIn };
  if (nights.length < minimumStay)
    return { detail: `The promotion needs at least ${minimumStay} nights.`, day: checkIn };
  const outside = stayPeriod && nights.find((day) => day < stayPeriod.start || day > stayPeriod.end);
  if (outside !== undefined) return { detail: 'A night lies outside of the stay period.', day: outside };
  const black = nights.find((day) => blackoutDates.includes(day));
  return black === undefined ? undefined : { detail: 'A night is a blackout date.', day: black };
}

/**
 * Discounted nights of a stay, in amounts of the currency that sum exactly: a percentage off each night (half to even),
 * an amount off the stay in proportion to its nights, or the n cheapest nights (the earlier of equals) for nothing
 * (docs/reference/rates.md#promotions).
 */
export function discounted(nightly: readonly Minor[], { type, value }: Discount, currency: string): Minor[] {
  const increment = incrementOf(currency);
  switch (type) {
    case 'PERCENTAGE':
      return nightly.map((rate) => rate - percentOf(rate, value, increment));
    case 'FIXED_AMOUNT': {
      const sum = nightly.reduce((total, rate) => total + rate, 0);
      const most = Math.min(roundTo(value, increment), sum);
      let before = 0;
      let taken = 0;
      return nightly.map((rate) => {
        before += rate;
        const off = sum === 0 ? 0 : scale(most, before, sum, increment) - taken;
        taken += off;
        return rate - off;
      });
    }
    case 'FREE_NIGHTS': {
      const order = nightly.map((_, index) => index).sort((a, b) => nightly[a]! - nightly[b]! || a - b);
      const free = new Set(order.slice(0, value));
      return nightly.map((rate, index) => (free.has(index) ? 0 : rate));
    }
  }
}
