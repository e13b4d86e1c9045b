import { sum } from '../../src/kernel/rules/figures.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import { type BidSignal, bidAt } from '../../src/rates/rules/bid-signal.ts';
import { ASSUMED_DEMAND, type LearnedDemand } from '../../src/rates/rules/demand-model.ts';
import { FACTOR_UNIT, factorAt, type LiveSignal } from '../../src/rates/rules/live-signal.ts';
import { adultsOnly } from '../../src/rates/rules/occupancy.ts';
import { nightPrice, type PricedCell } from '../../src/rates/rules/pricing.ts';
import type { PricedPlan } from '../../src/rates/rules/rate-plan.ts';
import { linearSolver } from '../../src/revenue/partners/linear-solver.ts';
import { type BidNight, bidPricesOf } from '../../src/revenue/rules/bid-prices/bid-prices.ts';
import { isDueAgain } from '../../src/revenue/rules/bid-prices/expected-change.ts';
import { demandPressure } from '../../src/revenue/rules/demand-pressure.ts';
import { type LiveRateTables, liveTablesOf, withinDay } from '../../src/revenue/rules/live-rates/live-tables.ts';
import type { DemandBelief } from './demand-belief.ts';
import { marketRate } from './demand-scenario.ts';
import { meanRate, type Policy, type SimulatedProperty, type SimulatedStay } from './demand-simulator.ts';
import { LearnedGuests } from './learned-guests.ts';
import { BOUNDS } from './pricing-policies.ts';
import { WeekLevels } from './week-levels.ts';

/** Standard deviation of a forecast, as a part of what is still to come. */
const DOUBT = 0.22;
/** Days between two mornings on which the demand model is learned again: it changes slowly, and learning is slow. */
const LEARNED_DAYS = 14;

const solve = await linearSolver();

/** A DYNAMIC plan as the product prices it, night by night, with what its rounds would send to the actor each morning. */
export const byProgram = (property: SimulatedProperty, belief: DemandBelief): Policy =>
  new ProductRates(property, belief, 'PROGRAM');
export const byLiveRates = (property: SimulatedProperty, belief: DemandBelief): Policy =>
  new ProductRates(property, belief, 'LIVE');

type Night = BidNight & { demand: number; market: Minor };

class ProductRates implements Policy {
  readonly #property: SimulatedProperty;
  readonly #belief: DemandBelief;
  readonly #isLive: boolean;
  readonly #plan: PricedPlan;
  readonly #levels: WeekLevels;
  readonly #guests: LearnedGuests;
  readonly #demand: Int8Array;
  /** By type and night. */
  readonly #bids: (BidSignal | undefined)[][];
  readonly #lives: (LiveSignal | undefined)[][];
  readonly #solved: (readonly BidNight[] | undefined)[];
  readonly #values: (LiveRateTables['values'] | undefined)[];
  /** Usual occupancy in percent: that of the nights as the forecast saw them first. */
  #usual: number | undefined;
  #learned: LearnedDemand = ASSUMED_DEMAND;

  constructor(property: SimulatedProperty, belief: DemandBelief, bidPriceBy: 'PROGRAM' | 'LIVE') {
    this.#property = property;
    this.#belief = belief;
    this.#isLive = bidPriceBy === 'LIVE';
    this.#plan = {
      strategy: 'DYNAMIC',
      strategyRules: { bidPriceBy },
      adjustmentPercent: 0,
      minRatePercent: BOUNDS.low,
      maxRatePercent: BOUNDS.high,
    };
    const types = property.scenario.hotel.roomTypes;
    this.#levels = new WeekLevels(property, belief);
    this.#guests = new LearnedGuests(belief);
    this.#demand = new Int8Array(belief.nights);
    this.#bids = types.map(() => []);
    this.#lives = types.map(() => []);
    this.#solved = types.map(() => undefined);
    this.#values = types.map(() => undefined);
  }

  wake(day: number): void {
    this.#levels.wake(day);
    if (this.#isLive && day % LEARNED_DAYS === 0) this.#learned = this.#guests.learn();
    const types = this.#nights(day);
    for (const [type, now] of types.entries()) {
      const before = this.#solved[type];
      if (now.length === 0 || (before && !isDueAgain(before, now))) continue;
      if (this.#isLive) this.#renewLive(type, now, day);
      else this.#solve(type, now);
      this.#solved[type] = now;
    }
  }

  quote(stay: SimulatedStay): Minor {
    return meanRate(stay, (night) => this.#rate(stay.type, night, this.#left(stay.type, night)));
  }

  observe(stay: SimulatedStay, quoted: Minor | undefined, booked: boolean): void {
    if (quoted !== undefined) this.#guests.count(stay, quoted, booked);
    if (booked) this.#levels.add(stay, stay.rooms);
  }

  #left(type: number, night: number): number {
    return this.#property.rooms(type) - this.#property.booked(type, night);
  }

  #rate(type: number, night: number, left: number, over: Partial<PricedCell> = {}): Minor {
    const bid = this.#bids[type]![night];
    const live = this.#lives[type]![night];
    const { scenario } = this.#belief;
    const cell: PricedCell = {
      day: scenario.today + night,
      base: this.#belief.base(type, night),
      multiplier: 100,
      amount: 0,
      sold: this.#property.rooms(type) - left,
      demand: this.#demand[night]!,
      market: marketRate(scenario, type, night),
      ...(bid && { bid: bidAt(bid, left) }),
      ...(live && { live: factorAt(live, left) }),
      ...over,
    };
    return nightPrice(cell, [this.#plan], { party: adultsOnly(2), nights: 1, ahead: 0 });
  }

  #solve(type: number, now: readonly Night[]): void {
    for (const [n, { amount, perRoom, day }] of bidPricesOf(now, solve).nights.entries()) {
      const rooms = Math.floor(now[n]!.capacity - now[n]!.booked);
      this.#bids[type]![day - this.#belief.scenario.today] = { amount, perRoom, rooms };
    }
  }

  #renewLive(type: number, now: readonly Night[], day: number): void {
    const { today: origin } = this.#belief.scenario;
    const today = origin + day;
    const values = this.#values[type];
    const input = { nights: now, today, demand: this.#learned, ...(values && { values }) };
    const { tables, values: next } = liveTablesOf(input);
    this.#values[type] = next;
    for (const { day: on, rooms, step, factors } of tables) {
      const night = on - origin;
      const before = this.#lives[type]![night];
      const start = before ? factorAt(before, this.#left(type, night)) : FACTOR_UNIT;
      this.#lives[type]![night] = { rooms, step, factors: withinDay(factors, start), start, on: today };
    }
  }

  /** Nights from a morning on by type, with the forecast shared as the product shares it. */
  #nights(day: number): Night[][] {
    const { scenario, nights } = this.#belief;
    const types = [...scenario.hotel.roomTypes.keys()];
    const staying = new Float64Array(nights);
    for (const { guest } of this.#property.bookings)
      for (let night = Math.max(0, guest.arrival); night < Math.min(nights, guest.arrival + guest.nights); night++)
        staying[night]! += guest.rooms * this.#belief.stillStaying(guest, day);
    const found: Night[][] = types.map(() => []);
    const capacity = sum(types, (type) => this.#property.rooms(type));
    const remaining = (night: number): number => {
      const level = this.#levels.of(night);
      return level * sum(types, (type) => this.#belief.remaining(type, night, day));
    };
    const first = Math.max(0, day);
    const ends = Float64Array.from({ length: nights }, (_, night) =>
      night < first ? 0 : Math.min(capacity, staying[night]! + remaining(night)),
    );
    this.#usual ??= (100 * sum([...ends.subarray(first)], Number)) / (capacity * (nights - first));
    for (let night = first; night < nights; night++) {
      const end = ends[night]!;
      this.#demand[night] = demandPressure((100 * end) / capacity, this.#usual);
      const booked = types.map((type) => this.#property.booked(type, night));
      const more = Math.max(0, staying[night]! + remaining(night) - sum(booked, Number));
      const weights = types.map((type) => booked[type]! + this.#property.rooms(type));
      for (const type of types) {
        const expected = (more * weights[type]!) / sum(weights, Number);
        const deviation = Math.hypot(Math.sqrt(expected), DOUBT * expected);
        const left = this.#left(type, night);
        const current = this.#isLive ? this.#belief.base(type, night) : this.#rate(type, night, left, { bid: 0 });
        found[type]!.push({
          roomType: String(type),
          day: scenario.today + night,
          capacity: this.#property.rooms(type),
          booked: booked[type]!,
          current,
          expected,
          deviation,
          demand: this.#demand[night]!,
          market: marketRate(scenario, type, night),
        });
      }
    }
    return found;
  }
}
