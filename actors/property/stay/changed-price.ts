import { isDeepStrictEqual } from 'node:util';

import type { Day } from '../../../src/kernel/rules/dates.ts';
import { definedMembers } from '../../../src/kernel/rules/members.ts';
import { incrementOf, type Minor, scale } from '../../../src/kernel/rules/money.ts';
import { bookedNightOf, compedNight } from '../../../src/money/rules/comp.ts';
import type { Night } from '../../../src/money/rules/night.ts';
import { soldNight, surchargedNight } from '../../../src/money/rules/surcharge.ts';
import { priceOf } from '../../../src/money/rules/taxes.ts';
import { bookedNight, chargesBooked, chargesDuring, taxesByDay } from '../../../src/rates/rules/night-charges.ts';
import {
  listPriceThen,
  type NightBasis,
  type PriceBasis,
  pricedPlans,
} from '../../../src/rates/rules/price-basis.ts';
import {
  conditionFault,
  type Discount,
  discounted,
  type Promotion,
  promotionFault,
} from '../../../src/rates/rules/promotion.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { personsOf, sameParty, sameProduct, type Stay, daysOf } from '../../../src/rates/rules/stay.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';
import { groupRates } from '../groups/group-nights.ts';
import { cellOf, pricingOf } from '../rates/plans.ts';
import { reducedNights } from './allotments.ts';
import { ageBandsOf } from './promised-basis.ts';
import { chargesNow, checkCurrency, checkPriced, rateAt, rateOrNone, sellsIn, type WantedTerms } from './terms.ts';

/** The fields of a reservation that determine the price of its nights. */
export type PricedStay = Pick<Reservation, 'nights' | 'basis' | 'promoCode' | 'taxedBy'>;

/**
 * The pricing basis of a new booking; `undefined` where prices do not depend on the stay.
 * @param promised what its prices follow from, where they were promised, and of a hold those without the promotion
 */
export function basisAt(
  draft: Draft,
  { stay, promoCode, groupId }: WantedTerms,
  plan: RatePlan,
  { nights, currency }: Pick<Reservation, 'nights' | 'currency'>,
  promised: { lists?: readonly Minor[]; basis?: PriceBasis | undefined } = {},
): PriceBasis | undefined {
  const { lists, basis } = promised;
  const { lineage, varies } = pricingOf(draft.plans, plan);
  const promotion = promoCode === undefined ? undefined : draft.promotions.get(promoCode);
  if (groupId !== undefined || (!varies && !promotion && !basis)) return undefined;
  // A promise of an earlier release has no basis: its prices may be those of now, or not.
  const isCurrent = !lists && !basis?.lineage && sellsIn(draft, { currency });
  const current = isCurrent ? ratesOfNow(draft, stay, plan) : undefined;
  const priced = current && promotion ? discounted(current, promotion.discount, currency) : current;
  const isOfNow = nights.every((night, index) => priceOf(night) === priced?.[index]);
  const slab = draft.slab(stay.roomType)!;
  // Day use has a price of its own.
  const isComputed = varies && isOfNow && !stay.dayUse;
  const then = new Map(basis?.nights.map((night) => [night.day, night]));
  const listOf = (night: Night, index: number): Minor =>
    lists?.[index] ??
    then.get(night.day)?.list ??
    (isOfNow ? current![index]! : withoutDiscount(priceOf(night), promotion?.discount, currency));
  return {
    ...(isComputed && { lineage, ...ageBandsOf(draft, lineage) }),
    ...definedMembers({ lineage: basis?.lineage, ageBands: basis?.ageBands }),
    ...(promotion && { promotion: conditionsOf(promotion, promotion.discount) }),
    nights: nights.map((night, index) => ({
      day: night.day,
      bookedOn: draft.today,
      ...then.get(night.day),
      list: listOf(night, index),
      ...(isComputed && { cell: cellOf(slab, night.day, currency) }),
      ...(promotion && { isDiscounted: true as const }),
    })),
  };
}

/** Current prices of the nights of a stay; `undefined` where one has no rate any more. */
function ratesOfNow(draft: Draft, stay: Stay, plan: RatePlan): Minor[] | undefined {
  const slab = draft.slab(stay.roomType)!;
  const rates = daysOf(stay).map((day) => (slab.has(day) ? rateOrNone(draft, stay, day, plan) : undefined));
  return rates.every((rate) => rate !== undefined) ? rates : undefined;
}

/**
 * A price that an earlier release has promised, before a percentage was taken off; the price itself for other discounts,
 * whose share of a night is unknown.
 */
function withoutDiscount(rate: Minor, discount: Discount | undefined, currency: string): Minor {
  if (discount?.type !== 'PERCENTAGE' || discount.value === 100) return rate;
  return scale(rate, 100, 100 - discount.value, incrementOf(currency));
}

type BookedPromotion = NonNullable<PriceBasis['promotion']>;

function conditionsOf(
  { conditions, stayPeriod, roomTypes }: Pick<Promotion, 'conditions' | 'stayPeriod' | 'roomTypes'>,
  discount: Discount,
): BookedPromotion {
  return { discount, conditions, ...(stayPeriod && { stayPeriod }), ...(roomTypes && { roomTypes }) };
}

/**
 * Prices a changed stay as a whole (docs/reference/reservations.md#change). Nights that remain keep the surcharge of an
 * upgrade and stay complimentary; with another room type neither is kept, with another plan no surcharge: the nights
 * have the price of the better type then.
 * @throws DomainError CURRENCY_MISMATCH for new nights of a stay in another currency than the property's; NO_RATE
 */
export function pricedAfter(draft: Draft, before: Reservation, wanted: WantedTerms, plan: RatePlan): PricedStay {
  const priced = pricedAsSold(draft, asSold(before), wanted, plan, before.nights.at(-1)!);
  return sameProduct(before.stay, wanted.stay)
    ? { ...priced, nights: asCharged(draft, before, priced.nights, before.stay.rateCode === wanted.stay.rateCode) }
    : priced;
}

/** The reservation without surcharges of upgrades and without complimentary nights. */
function asSold(before: Reservation): Reservation {
  return before.nights.some(({ comped, surcharge }) => comped ?? surcharge)
    ? { ...before, nights: before.nights.map(soldNight) }
    : before;
}

/** Sold nights with the surcharge, where it is kept, and the comp that the night of the same day has. */
function asCharged({ property }: Draft, before: Reservation, sold: readonly Night[], hasSurcharge = true): Night[] {
  const was = new Map(before.nights.map((night) => [night.day, night]));
  return sold.map((night) => {
    const { comped, surcharge } = was.get(night.day) ?? {};
    const added = comped ? comped.surcharge : surcharge;
    const charged = added && hasSurcharge ? surchargedNight(night, added) : night;
    return comped ? compedNight(charged, property!.metadata.policies.taxOnComp) : charged;
  });
}

/**
 * Booked nights that remain keep their price as long as the conditions of every discount hold for the resulting stay,
 * judged at booking time; otherwise they cost what they would have cost then. New nights have the current price, with a
 * discount only if it is still on sale. What the guest did not change never gets dearer.
 */
function pricedAsSold(
  draft: Draft,
  before: Reservation,
  wanted: WantedTerms,
  plan: RatePlan,
  last: Night,
): PricedStay {
  const { stay, groupId } = wanted;
  const remaining = nightsThatRemain(draft, before, stay);
  const fresh = daysOf(stay).filter((day) => !remaining.nights.has(day));
  if (fresh.length > 0) checkCurrency(draft, before);
  const agreed = groupId === undefined ? undefined : groupRates(draft, groupId, stay, before.stay);
  // An overstaying guest pays the price of the last booked night for each further one.
  const nightRate = before.stay.dayUse ? before.checkIn?.nightRate : undefined;
  const rateOf = (day: Day): Minor =>
    day < draft.today ? (nightRate ?? priceOf(bookedNightOf(last))) : rateAt(draft, stay, day, plan);
  const lists = fresh.map((day) => agreed?.[day - stay.checkIn] ?? rateOf(day));
  const discount = fresh.length > 0 ? discountOnSale(draft, before, stay, remaining) : undefined;
  const rates = discount ? discounted(lists, discount, before.currency) : lists;
  const charges = chargesDuring(chargesNow(draft), stay);
  const added = fresh.map((day, index) => bookedNight(stay, day, rates[index]!, charges));
  const nights = [...remaining.nights.values(), ...added].toSorted((one, other) => one.day - other.day);
  const basis = basisAfter(draft, before, { wanted, plan, remaining, fresh, lists, discount });
  const taxedBy = taxesByDay(stay, (day) =>
    remaining.nights.has(day) ? chargesBooked(before.taxedBy, day) : charges,
  );
  return { nights, basis, taxedBy, promoCode: remaining.discount || discount ? before.promoCode : undefined };
}

/** Nights of a guest in house until departure, under the conditions of the shorter stay. */
export function nightsUntil(draft: Draft, before: Reservation, checkOut: Day): Night[] {
  if (checkOut >= before.stay.checkOut) return before.nights;
  const { nights } = nightsThatRemain(draft, asSold(before), { ...before.stay, checkOut });
  return asCharged(draft, before, [...nights.values()]);
}

type Remaining = { nights: Map<Day, Night>; discount: Discount | undefined };

/** Booked nights that remain in the stay, in the same room type, at their price for the resulting stay. */
function nightsThatRemain(draft: Draft, before: Reservation, stay: Stay): Remaining {
  const { stay: old, basis, promoCode } = before;
  const has = ({ day }: Night): boolean => day >= stay.checkIn && day < stay.checkOut;
  // Another plan is another price, as another room type is.
  const isSame = sameProduct(old, stay) && old.rateCode === stay.rateCode;
  const staying = isSame ? before.nights.filter(has) : [];
  if (!basis) {
    const nights = new Map(staying.map((night) => [night.day, ofParty(draft, before, stay, night, priceOf(night))]));
    // An earlier release has taken the discount off; its basis is unknown.
    const discount = promoCode === undefined || staying.length === 0 ? undefined : NOTHING_OFF;
    return { nights, discount };
  }
  const bases = new Map(basis.nights.map((night) => [night.day, night]));
  const listOf = (booked: Night): Minor => {
    const night = bases.get(booked.day);
    if (!night) return priceOf(booked);
    const price = listPriceThen(basis, night, stay);
    if (night.list > 0 && !sameParty(old, stay)) checkPriced(price, night.day);
    return price;
  };
  const isDiscounted = ({ day }: Night): boolean => bases.get(day)?.isDiscounted === true;
  const reduced = staying.filter(isDiscounted);
  const discount = discountThen(before, stay, reduced.length);
  const off = discount ? discounted(reduced.map(listOf), discount, before.currency) : reduced.map(listOf);
  const offOf = new Map(reduced.map(({ day }, index) => [day, off[index]!]));
  const isLost = reduced.length > 0 && !discount;
  const mayRise = mayGetDearer(before, stay);
  const nights = staying.map((night) => {
    const price = offOf.get(night.day) ?? listOf(night);
    const booked = offOf.has(night.day) ? undefined : bases.get(night.day);
    // A party that became smaller earlier may pay less than its own price: leaving early is no reason to pay that.
    const isDearer = !booked || price > listPriceThen(basis, booked, old);
    const rises = isLost || (mayRise && isDearer);
    return ofParty(draft, before, stay, night, rises ? price : Math.min(price, priceOf(night)));
  });
  return { nights: new Map(nights.map((night) => [night.day, night])), discount };
}

const NOTHING_OFF: Discount = { type: 'PERCENTAGE', value: 0 };

/** Whether a change can make a night dearer: a shorter stay, an earlier arrival, more persons, or older ones. */
function mayGetDearer({ stay: old }: Reservation, stay: Stay): boolean {
  const isShorter = stay.checkOut - stay.checkIn < old.checkOut - old.checkIn;
  const fewer = personsOf(stay) < personsOf(old) || sameParty(stay, old);
  return isShorter || stay.checkIn < old.checkIn || !fewer;
}

/**
 * A booked night priced for the new party. Taxes and fees are those of the booking, for the night's place in the
 * resulting stay.
 * @throws DomainError CURRENCY_MISMATCH for another party of a stay in another currency than the property's
 */
function ofParty(draft: Draft, before: Reservation, stay: Stay, night: Night, price: Minor): Night {
  if (!sameParty(before.stay, stay)) checkCurrency(draft, before);
  const charges = chargesBooked(before.taxedBy, night.day);
  if (charges) return bookedNight(stay, night.day, price, charges);
  return ofPartyByPolicies(draft, before, stay, night, price);
}

/**
 * The same for a night that an earlier release has booked without its taxes and fees: those of now, and fewer guests
 * never pay more.
 */
function ofPartyByPolicies(draft: Draft, before: Reservation, stay: Stay, night: Night, rate: Minor): Night {
  const { stay: old, currency } = before;
  const isSameParty = sameParty(old, stay);
  if (isSameParty && rate === night.rate) return night;
  const now = bookedNight(stay, night.day, rate, { ...chargesNow(draft), currency, taxes: [] });
  const taxes = now.rate === night.rate ? night.taxes : now.taxes;
  const fees = personsOf(stay) > personsOf(old) ? now.fees : Math.min(now.fees, night.fees);
  return { ...now, taxes, fees: isSameParty ? night.fees : fees };
}

/** Discount of the booked promotion on the remaining nights; `undefined` where its conditions are lost. */
function discountThen({ basis, currency }: Reservation, stay: Stay, remaining: number): Discount | undefined {
  const promotion = basis?.promotion;
  if (!promotion || remaining === 0) return undefined;
  const reduced = basis.nights.filter(({ isDiscounted }) => isDiscounted);
  const bookedOn = Math.min(...reduced.map((night) => night.bookedOn));
  if (conditionFault(promotion, stay, bookedOn)) return undefined;
  return shareOf(promotion.discount, remaining, reduced.length, currency);
}

/** Share of a whole-stay discount for some of its nights; a fraction of a free night counts as none. */
function shareOf({ type, value }: Discount, nights: number, of: number, currency: string): Discount | undefined {
  switch (type) {
    case 'PERCENTAGE':
      return { type, value };
    case 'FIXED_AMOUNT':
      return { type, value: scale(value, nights, of, incrementOf(currency)) };
    case 'FREE_NIGHTS':
      return { type, value: Math.floor((value * nights) / of) };
  }
}

/**
 * Discount of the promotion on new nights: only while it is on sale, and for a whole-stay discount the share of nights
 * that are given up. The reservation's own unit does not count against it.
 */
function discountOnSale(draft: Draft, before: Reservation, stay: Stay, remaining: Remaining): Discount | undefined {
  const { promoCode, basis } = before;
  const promotion = promoCode === undefined ? undefined : draft.promotions.get(promoCode);
  if (!promotion) return undefined;
  const usedOn = { ...promotion.usedOn };
  for (const day of reducedNights(before)) usedOn[day] = (usedOn[day] ?? 1) - 1;
  if (promotionFault({ ...promotion, used: promotion.used - 1, usedOn }, stay, draft.today)) return undefined;
  const { type, value } = basis?.promotion?.discount ?? promotion.discount;
  if (type === 'PERCENTAGE') return { type, value };
  const left = value - (basis ? (remaining.discount?.value ?? 0) : goneBefore(before, remaining, promotion.discount));
  return left > 0 ? { type, value: left } : undefined;
}

/** For a booking of an earlier release: the share of a whole-stay discount in its remaining nights. */
function goneBefore({ nights, currency }: Reservation, remaining: Remaining, { type, value }: Discount): number {
  const nightsLeft = [...remaining.nights.values()];
  if (type === 'FREE_NIGHTS') return nightsLeft.filter((night) => priceOf(night) === 0).length;
  return scale(value, nightsLeft.length, nights.length, incrementOf(currency));
}

type Changed = {
  wanted: WantedTerms;
  plan: RatePlan;
  remaining: Remaining;
  /** New nights, with their prices before the discount. */
  fresh: readonly Day[];
  lists: readonly Minor[];
  discount: Discount | undefined;
};

/** The pricing basis of the changed stay: remaining nights as before, new ones as of now. */
function basisAfter(draft: Draft, before: Reservation, changed: Changed): PriceBasis | undefined {
  const { wanted, plan, remaining, fresh, lists, discount } = changed;
  const { stay, groupId, promoCode } = wanted;
  const pricing = pricingOf(draft.plans, plan);
  // The discount of an earlier release is unknown, so its conditions cannot be judged.
  if (groupId !== undefined || (!before.basis && promoCode !== undefined && remaining.nights.size > 0))
    return undefined;
  const booked = before.basis?.promotion ?? (promoCode === undefined ? undefined : draft.promotions.get(promoCode));
  const isReduced = remaining.discount !== undefined || discount !== undefined;
  const old = (before.basis?.nights ?? []).filter(({ day }) => remaining.nights.has(day));
  const lineageOfNow = pricing.varies ? pricing.lineage : undefined;
  // Remaining nights are priced by the plan as it was; new ones only while the plan is unchanged.
  const lineage = old.length > 0 ? before.basis?.lineage : lineageOfNow;
  const bandsOfNow = lineage && ageBandsOf(draft, lineage).ageBands;
  const ageBands = old.length > 0 ? before.basis?.ageBands : bandsOfNow;
  const isSame = isDeepStrictEqual(
    [lineage && pricedPlans(lineage, stay.roomType), ageBands],
    [lineageOfNow && pricedPlans(lineageOfNow, stay.roomType), bandsOfNow],
  );
  const isComputed = lineage !== undefined && isSame && !stay.dayUse;
  if (!lineage && !isReduced) return undefined;
  const slab = draft.slab(stay.roomType)!;
  const staying = old.map(({ isDiscounted, ...night }): NightBasis => ({
    ...night,
    ...(isDiscounted && remaining.discount && { isDiscounted }),
  }));
  const added = fresh.map((day, index): NightBasis => ({
    day,
    bookedOn: draft.today,
    list: lists[index]!,
    ...(isComputed && slab.has(day) && { cell: cellOf(slab, day, before.currency) }),
    ...(discount && { isDiscounted: true }),
  }));
  return {
    ...(lineage && { lineage }),
    ...(ageBands && { ageBands }),
    ...(isReduced && booked && { promotion: conditionsOf(booked, sumOf(remaining.discount, discount)) }),
    nights: [...staying, ...added],
  };
}

/** Both discounts together; a percentage is the same for all nights. */
function sumOf(one: Discount | undefined, other: Discount | undefined): Discount {
  if (!one || !other) return (one ?? other)!;
  if (one.type === 'PERCENTAGE') return one;
  const value = one.value + other.value;
  return one.type === 'FIXED_AMOUNT' ? { type: one.type, value } : { type: one.type, value };
}
