import type { Day } from '../../src/domain/dates.ts';
import type { CalendarDay, CalendarQuery } from '../../src/domain/queries.ts';
import type { RoomType } from '../../src/domain/property.ts';
import { hasRate, nightUnder, type Pricing, pricingOf } from './plans.ts';
import { limitsOf } from './restrictions.ts';
import type { State } from './state.ts';

/**
 * The cheapest price of each day that can be had, over plans and room types, with what limits it (contracts.md 6,
 * `/rates/calendar`). A day's price is that of its night for a guest who arrives on it and stays as short as may be;
 * a day on which nobody may arrive can still be stayed over.
 */
export function calendar(state: State, query: CalendarQuery): CalendarDay[] {
  const types = [...state.roomTypes.values()].filter((type) => sleeps(type, query));
  const pricings = [...state.plans.values()]
    .filter(({ status, code }) => status === 'ACTIVE' && (query.rateCode ?? code) === code)
    .map((plan) => pricingOf(state.plans, plan));
  const days: CalendarDay[] = [];
  for (let day = Math.max(query.start, state.today); day <= query.end; day++) {
    let cheapest: CalendarDay | undefined;
    for (const type of types)
      for (const pricing of pricings) {
        const offer = offerOf(state, type, pricing, day, query);
        if (offer && (cheapest === undefined || offer.rate! < cheapest.rate!)) cheapest = offer;
      }
    days.push(cheapest ?? { day, rate: null });
  }
  return days;
}

function sleeps({ roomType, maxAdults, maxChildren, maxGuests }: RoomType, query: CalendarQuery): boolean {
  const { adults, children } = query;
  const fits = adults <= maxAdults && children <= maxChildren && adults + children <= maxGuests;
  return fits && (query.roomType ?? roomType) === roomType;
}

/** A night of a type under a plan, when it is on sale. */
function offerOf(
  state: State,
  { roomType }: RoomType,
  pricing: Pricing,
  day: Day,
  { adults, children }: CalendarQuery,
): CalendarDay | undefined {
  const slab = state.slabs.get(roomType)!;
  const { plan } = pricing;
  const ahead = day - state.today;
  if (!slab.has(day) || !hasRate(slab, day, pricing)) return undefined;
  if (ahead < plan.minAdvanceBooking || ahead > plan.maxAdvanceBooking) return undefined;
  const { policies } = state.property!.metadata;
  const rule = state.restrictions.get(plan.code)?.get(roomType)?.get(day);
  if (rule?.stopSell || ahead < (rule?.minAdvance ?? 0) || ahead > (rule?.maxAdvance ?? Infinity)) return undefined;
  const limits = limitsOf(state, plan, { roomType, checkIn: day, checkOut: day + 1 });
  const terms = { persons: adults + children, nights: limits.minimumStay, ahead };
  const night = nightUnder(slab, day, pricing, policies, terms)!;
  if (night.available === 0) return undefined;
  return {
    ...{ day, roomType, rateCode: plan.code, rate: night.rate, available: night.available, restrictions: limits },
    closedToArrival: rule?.closedToArrival ?? false,
    closedToDeparture: rule?.closedToDeparture ?? false,
  };
}
