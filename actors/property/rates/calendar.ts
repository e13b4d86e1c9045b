import type { Day } from '../../../src/kernel/rules/dates.ts';
import { MAX_AMOUNT, type Minor } from '../../../src/kernel/rules/money.ts';
import { type Night, totals } from '../../../src/money/rules/night.ts';
import { type RoomType, sleepsParty } from '../../../src/properties/rules/property.ts';
import { bookedNight, chargesOf, type QuotedCharges, stayFees } from '../../../src/rates/rules/night-charges.ts';
import { type PricedParty, pricedParty } from '../../../src/rates/rules/occupancy.ts';
import type { CalendarDay, CalendarQuery } from '../../../src/rates/rules/queries.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { rulesOf } from '../../../src/rates/rules/restriction-table.ts';
import { type Party, partyOf } from '../../../src/rates/rules/stay.ts';
import type { PricedNight } from '../slab.ts';
import { saleWindow, type State } from '../state.ts';
import { nightUnder, pricingOf } from './plans.ts';
import { stayLimitsOf } from './restrictions.ts';
import { Shortest, type Sold } from './shortest-stay.ts';

/** A room type under a plan that may be the cheapest of a day. */
type Candidate = Sold & {
  stays: Shortest;
  /** Cached prices by night from the slab's first; they rule out most candidates. */
  known: readonly (PricedNight | undefined)[] | undefined;
};

/** The party, as it is priced too, and the charges on top of the rates. */
type Wanted = Party & { priced: PricedParty; charges: QuotedCharges };

/** Stays tried that the rules allow but that have no price, or one too high. Rarely is there any. */
const MAX_PRICED = 8;

/** A night as part of the shortest bookable stay. */
type Offer = { candidate: Candidate; night: PricedNight; checkIn: Day; checkOut: Day };

/**
 * Cheapest available price of each day over plans and room types, with what limits it
 * (docs/reference/rates.md#calendar): for a guest who arrives on that night and stays as short as allowed; where
 * arrival is closed, for one who arrived before. The named stay can be booked.
 */
export function calendar(state: State, query: CalendarQuery): CalendarDay[] {
  const candidates = candidatesOf(state, query);
  const { metadata } = state.property!;
  const priced = pricedParty(query, metadata.policies.ageBands);
  const wanted = { ...query, priced, charges: chargesOf(metadata) };
  const days: CalendarDay[] = [];
  const last = Math.min(query.end, saleWindow(state).lastNight);
  for (let day = Math.max(query.start, state.today); day <= query.end; day++) {
    const offer =
      day > last ? undefined : (arriving(state, candidates, day, wanted) ?? passing(state, candidates, day, wanted));
    days.push(offer ? shownOffer(state, offer, day) : { day, rate: null });
  }
  return days;
}

function candidatesOf(state: State, query: CalendarQuery): Candidate[] {
  const pricings = [...state.plans.values()]
    .filter((plan) => plan.status === 'ACTIVE' && isLookedAt(plan, query))
    .map((plan) => pricingOf(state.plans, plan));
  const types = [...state.roomTypes.values()].filter((type) => sleeps(type, query));
  return types.flatMap(({ roomType }) =>
    pricings.map((pricing) => {
      const sold: Sold = {
        roomType,
        pricing,
        slab: state.slabs.get(roomType)!,
        rules: rulesOf(state.restrictions, pricing.plan.code, roomType),
      };
      const known = pricing.varies ? undefined : sold.slab.priced.get(pricing.plan.code);
      return { ...sold, stays: new Shortest(state, sold), known };
    }),
  );
}

/** Company rates are not public: only a query that names the plan sees them. */
function isLookedAt({ code, guarantee }: RatePlan, { rateCode }: CalendarQuery): boolean {
  return rateCode === undefined ? guarantee !== 'COMPANY' : rateCode === code;
}

function sleeps(type: RoomType, query: CalendarQuery): boolean {
  return sleepsParty(type, query) && (query.roomType ?? type.roomType) === type.roomType;
}

/** The cheapest night of stays that arrive on it. */
function arriving(state: State, candidates: readonly Candidate[], day: Day, wanted: Wanted): Offer | undefined {
  let best: Offer | undefined;
  for (const candidate of candidates) {
    if (isDearer(candidate, day, best)) continue;
    best = cheaper(best, offerFrom(state, candidate, [day, candidate.stays.from(day)], day, wanted));
  }
  return best;
}

/** The cheapest night of stays that arrived before it, as late as possible. */
function passing(state: State, candidates: readonly Candidate[], day: Day, wanted: Wanted): Offer | undefined {
  let best: Offer | undefined;
  for (const candidate of candidates) {
    if (isDearer(candidate, day, best) || !candidate.stays.isOpen(day)) continue;
    let priced = 0;
    for (let from = day - 1; priced < MAX_PRICED && candidate.stays.mayHaveArrived(from, day); from--) {
      const departures = candidate.stays.having(from, day);
      if (departures.length === 0) continue;
      const offer = offerFrom(state, candidate, [from, departures], day, wanted);
      best = cheaper(best, offer);
      priced = offer ? MAX_PRICED : priced + 1;
    }
  }
  return best;
}

/** Whether a cached price already shows that a candidate is not the cheapest. */
function isDearer({ known, slab }: Candidate, day: Day, best: Offer | undefined): boolean {
  const remembered = known?.[day - slab.first];
  return remembered !== undefined && (remembered.available === 0 || (!!best && remembered.rate >= best.night.rate));
}

function cheaper(best: Offer | undefined, offer: Offer | undefined): Offer | undefined {
  return offer && (!best || offer.night.rate < best.night.rate) ? offer : best;
}

/** The shortest bookable stay from one day that includes the night of another. */
function offerFrom(
  state: State,
  candidate: Candidate,
  [checkIn, departures]: [Day, Iterable<Day>],
  day: Day,
  wanted: Wanted,
): Offer | undefined {
  let priced = 0;
  for (const checkOut of departures) {
    const night = nightOf(state, candidate, { checkIn, checkOut, day }, wanted);
    if (night) return { candidate, night, checkIn, checkOut };
    if (++priced === MAX_PRICED) break;
  }
  return undefined;
}

/** A night of a stay; `undefined` where a night has no price, or the total exceeds what can be stored. */
function nightOf(
  state: State,
  { slab, pricing }: Candidate,
  { checkIn, checkOut, day }: { checkIn: Day; checkOut: Day; day: Day },
  wanted: Wanted,
): PricedNight | undefined {
  const { metadata } = state.property!;
  const terms = { party: wanted.priced, nights: checkOut - checkIn, ahead: checkIn - state.today };
  let found: PricedNight | undefined;
  const { charges } = wanted;
  const stay = { ...partyOf(wanted), checkIn, checkOut };
  const nights: Night[] = [];
  let total: Minor = charges.taxes ? 0 : stayFees(stay, charges);
  for (let at = checkIn; at < checkOut; at++) {
    const night = nightUnder(slab, at, pricing, metadata, terms);
    if (!night) return undefined;
    if (charges.taxes) nights.push(bookedNight(stay, at, night.rate, charges));
    else total += night.rate + night.taxes;
    if (at === day) found = night;
  }
  return total + totals(nights).total <= MAX_AMOUNT ? found : undefined;
}

function shownOffer(state: State, { candidate, night, checkIn, checkOut }: Offer, day: Day): CalendarDay {
  const { roomType, rules, pricing } = candidate;
  const rule = rules?.get(day);
  return {
    day,
    roomType,
    rateCode: pricing.plan.code,
    rate: night.rate,
    available: night.available,
    restrictions: stayLimitsOf(state, pricing.plan, { roomType, checkIn: day, checkOut: day + 1 }),
    closedToArrival: rule?.closedToArrival ?? false,
    closedToDeparture: rule?.closedToDeparture ?? false,
    stay: { checkIn, checkOut },
  };
}
