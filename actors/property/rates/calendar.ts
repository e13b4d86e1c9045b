import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import type { RoomType } from '../../../src/properties/rules/property.ts';
import type { CalendarDay, CalendarQuery } from '../../../src/rates/rules/queries.ts';
import type { Restriction } from '../../../src/rates/rules/restriction.ts';
import { personsOf } from '../../../src/rates/rules/stay.ts';
import type { PricedNight, Slab } from '../slab.ts';
import type { State } from '../state.ts';
import { hasRate, nightUnder, type Pricing, pricingOf } from './plans.ts';
import { stayLimitsOf } from './restrictions.ts';

/** A room type under a plan that may be the cheapest of a day. */
type Candidate = {
  roomType: string;
  slab: Slab;
  pricing: Pricing;
  rules: ReadonlyMap<Day, Restriction> | undefined;
  /** Remembered prices, by nights from the slab's first: most candidates are ruled out by them. */
  known: readonly (PricedNight | undefined)[] | undefined;
  /** Arrivals that the plan allows at all, by its advance limits. */
  first: Day;
  last: Day;
};

/**
 * The cheapest price of each day that can be had, over plans and room types, with what limits it
 * (docs/reference/rates.md#calendar). A day's price is that of its night for a guest who arrives on it and stays as
 * short as may be; a day on which nobody may arrive can still be stayed over.
 */
export function calendar(state: State, query: CalendarQuery): CalendarDay[] {
  const candidates = candidatesOf(state, query);
  const persons = personsOf(query);
  const days: CalendarDay[] = [];
  for (let day = Math.max(query.start, state.today); day <= query.end; day++) {
    let [best, cheapest]: [Candidate | undefined, PricedNight | undefined] = [undefined, undefined];
    for (const candidate of candidates) {
      const night = nightBelow(state, candidate, day, persons, cheapest?.rate ?? Infinity);
      if (night) [best, cheapest] = [candidate, night];
    }
    days.push(best && cheapest ? offerOf(state, best, day, cheapest) : { day, rate: null });
  }
  return days;
}

function candidatesOf(state: State, query: CalendarQuery): Candidate[] {
  const pricings = [...state.plans.values()]
    .filter(({ status, code }) => status === 'ACTIVE' && (query.rateCode ?? code) === code)
    .map((plan) => pricingOf(state.plans, plan));
  const types = [...state.roomTypes.values()].filter((type) => sleeps(type, query));
  return types.flatMap(({ roomType }) =>
    pricings.map((pricing) => {
      const rules = state.restrictions.get(pricing.plan.code)?.get(roomType);
      const slab = state.slabs.get(roomType)!;
      const first = Math.max(slab.first, state.today + pricing.plan.minAdvanceBooking);
      const last = Math.min(slab.first + slab.nights - 1, state.today + pricing.plan.maxAdvanceBooking);
      const known = pricing.varies ? undefined : slab.priced.get(pricing.plan.code);
      return { roomType, slab, pricing, rules, known, first, last };
    }),
  );
}

function sleeps({ roomType, maxAdults, maxChildren, maxGuests }: RoomType, query: CalendarQuery): boolean {
  const { adults, children } = query;
  const fits = adults <= maxAdults && children <= maxChildren && adults + children <= maxGuests;
  return fits && (query.roomType ?? roomType) === roomType;
}

/** A night of a type under a plan, when it is on sale for less than `rate`. */
function nightBelow(
  state: State,
  candidate: Candidate,
  day: Day,
  persons: number,
  rate: Minor,
): PricedNight | undefined {
  const { slab, known, first, last } = candidate;
  if (day < first || day > last) return undefined;
  const remembered = known?.[day - slab.first];
  if (remembered && (remembered.rate >= rate || remembered.available === 0)) return undefined;
  if (!isOnSale(state, candidate, day)) return undefined;
  const night = remembered ?? nightFor(state, candidate, day, persons);
  return night && night.rate < rate && night.available > 0 ? night : undefined;
}

function isOnSale({ today }: State, { slab, pricing, rules }: Candidate, day: Day): boolean {
  if (!hasRate(slab, day, pricing)) return false;
  const rule = rules?.get(day);
  if (!rule) return true;
  const ahead = day - today;
  return !rule.stopSell && ahead >= (rule.minAdvance ?? 0) && ahead <= (rule.maxAdvance ?? Infinity);
}

function nightFor(
  state: State,
  { roomType, slab, pricing }: Candidate,
  day: Day,
  persons: number,
): PricedNight | undefined {
  const { metadata } = state.property!;
  if (!pricing.varies) return nightUnder(slab, day, pricing, metadata);
  // Only prices that depend on the stay need to know how short it may be.
  const { minimumStay: nights } = stayLimitsOf(state, pricing.plan, arrivalOn(roomType, day));
  return nightUnder(slab, day, pricing, metadata, { persons, nights, ahead: day - state.today });
}

function offerOf(
  state: State,
  { roomType, pricing: { plan }, rules }: Candidate,
  day: Day,
  { rate, available }: PricedNight,
): CalendarDay {
  const rule = rules?.get(day);
  const restrictions = stayLimitsOf(state, plan, arrivalOn(roomType, day));
  return {
    day,
    roomType,
    rateCode: plan.code,
    rate,
    available,
    restrictions,
    closedToArrival: rule?.closedToArrival ?? false,
    closedToDeparture: rule?.closedToDeparture ?? false,
  };
}

const arrivalOn = (roomType: string, day: Day) => ({ roomType, checkIn: day, checkOut: day + 1 });
