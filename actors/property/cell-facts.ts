import type { Day } from '../../src/kernel/rules/dates.ts';
import type { CellMove, CellState } from '../../src/kernel/rules/journal.ts';
import { nightUnder, pricingOf } from './rates/plans.ts';
import type { State } from './state.ts';

/**
 * A cell as the journal records it, in absolute values, with its price under a plan; undefined where the cell does not
 * exist.
 */
export function cellFact(
  { slabs, plans, property }: Pick<State, 'slabs' | 'plans' | 'property'>,
  [roomType, day]: readonly [string, Day],
  rateCode: string,
): CellState | undefined {
  const slab = slabs.get(roomType);
  if (!slab?.has(day) || !property) return undefined;
  const { metadata } = property;
  const bar = plans.get(rateCode);
  const rate = bar ? (nightUnder(slab, day, pricingOf(plans, bar), metadata)?.rate ?? null) : null;
  const free = Math.max(0, slab.free(day, metadata.policies.overbookingLimit));
  const total = slab.total(day);
  const booked = slab.count(day, 'booked');
  const held = slab.count(day, 'held');
  return [roomType, day, total, booked, held, slab.blocked(day), free, rate];
}

/** Which parts of a cell changed; undefined when only its room counts did, as in a booking under a fixed price. */
export function cellMove(before: CellState | undefined, after: CellState): CellMove | undefined {
  const rooms = !before || [2, 3, 4, 5, 6].some((place) => before[place] !== after[place]);
  const rate = (before?.[7] ?? null) !== after[7];
  if (rooms) return rate ? 'both' : undefined;
  return rate ? 'rate' : 'none';
}
