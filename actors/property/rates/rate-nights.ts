import type { Day } from '../../../src/kernel/rules/dates.ts';
import { incrementOf, percentOf } from '../../../src/kernel/rules/money.ts';
import { nightPrice, priceBeforeStrategy } from '../../../src/rates/rules/pricing.ts';
import type { BaseNight, RateNight, ZeroNight } from '../../../src/rates/rules/queries.ts';
import { BAR } from '../../../src/rates/rules/rate-plan.ts';
import { expectedMore } from '../../../src/rates/rules/revenue-forecast.ts';
import type { Slab } from '../slab.ts';
import type { State } from '../state.ts';
import { cellOf, hasRate, nightUnder, type Pricing, pricingOf, usualTerms } from './plans.ts';

/** Nights that have a BAR price, for revenue management (docs/reference/rates.md#analysis). */
export function rateNights(state: State, start: Day, end: Day, only?: string): RateNight[] {
  const bar = state.plans.get(BAR);
  if (!bar) return [];
  const pricing = pricingOf(state.plans, bar);
  const found: RateNight[] = [];
  for (const [roomType, slab, day] of nightsOnSale(state, start, end, only)) {
    const night = nightOf(state, roomType, slab, day, pricing);
    if (night) found.push(night);
  }
  return found;
}

/** Nights that a plan on sale would sell, but whose price is 0. */
export function zeroNights(state: State, start: Day, end: Day): ZeroNight[] {
  const { metadata } = state.property!;
  const sold = [...state.plans.values()].filter(({ status }) => status === 'ACTIVE');
  return [...nightsOnSale(state, start, end)].flatMap(([roomType, slab, day]) =>
    sold.flatMap((plan) => {
      const pricing = pricingOf(state.plans, plan);
      const isZero = hasRate(slab, day, pricing) && !nightUnder(slab, day, pricing, metadata);
      return isZero ? [{ rateCode: plan.code, roomType, day }] : [];
    }),
  );
}

/** Base rates of nights, both inclusive, as far as the property sells them. */
export function baseNights(state: State, start: Day, end: Day, only?: string): BaseNight[] {
  const bar = state.plans.get(BAR);
  const pricing = bar && pricingOf(state.plans, bar);
  const { metadata } = state.property!;
  return [...nightsOnSale(state, start, end, only)].map(([roomType, slab, day]) => ({
    roomType,
    day,
    base: slab.base(day),
    multiplier: slab.multiplier(day),
    amount: slab.amount(day),
    rate: (pricing && nightUnder(slab, day, pricing, metadata)?.rate) ?? null,
  }));
}

/** Nights of both days inclusive, by room type, from the business date to the end of the window. */
function* nightsOnSale({ slabs, today }: State, start: Day, end: Day, only?: string): Generator<[string, Slab, Day]> {
  for (const [roomType, slab] of slabs) {
    if ((only ?? roomType) !== roomType) continue;
    const last = Math.min(end, slab.first + slab.nights - 1);
    for (let day = Math.max(start, today); day <= last; day++) yield [roomType, slab, day];
  }
}

function nightOf(state: State, roomType: string, slab: Slab, day: Day, pricing: Pricing): RateNight | undefined {
  const priced = nightUnder(slab, day, pricing, state.property!.metadata);
  if (!priced) return undefined;
  const { rate } = priced;
  const increment = incrementOf(state.property!.metadata.currency);
  const { minRatePercent, maxRatePercent, minRate = 1, maxRate = Infinity, baseRate } = pricing.plan;
  const base = baseRate ?? slab.base(day);
  const total = slab.total(day);
  const cell = cellOf(slab, day, state.property!.metadata.currency);
  const booked = slab.count(day, 'booked') + slab.count(day, 'held');
  const { live: _, ...notLive } = cell;
  return {
    roomType,
    day,
    total,
    booked,
    rate,
    capacity: Math.max(booked, total - slab.blocked(day)),
    low: Math.max(increment, Math.min(rate, Math.max(minRate, percentOf(base, minRatePercent, increment)))),
    high: Math.max(rate, Math.min(maxRate, percentOf(base, maxRatePercent, increment))),
    ...(increment > 1 && { increment }),
    expected: expectedMore({ total, booked, day }, state.today),
    market: slab.market(day),
    ...(cell.bid !== undefined && {
      beforeBid: nightPrice({ ...notLive, bid: 0 }, pricing.lineage, usualTerms(slab, day)),
    }),
    beforeStrategy: priceBeforeStrategy(cell, pricing.lineage, usualTerms(slab, day)),
    live: slab.live(day),
  };
}
