import type { VerifiedQuote } from '../../../src/kernel/rules/commands/stay.ts';
import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { decimalText, MAX_AMOUNT, type Minor } from '../../../src/kernel/rules/money.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import type { StayFields } from '../../../src/kernel/rules/sale-window.ts';
import { type Night, totals } from '../../../src/money/rules/night.ts';
import { checkDayIsLeft, checkDayUse } from '../../../src/rates/rules/day-use.ts';
import { bookedNight, chargesDuring, chargesOf, type QuotedCharges } from '../../../src/rates/rules/night-charges.ts';
import { discounted } from '../../../src/rates/rules/promotion.ts';
import { BAR, type RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { daysOf, type Stay } from '../../../src/rates/rules/stay.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';
import { groupRates } from '../groups/group-nights.ts';
import { nightUnder, notSold, pricingOf } from '../rates/plans.ts';
import { promotionFor } from '../rates/promotions.ts';
import { checkRestrictions } from '../rates/restrictions.ts';
import { saleWindow } from '../state.ts';
import { checkOccupancy, checkPlan, checkWindow, firstSoldOut, termsOf } from './stay-rules.ts';

/** A stay with everything that determines its price. */
export type WantedTerms = Pick<Reservation, 'stay' | 'promoCode' | 'groupId'> & {
  /** Default: one. */
  rooms?: number;
  /** Reason given by an authorized person for ignoring restrictions. */
  override?: { reason: string };
};

/** @throws DomainError UNKNOWN_RATE_CODE */
export function planOfTerms(draft: Draft, rateCode: string): RatePlan {
  const plan = draft.plans.get(rateCode);
  if (plan?.status !== 'ACTIVE')
    throw new DomainError('UNKNOWN_RATE_CODE', `The property has no rate code ${rateCode}.`);
  return plan;
}

/**
 * The plan of a stay that is wanted anew, whose dates are checked against what is on sale.
 * @throws DomainError VALIDATION_FAILED, UNKNOWN_RATE_CODE
 */
export function planOnSale(draft: Draft, stay: Stay, fields: StayFields, now: Instant): RatePlan {
  checkWindow(saleWindow(draft), stay, fields);
  const plan = planOfTerms(draft, stay.rateCode);
  checkDayUse([plan], stay, fields);
  checkDayIsLeft(stay, draft.property!.metadata, fields, now);
  return plan;
}

/**
 * The plan of an existing booking or hold, on sale or not. Nights priced anew after the plan was removed have the best
 * available rate.
 */
export function planOfStay(draft: Draft, rateCode: string): RatePlan {
  return draft.plans.get(rateCode) ?? draft.plans.get(BAR)!;
}

/**
 * Checks room type, occupancy, window, limits of the plan and restrictions, but not availability. Groups have their
 * own terms, so limits and restrictions do not apply to them. For a changed stay (`current` is the stored one) only the
 * new parts are checked.
 */
export function checkStay(
  draft: Draft,
  { stay, groupId, override }: WantedTerms,
  plan: RatePlan,
  current?: Stay,
): void {
  checkGuests(draft, stay);
  if (groupId !== undefined || override) return;
  checkPlan(plan, draft.today, stay, current);
  checkRestrictions(draft, plan, stay, current);
}

/** Checks that the party fits into the room type. @throws DomainError UNKNOWN_ROOM_TYPE, OCCUPANCY_EXCEEDED */
export function checkGuests(draft: Draft, stay: Stay): void {
  const type = draft.roomTypes.get(stay.roomType);
  if (!type) throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${stay.roomType}.`);
  checkOccupancy(type, stay);
}

/**
 * Checks availability and names the first sold-out night. Nights that the reservation already has (`current`) need no
 * room (I1).
 * @throws DomainError ROOM_NOT_AVAILABLE
 */
export function checkRooms(draft: Draft, { stay, groupId, rooms = 1 }: WantedTerms, current?: Stay): void {
  // A group's rooms come out of its blocks, which were checked when they were priced.
  if (groupId !== undefined) return;
  const { policies } = draft.property!.metadata;
  const slab = draft.slab(stay.roomType)!;
  const same = current?.roomType === stay.roomType ? current : undefined;
  const soldOut =
    firstSoldOut(slab, policies, stay.checkIn, Math.min(stay.checkOut, same?.checkIn ?? Infinity), rooms) ??
    (same && firstSoldOut(slab, policies, Math.max(stay.checkIn, same.checkOut), stay.checkOut, rooms));
  if (soldOut === undefined) return;
  const date = formatDay(soldOut);
  const left =
    rooms === 1 ? `No ${stay.roomType} room is left` : `Fewer than ${rooms} ${stay.roomType} rooms are left`;
  throw new DomainError('ROOM_NOT_AVAILABLE', `${left} for the night of ${date}.`, { date });
}

/**
 * Prices every night: at the group's rates, or at the plan's less the promotion.
 * @param now time of sale; units that quotes promise count as used until they expire
 * @throws DomainError NO_RATE, and those of `groupRates` and `promotionFor`
 */
export function nightsAt(draft: Draft, wanted: WantedTerms, plan: RatePlan, now: Instant = -Infinity): Night[] {
  const { stay, groupId, promoCode } = wanted;
  const promotion = promoCode === undefined ? undefined : promotionFor(draft, promoCode, stay, now);
  const days = daysOf(stay);
  const agreed = groupId === undefined ? undefined : groupRates(draft, groupId, stay);
  const rates = agreed ?? days.map((day) => rateAt(draft, stay, day, plan));
  const off = promotion ? discounted(rates, promotion.discount, draft.property!.metadata.currency) : rates;
  const charges = chargesDuring(chargesNow(draft), stay);
  return days.map((day, index) => bookedNight(stay, day, off[index]!, charges));
}

/**
 * Nights of a stay as a quote promised them: rates, taxes, fees, currency and the unit of its promotion, whatever has
 * changed since (docs/reference/rates.md#quote).
 */
export function nightsQuoted(draft: Draft, stay: Stay, { nightly, charges }: VerifiedQuote): Night[] {
  const sold = charges ?? chargesNow(draft);
  return daysOf(stay).map((day, index) => bookedNight(stay, day, nightly[index]!, sold));
}

/** Current taxes and fees of the property. */
export function chargesNow(draft: Draft): QuotedCharges {
  return chargesOf(draft.property!.metadata);
}

/** @throws DomainError NO_RATE where rules leave nothing of a price that other guests have paid */
export function checkPriced(rate: Minor, day: Day): void {
  if (rate > 0) return;
  const date = formatDay(day);
  throw new DomainError('NO_RATE', `There is no price for these guests on the night of ${date}.`, { date });
}

/** @throws DomainError NO_RATE */
export function rateAt(draft: Draft, stay: Stay, day: Day, plan: RatePlan): Minor {
  const rate = rateOrNone(draft, stay, day, plan);
  if (rate === undefined) throw notSold(draft.slab(stay.roomType)!, day, pricingOf(draft.plans, plan));
  return rate;
}

/** Current rate of a night; `undefined` where the plan is not sold, has no rate, or its price is 0. */
export function rateOrNone(draft: Draft, stay: Stay, day: Day, plan: RatePlan): Minor | undefined {
  const { metadata } = draft.property!;
  const pricing = pricingOf(draft.plans, plan);
  return nightUnder(draft.slab(stay.roomType)!, day, pricing, metadata, termsOf(stay, draft, plan))?.rate;
}

/** Sum of the nights. @throws DomainError VALIDATION_FAILED when it exceeds what an amount can store */
export function checkTotal(nights: Reservation['nights']): Minor {
  const { total } = totals(nights);
  if (total <= MAX_AMOUNT) return total;
  throw new DomainError('VALIDATION_FAILED', 'The stay costs more than an amount can hold; split it.', {
    errors: [{ pointer: '', code: 'TOO_EXPENSIVE', detail: `costs more than ${decimalText(MAX_AMOUNT)}` }],
  });
}

/** @throws DomainError PRICE_CHANGED where a stay costs more than the buyer's maximum */
export function checkMaxTotal(currency: string, maxTotal: Minor | undefined, total: Minor): void {
  if (maxTotal === undefined || total <= maxTotal) return;
  const extra = { newTotal: total / 100, currency };
  throw new DomainError('PRICE_CHANGED', `The stay costs ${decimalText(total)} now.`, { extra });
}

/** Timeline text for a sale that ignores restrictions. */
export function overridden({ reason }: { reason: string }): string {
  return `Restrictions overridden: ${reason}`;
}

/** Whether a stay is in the currency of the property: one that was promised before a change of currency is not. */
export function sellsIn(draft: Draft, { currency }: Pick<Reservation, 'currency'>): boolean {
  return draft.property!.metadata.currency === currency;
}

/**
 * Refuses to add a current price of the property to a stay in another currency.
 * @throws DomainError CURRENCY_MISMATCH
 */
export function checkCurrency(draft: Draft, stay: Pick<Reservation, 'currency'>): void {
  if (sellsIn(draft, stay)) return;
  const { currency } = draft.property!.metadata;
  throw new DomainError('CURRENCY_MISMATCH', `The stay is in ${stay.currency}, the property sells in ${currency}.`);
}
