import type { BestRates } from './best-rate.ts';

/** Guests of a night who are still expected, of one length of stay. */
export type ExpectedStays = {
  /** Rooms of this night that they would take at the usual rate, without those who cancel. */
  rooms: number;
  nights: number;
  /** Value of their rooms on the other nights of their stays. */
  others: number;
};

/** A part of the time until a night, with one elasticity of demand. */
export type SalesPeriod = { best: BestRates; stays: readonly ExpectedStays[] };

/** Steps of time for each unit of rooms that is expected to sell, so that a step sells less than one. */
const STEPS_PER_UNIT = 1.3;

/** A night whose rooms are valued. */
export type RoomValueInput = {
  /** Values are for up to so many rooms, a whole number. */
  rooms: number;
  /** Rooms left now, in fractions where bookings may be cancelled; values do not depend on it. */
  left: number;
  usual: number;
  /** From the night itself backwards to today. */
  periods: readonly SalesPeriod[];
  /** Variance of the expected rooms by their mean: 1 for guests who come one by one at a known rate. */
  dispersion: number;
};

/**
 * Value of each room of a night, by rooms left: what the last of them is expected to earn if it is not sold now. A
 * dynamic program over rooms and time: guests come at random, and each is offered the rate that earns most over the
 * value of the room. Where demand is more uncertain than chance alone, rooms are counted in units of `dispersion`.
 * @returns values in money for 0, 1, 2 ... rooms left; a night without rooms has the value of its last one
 */
export function roomValues({ rooms, usual, periods, dispersion }: Omit<RoomValueInput, 'left'>): Float64Array {
  const unit = Math.max(1, dispersion);
  const units = Math.max(1, Math.ceil(rooms / unit));
  const worth = new Float64Array(units + 1);
  for (const { best, stays } of periods) {
    const expected = stays.reduce((sum, one) => sum + one.rooms, 0) / unit;
    if (expected <= 0) continue;
    const steps = Math.max(1, Math.ceil(expected * STEPS_PER_UNIT));
    for (let step = 0; step < steps; step++) earn(worth, { best, stays, usual, share: 1 / (unit * steps) });
  }
  return spread(worth, rooms, unit);
}

type Step = SalesPeriod & { usual: number; share: number };

/** One step of time: from many rooms to few, so that each looks at the step before. */
function earn(worth: Float64Array, { best, stays, usual, share }: Step): void {
  for (let left = worth.length - 1; left > 0; left--) {
    const value = worth[left]! - worth[left - 1]!;
    let gain = 0;
    for (const { rooms, nights, others } of stays) {
      const stay = usual * nights;
      gain += rooms * stay * best.gain((others + value) / stay);
    }
    worth[left] = worth[left]! + gain * share;
  }
}

/** Values of single rooms between those of whole units. */
function spread(worth: Float64Array, rooms: number, unit: number): Float64Array {
  const at = (units: number): number => {
    const low = Math.min(Math.trunc(units), worth.length - 2);
    return worth[low]! + (worth[low + 1]! - worth[low]!) * (units - low);
  };
  const values = new Float64Array(rooms + 1);
  for (let left = 1; left <= rooms; left++) values[left] = unit * (at(left / unit) - at((left - 1) / unit));
  values[0] = values[1] ?? 0;
  return values;
}
