import { isDeepStrictEqual } from 'node:util';

import type { Day } from '../../../src/kernel/rules/dates.ts';
import { incrementOf, type Minor, scale } from '../../../src/kernel/rules/money.ts';
import { bookedNightOf, compedNight } from '../../../src/money/rules/comp.ts';
import type { Night } from '../../../src/money/rules/night.ts';
import { soldNight, surchargedNight } from '../../../src/money/rules/surcharge.ts';
import { priceOf } from '../../../src/money/rules/taxes.ts';
import { bookedNight, chargesBooked, chargesDuring, taxesByDay } from '../../../src/rates/rules/night-charges.ts';
import { listPriceThen, type NightBasis, type PriceBasis } from '../../../src/rates/rules/price-basis.ts';
import {
  conditionFault,
  type Discount,
  discounted,
  type Promotion,
  promotionFault,
} from '../../../src/rates/rules/promotion.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { personsOf, sameParty, type Stay, daysOf } from '../../../src/rates/rules/stay.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';
import { groupRates } from '../groups/groups.ts';
import { cellOf, pricingOf } from '../rates/plans.ts';
import { reducedNights } from './allotments.ts';
import { chargesNow, rateAt, rateOrNone, type WantedTerms } from './terms.ts';

/** What of a reservation says what its nights cost. */
export type PricedStay = Pick<Reservation, 'nights' | 'basis' | 'promoCode' | 'taxedBy'>;

/**
 * What the prices of a new booking were made of; `undefined` where they do not depend on the stay.
 * @param lists prices without the promotion, where they were promised
 */
export function basisAt(
  draft: Draft,
  { stay, promoCode, groupId }: WantedTerms,
  plan: RatePlan,
  nights: readonly Night[],
  lists?: readonly Minor[],
): PriceBasis | undefined {
  const { lineage, varies } = pricingOf(draft.plans, plan);
  const promotion = promoCode === undefined ? undefined : draft.promotions.get(promoCode);
  if (groupId !== undefined || (!varies && !promotion)) return undefined;
  // A hold has its own; a quote may have promised what is no longer the price of the moment.
  const { currency } = draft.property!.metadata;
  const current = lists ? undefined : ratesOfNow(draft, stay, plan);
  const priced = current && promotion ? discounted(current, promotion.discount, currency) : current;
  const isOfNow = nights.every((night, index) => priceOf(night) === priced?.[index]);
  const known = isOfNow ? current : lists;
  const slab = draft.slab(stay.roomType)!;
  const isComputed = varies && isOfNow;
  return {
    ...(isComputed && { lineage }),
    ...(promotion && { promotion: conditionsOf(promotion, promotion.discount) }),
    nights: nights.map((night, index) => ({
      day: night.day,
      bookedOn: draft.today,
      list: known?.[index] ?? withoutDiscount(priceOf(night), promotion?.discount, currency),
      ...(isComputed && { cell: cellOf(slab, night.day, currency) }),
      ...(promotion && { isDiscounted: true as const }),
    })),
  };
}

/** What the nights of a stay cost now; `undefined` where one has no rate any more. */
function ratesOfNow(draft: Draft, stay: Stay, plan: RatePlan): Minor[] | undefined {
  const slab = draft.slab(stay.roomType)!;
  const rates = daysOf(stay).map((day) => (slab.has(day) ? rateOrNone(draft, stay, day, plan) : undefined));
  return rates.every((rate) => rate !== undefined) ? rates : undefined;
}

/** A price before a percentage was taken off; what another discount took of one night cannot be said. */
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
 * A changed stay, priced as a whole (docs/reference/reservations.md#change). Nights that stay keep what an upgrade has
 * added to them, and are complimentary as before; another room type begins anew.
 */
export function pricedAfter(draft: Draft, before: Reservation, wanted: WantedTerms, plan: RatePlan): PricedStay {
  const priced = pricedAsSold(draft, asSold(before), wanted, plan, before.nights.at(-1)!);
  const isSameType = before.stay.roomType === wanted.stay.roomType;
  return isSameType ? { ...priced, nights: asCharged(draft, before, priced.nights) } : priced;
}

/** Without surcharges of upgrades, and with no night complimentary. */
function asSold(before: Reservation): Reservation {
  return before.nights.some(({ comped, surcharge }) => comped ?? surcharge)
    ? { ...before, nights: before.nights.map(soldNight) }
    : before;
}

/** Nights as they were sold, each with what has come to it since. */
function asCharged({ property }: Draft, before: Reservation, sold: readonly Night[]): Night[] {
  const was = new Map(before.nights.map((night) => [night.day, night]));
  return sold.map((night) => {
    const { comped, surcharge } = was.get(night.day) ?? {};
    const added = comped ? comped.surcharge : surcharge;
    const charged = added ? surchargedNight(night, added) : night;
    return comped ? compedNight(charged, property!.metadata.policies.taxOnComp) : charged;
  });
}

/**
 * A changed stay, priced as a whole. Booked nights that stay keep their price as
 * long as the conditions of every discount hold for the stay that results, judged when they were booked; otherwise they
 * cost what they would have cost then. New nights take the price of the moment, with a discount only if it is still on
 * sale. What the guest did not change never gets dearer.
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
  const agreed = groupId === undefined ? undefined : groupRates(draft, groupId, stay, before.stay);
  // Who has stayed on past his departure pays for those nights what he paid for the last one.
  const rateOf = (day: Day): Minor =>
    day < draft.today ? priceOf(bookedNightOf(last)) : rateAt(draft, stay, day, plan);
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

/** The nights of a guest in house until he leaves, by the conditions of the shorter stay. */
export function nightsUntil(draft: Draft, before: Reservation, checkOut: Day): Night[] {
  if (checkOut >= before.stay.checkOut) return before.nights;
  const { nights } = nightsThatRemain(draft, asSold(before), { ...before.stay, checkOut });
  return asCharged(draft, before, [...nights.values()]);
}

type Remaining = { nights: Map<Day, Night>; discount: Discount | undefined };

/** Booked nights that are still in the stay, in the same type of room, at their price for the stay that results. */
function nightsThatRemain(draft: Draft, before: Reservation, stay: Stay): Remaining {
  const { stay: old, basis, promoCode } = before;
  const has = ({ day }: Night): boolean => day >= stay.checkIn && day < stay.checkOut;
  const staying = old.roomType === stay.roomType ? before.nights.filter(has) : [];
  if (!basis) {
    const nights = new Map(staying.map((night) => [night.day, ofParty(draft, before, stay, night, priceOf(night))]));
    // An earlier release has taken it off; of what, is not known.
    const discount = promoCode === undefined || staying.length === 0 ? undefined : NOTHING_OFF;
    return { nights, discount };
  }
  const bases = new Map(basis.nights.map((night) => [night.day, night]));
  const listOf = (booked: Night): Minor => {
    const night = bases.get(booked.day);
    return night ? listPriceThen(basis, night, stay) : priceOf(booked);
  };
  const isDiscounted = ({ day }: Night): boolean => bases.get(day)?.isDiscounted === true;
  const reduced = staying.filter(isDiscounted);
  const discount = discountThen(before, stay, reduced.length);
  const off = discount ? discounted(reduced.map(listOf), discount, before.currency) : reduced.map(listOf);
  const offOf = new Map(reduced.map(({ day }, index) => [day, off[index]!]));
  const mayRise = mayGetDearer(before, stay) || (reduced.length > 0 && !discount);
  const nights = staying.map((night) => {
    const price = offOf.get(night.day) ?? listOf(night);
    return ofParty(draft, before, stay, night, mayRise ? price : Math.min(price, priceOf(night)));
  });
  return { nights: new Map(nights.map((night) => [night.day, night])), discount };
}

const NOTHING_OFF: Discount = { type: 'PERCENTAGE', value: 0 };

/** A shorter stay, an earlier arrival and more persons can lose what the price was reduced for. */
function mayGetDearer({ stay: old }: Reservation, stay: Stay): boolean {
  const isShorter = stay.checkOut - stay.checkIn < old.checkOut - old.checkIn;
  return isShorter || stay.checkIn < old.checkIn || personsOf(stay) > personsOf(old);
}

/**
 * A booked night at a price for the party that it is for now; fewer guests never pay more. Taxes of the property are
 * those of its booking, for the place of the night in the stay that results.
 */
function ofParty(draft: Draft, { stay: old, taxedBy }: Reservation, stay: Stay, night: Night, price: Minor): Night {
  const charges = chargesBooked(taxedBy, night.day);
  if (charges) return bookedNight(stay, night.day, price, charges);
  return ofPartyUntaxed(draft, old, stay, night, price);
}

/** The same of a night that was booked by the policies alone. */
function ofPartyUntaxed(draft: Draft, old: Stay, stay: Stay, night: Night, rate: Minor): Night {
  const isSameParty = sameParty(old, stay);
  if (isSameParty && rate === night.rate) return night;
  const now = bookedNight(stay, night.day, rate, { ...chargesNow(draft), taxes: [] });
  const taxes = now.rate === night.rate ? night.taxes : now.taxes;
  const fees = personsOf(stay) > personsOf(old) ? now.fees : Math.min(now.fees, night.fees);
  return { ...now, taxes, fees: isSameParty ? night.fees : fees };
}

/** What the promotion that was booked takes off the reduced nights that stay; `undefined` where it is lost. */
function discountThen({ basis, currency }: Reservation, stay: Stay, remaining: number): Discount | undefined {
  const promotion = basis?.promotion;
  if (!promotion || remaining === 0) return undefined;
  const reduced = basis.nights.filter(({ isDiscounted }) => isDiscounted);
  const bookedOn = Math.min(...reduced.map((night) => night.bookedOn));
  if (conditionFault(promotion, stay, bookedOn)) return undefined;
  return shareOf(promotion.discount, remaining, reduced.length, currency);
}

/** The part of a discount on a whole stay that so many of its nights have; part of a free night is none. */
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
 * What the promotion takes off new nights: only while it is on sale, and of a whole stay's discount what nights had that
 * are given up. Its own unit does not stand in its way.
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

/** Of a booking of an earlier release: what its remaining nights have of a discount on the whole stay. */
function goneBefore({ nights, currency }: Reservation, remaining: Remaining, { type, value }: Discount): number {
  const nightsLeft = [...remaining.nights.values()];
  if (type === 'FREE_NIGHTS') return nightsLeft.filter((night) => priceOf(night) === 0).length;
  return scale(value, nightsLeft.length, nights.length, incrementOf(currency));
}

type Changed = {
  wanted: WantedTerms;
  plan: RatePlan;
  remaining: Remaining;
  /** New nights, with their prices before the discount on them. */
  fresh: readonly Day[];
  lists: readonly Minor[];
  discount: Discount | undefined;
};

/** What the prices of the changed stay are made of: of its remaining nights as before, of new ones as they are now. */
function basisAfter(draft: Draft, before: Reservation, changed: Changed): PriceBasis | undefined {
  const { wanted, plan, remaining, fresh, lists, discount } = changed;
  const { stay, groupId, promoCode } = wanted;
  const pricing = pricingOf(draft.plans, plan);
  // What was taken off by an earlier release is not known: nothing of it could be judged.
  if (groupId !== undefined || (!before.basis && promoCode !== undefined && remaining.nights.size > 0))
    return undefined;
  const booked = before.basis?.promotion ?? (promoCode === undefined ? undefined : draft.promotions.get(promoCode));
  const isReduced = remaining.discount !== undefined || discount !== undefined;
  const old = (before.basis?.nights ?? []).filter(({ day }) => remaining.nights.has(day));
  const lineageOfNow = pricing.varies ? pricing.lineage : undefined;
  // Nights that stay are computed by the plan as it was; new ones only while it is still the same.
  const lineage = old.length > 0 ? before.basis?.lineage : lineageOfNow;
  const isComputed = lineage !== undefined && isDeepStrictEqual(lineage, lineageOfNow);
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
    ...(isReduced && booked && { promotion: conditionsOf(booked, sumOf(remaining.discount, discount)) }),
    nights: [...staying, ...added],
  };
}

/** What both take off together; of a percentage it is the same for all nights. */
function sumOf(one: Discount | undefined, other: Discount | undefined): Discount {
  if (!one || !other) return (one ?? other)!;
  if (one.type === 'PERCENTAGE') return one;
  const value = one.value + other.value;
  return one.type === 'FIXED_AMOUNT' ? { type: one.type, value } : { type: one.type, value };
}
