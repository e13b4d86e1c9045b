import { REACH, SPAN, type YieldNights } from './yield-nights.ts';

/** What the change of one night's rate brings to all nights, against the current rates. */
export type NightGain = {
  /** Revenue in minor units, with parts of them. */
  revenue: number;
  rooms: number;
  /** Value of these rooms beside their rates. */
  bonus: number;
};

/** Simpson's rule with so many steps: sales are smooth between two plans. */
const STEPS = 4;

/**
 * Attributes the gain of a plan to the nights whose rates it changes, so that what it says of them sums to the gain:
 * guests decide on the mean rate of their stay, so a change moves the sales of nights around it too. All rates go from
 * the current ones to the plan's together, and each takes the share of each night's sales by which it has moved the
 * mean rate there (the shares of R. Aumann and L. Shapley, "Values of Non-Atomic Games", 1974). A night whose rate does
 * not change gets nothing.
 * @param bonus value of a room sold on each night beside its rate
 */
export function attributedGains(
  nights: YieldNights,
  rates: ArrayLike<number>,
  bonus: readonly number[],
): NightGain[] {
  const { size, current, usual, weights } = nights;
  const gains = Array.from({ length: size }, () => ({ revenue: 0, rooms: 0, bonus: 0 }));
  for (let night = 0; night < size; night++) {
    const change = nights.changeSeen(night, rates);
    const step = rates[night]! - current[night]!;
    const own = gains[night]!;
    const sold = alongTheWay(nights, night, change);
    own.revenue += step * sold.mean;
    const moved = sold.last - sold.first;
    const revenue = current[night]! * moved + step * (sold.last - sold.mean);
    if (change === 0 || (moved === 0 && revenue === 0)) {
      own.revenue += revenue;
      continue;
    }
    for (let near = 0; near < SPAN; near++) {
      const weight = weights[night * SPAN + near]!;
      if (weight === 0) continue;
      const other = night + near - REACH;
      const share = (weight * (rates[other]! - current[other]!)) / usual[other]! / change;
      const gain = gains[other]!;
      gain.revenue += share * revenue;
      gain.rooms += share * moved;
      gain.bonus += share * moved * bonus[night]!;
    }
  }
  return gains;
}

/** Expected sales of a night before and after a change, and in the mean on the way. */
function alongTheWay(
  nights: YieldNights,
  night: number,
  change: number,
): { first: number; last: number; mean: number } {
  const first = nights.sold(night, 0);
  if (change === 0) return { first, last: first, mean: first };
  const last = nights.sold(night, change);
  let sum = first + last;
  for (let step = 1; step < STEPS; step++)
    sum += (step % 2 === 1 ? 4 : 2) * nights.sold(night, (change * step) / STEPS);
  return { first, last, mean: sum / (3 * STEPS) };
}
