import { freeUntil } from '../../src/domain/cancellation.ts';
import { type Day, formatDay } from '../../src/domain/dates.ts';
import { decimalText } from '../../src/domain/money.ts';
import { nightFee, nightPrice, nightTax, priceSteps } from '../../src/domain/pricing.ts';
import type { Policies, Property, RatePlan, RoomType } from '../../src/domain/property.ts';
import type { Quote, QuotedRate, QuoteQuery, StayLimits } from '../../src/domain/queries.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { checkOccupancy, checkPlan } from './stay-rules.ts';
import type { PricedNight, Slab } from './slab.ts';
import type { State } from './state.ts';

/** A night under a plan, from the slab's memory or computed and remembered. The night must have a base rate. */
export function nightUnder(slab: Slab, day: Day, plan: RatePlan, policies: Policies): PricedNight {
  let nights = slab.priced.get(plan.code);
  if (!nights) slab.priced.set(plan.code, (nights = []));
  const index = day - slab.first;
  const known = nights[index];
  if (known) return known;
  const stored = { base: slab.base(day), multiplier: slab.multiplier(day), amount: slab.amount(day) };
  const rate = nightPrice(stored, plan);
  const available = Math.max(0, slab.free(day, policies.overbookingLimit));
  const text = `{"date":"${formatDay(day)}","rate":${decimalText(rate)},"availability":${available}}`;
  return (nights[index] = { text, rate, taxes: nightTax(rate, policies), available });
}

/** Prices a stay for every room type asked for (specification 4.1, `GET /rates/current`). */
export function quote(state: State, query: QuoteQuery): Quote {
  const property = state.property!;
  const plan = state.plans.get(query.rateCode);
  if (!plan) throw new Refusal('UNKNOWN_RATE_CODE', `The property has no rate code ${query.rateCode}.`);
  if (query.roomType !== undefined && !state.roomTypes.has(query.roomType))
    throw new Refusal('UNKNOWN_ROOM_TYPE', `The property has no room type ${query.roomType}.`);
  const limits = limitsOf(plan);
  const answer: Quote = { rates: [], unavailable: [], restrictions: limits };
  const deadline = freeUntil(plan.cancellationPolicy, query.checkIn, property.metadata);
  const cancellation = { policyName: plan.cancellationPolicy, deadline };
  for (const type of state.roomTypes.values()) {
    if (query.roomType !== undefined && type.roomType !== query.roomType) continue;
    const refusal = forbidden(state, type, plan, query);
    if (refusal) answer.unavailable.push(refusal);
    else {
      const rate = priced(state, property, type, plan, query);
      const steps = query.explain ? explained(state.slabs.get(type.roomType)!, plan, query) : undefined;
      answer.rates.push({ ...rate, restrictions: limits, cancellation, steps });
    }
  }
  return answer;
}

function limitsOf(plan: RatePlan): StayLimits {
  return {
    minimumStay: plan.minLengthOfStay,
    maximumStay: plan.maxLengthOfStay,
    advanceBooking: plan.minAdvanceBooking,
  };
}

function forbidden(
  state: State,
  type: RoomType,
  plan: RatePlan,
  query: QuoteQuery,
): Quote['unavailable'][0] | undefined {
  try {
    checkOccupancy(type, query.adults, query.children);
    checkPlan(plan, state.today, query.checkIn, query.checkOut);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const date = error.details.date ?? formatDay(query.checkIn);
    return { roomType: type.roomType, code: error.code, date, detail: error.message };
  }
  const slab = state.slabs.get(type.roomType)!;
  for (let day = query.checkIn; day < query.checkOut; day++) {
    if (slab.base(day) >= 0) continue;
    const date = formatDay(day);
    return { roomType: type.roomType, code: 'NO_RATE', date, detail: `No rate is set for the night of ${date}.` };
  }
  return undefined;
}

function explained(slab: Slab, plan: RatePlan, { checkIn, checkOut }: QuoteQuery): QuotedRate['steps'] {
  return Array.from({ length: checkOut - checkIn }, (_, index) => {
    const day = checkIn + index;
    return priceSteps({ base: slab.base(day), multiplier: slab.multiplier(day), amount: slab.amount(day) }, plan);
  });
}

type Priced = Omit<QuotedRate, 'restrictions' | 'cancellation' | 'steps'>;

function priced(state: State, property: Property, type: RoomType, plan: RatePlan, query: QuoteQuery): Priced {
  const { policies, currency } = property.metadata;
  const slab = state.slabs.get(type.roomType)!;
  const count = query.checkOut - query.checkIn;
  const nightly = new Array<number>(count);
  let [total, taxes, bookable, dailyText] = [0, 0, true, ''];
  for (let i = 0; i < count; i++) {
    const night = nightUnder(slab, query.checkIn + i, plan, policies);
    nightly[i] = night.rate;
    total += night.rate;
    taxes += night.taxes;
    if (night.available === 0) bookable = false;
    dailyText += i === 0 ? night.text : `,${night.text}`;
  }
  return {
    roomType: type.roomType,
    rateCode: plan.code,
    currency,
    dailyText,
    nightly,
    total,
    average: Math.round(total / count),
    taxes,
    fees: nightFee(query.adults + query.children, policies) * count,
    bookable,
  };
}
