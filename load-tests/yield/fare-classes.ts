import type { Minor } from '../../src/kernel/rules/money.ts';
import { normalTail } from '../../src/kernel/rules/portable-math.ts';
import type { DemandBelief } from './demand-belief.ts';
import { meanRate, type Policy, type SimulatedProperty } from './demand-simulator.ts';
import { percentOfBase } from './pricing-policies.ts';

/** Fares in percent of the base rate, the dearest first. */
const FARES = [180, 150, 125, 100, 90] as const;
/** Variance of demand: so many times its mean, and of the forecast as a part of its square. */
const VARIANCE = { perRoom: 1.5, ofSquare: 0.04 };

/**
 * EMSR-b (Belobaba): each night has fare classes, and rooms are protected for dearer ones by expected marginal revenue.
 * A night costs the cheapest fare that is open.
 */
export function fareClasses(property: SimulatedProperty, belief: DemandBelief): Policy {
  const types = [...property.scenario.hotel.roomTypes.keys()];
  /** By type, night and class: rooms that are protected for dearer classes. */
  const limits = types.map(() => Array.from({ length: belief.nights }, () => FARES.map(() => 0)));
  const fareOf = (type: number, night: number): Minor => {
    const left = property.rooms(type) - property.booked(type, night);
    const open = limits[type]![night]!.findLastIndex((protectedRooms) => left > protectedRooms);
    return percentOfBase(belief.base(type, night), FARES[Math.max(0, open)]!);
  };
  return {
    wake(day) {
      for (const type of types)
        for (let night = Math.max(0, day); night < belief.nights; night++)
          limits[type]![night] = protectedRooms(demandOf(belief, { type, night, day }));
    },
    quote: (stay) => meanRate(stay, (night) => fareOf(stay.type, night)),
  };
}

/** Rooms that guests take who pay a class, and would not pay the next dearer one. */
function demandOf(
  belief: DemandBelief,
  { type, night, day }: { type: number; night: number; day: number },
): { fare: number; mean: number }[] {
  const remaining = belief.remaining(type, night, day);
  const elasticity = belief.elasticity(night, Math.floor((night - day) / 2));
  let dearer = 0;
  return FARES.map((fare) => {
    const rate = percentOfBase(belief.base(type, night), fare);
    const paying = remaining * belief.response(type, night, { rate, elasticity });
    const mean = paying - dearer;
    dearer = paying;
    return { fare, mean };
  });
}

/** Protection of each class for all dearer ones: 0 for the dearest. */
export function protectedRooms(classes: readonly { fare: number; mean: number }[]): number[] {
  let mean = 0;
  let revenue = 0;
  return classes.map((one, at) => {
    const limit = at === 0 || mean <= 0 ? 0 : quantile(mean, one.fare / (revenue / mean));
    mean += one.mean;
    revenue += one.mean * one.fare;
    return limit;
  });
}

/** Rooms that demand exceeds with a probability. */
function quantile(mean: number, probability: number): number {
  const deviation = Math.sqrt(VARIANCE.perRoom * mean + VARIANCE.ofSquare * mean * mean);
  let low = -6;
  let high = 6;
  for (let n = 0; n < 30; n++) {
    const middle = (low + high) / 2;
    if (normalTail(middle) > probability) low = middle;
    else high = middle;
  }
  return Math.max(0, mean + low * deviation);
}
