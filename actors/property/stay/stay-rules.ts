import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { type Code, DomainError } from '../../../src/kernel/rules/domain-error.ts';
import {
  checkStayDays,
  lengthFault,
  type SaleWindow,
  type StayFields,
} from '../../../src/kernel/rules/sale-window.ts';
import { MAX_NIGHTS } from '../../../src/kernel/rules/stay-days.ts';
import { type Policies, type RoomType, sleepsParty } from '../../../src/properties/rules/property.ts';
import { dayUseRate } from '../../../src/rates/rules/day-use.ts';
import { pricedParty } from '../../../src/rates/rules/occupancy.ts';
import type { StayTerms } from '../../../src/rates/rules/pricing.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { type Party, type Stay, sameProduct } from '../../../src/rates/rules/stay.ts';
import type { Slab } from '../slab.ts';
import type { State } from '../state.ts';

export type Nights = Pick<Stay, 'roomType' | 'checkIn' | 'checkOut' | 'dayUse'>;
type Guests = Pick<Stay, 'checkIn' | 'adults' | 'children'>;

/** Refuses more guests than the room type sleeps. @throws DomainError OCCUPANCY_EXCEEDED */
export function checkOccupancy(type: RoomType, { checkIn, ...party }: Guests): void {
  if (sleepsParty(type, party)) return;
  const most = `${type.maxAdults} adults, ${type.maxChildren} children, ${type.maxGuests} guests in all`;
  throw new DomainError('OCCUPANCY_EXCEEDED', `${type.roomType} sleeps at most ${most}.`, {
    date: formatDay(checkIn),
  });
}

/**
 * Checks length of stay and advance limits of a plan; for a changed stay only the new parts.
 * @throws DomainError MIN_STAY, MAX_STAY, MIN_ADVANCE, MAX_ADVANCE
 */
export function checkPlan(plan: RatePlan, today: Day, stay: Nights, current?: Nights): void {
  const nights = stay.checkOut - stay.checkIn;
  const ahead = stay.checkIn - today;
  const changed = whatIsNew(stay, current);
  const isLimited = changed.length && !stay.dayUse;
  const refuse = (code: Code, words: string): never => {
    throw new DomainError(code, `${plan.code} ${words}.`, { date: formatDay(stay.checkIn) });
  };
  if (isLimited && nights < plan.minLengthOfStay) refuse('MIN_STAY', `needs at least ${plan.minLengthOfStay} nights`);
  if (isLimited && nights > plan.maxLengthOfStay) refuse('MAX_STAY', `allows at most ${plan.maxLengthOfStay} nights`);
  if (changed.arrival && ahead < plan.minAdvanceBooking)
    refuse('MIN_ADVANCE', `is booked at least ${plan.minAdvanceBooking} days ahead`);
  if (changed.arrival && ahead > plan.maxAdvanceBooking)
    refuse('MAX_ADVANCE', `is booked at most ${plan.maxAdvanceBooking} days ahead`);
}

/** The part of a stay to check: all of it, or what differs from the stored one. */
export function whatIsNew(
  stay: Nights,
  current?: Nights,
): { arrival: boolean; departure: boolean; length: boolean; night(day: Day): boolean } {
  const other = !current || !sameProduct(current, stay);
  const arrival = other || current.checkIn !== stay.checkIn;
  const departure = other || current.checkOut !== stay.checkOut;
  const length = arrival || current.checkOut - current.checkIn !== stay.checkOut - stay.checkIn;
  const night = (day: Day): boolean => other || day < current.checkIn || day >= current.checkOut;
  return { arrival, departure, length, night };
}

/**
 * Refuses a stay that is past, too long or beyond the horizon. Stored dates stay valid when the horizon becomes
 * shorter.
 * @throws DomainError VALIDATION_FAILED with every wrong field
 */
export function checkWindow(window: SaleWindow, stay: Nights, fields: StayFields, current?: Nights): void {
  const { checkIn, checkOut } = stay;
  checkStayDays({ ...window, lastNight: Math.max(window.lastNight, (current?.checkOut ?? 0) - 1) }, stay, fields);
  const fault = lengthFault(checkOut - checkIn);
  if (!fault) return;
  throw new DomainError('VALIDATION_FAILED', `A stay has 1 to ${MAX_NIGHTS} nights.`, {
    errors: [{ ...fields.checkOut, ...fault }],
  });
}

/** First night without `rooms` free rooms; `undefined` when the stay is available (I1). */
export function firstSoldOut(slab: Slab, policies: Policies, from: Day, to: Day, rooms: number): Day | undefined {
  for (let day = from; day < to; day++) if (slab.free(day, policies.overbookingLimit) < rooms) return day;
  return undefined;
}

/** The terms of a stay under a plan that affect its price. */
export function termsOf(
  stay: Party & Nights,
  { today, property }: Pick<State, 'today' | 'property'>,
  plan: RatePlan,
): StayTerms {
  const { checkIn, checkOut, dayUse, roomType } = stay;
  return {
    party: pricedParty(stay, property!.metadata.policies.ageBands),
    nights: checkOut - checkIn,
    ahead: checkIn - today,
    ...(dayUse && { dayUse: dayUseRate(plan, roomType) ?? 0 }),
  };
}
