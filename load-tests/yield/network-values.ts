import { sum } from '../../src/kernel/rules/figures.ts';
import type { RoomValueInput } from '../../src/revenue/rules/live-rates/room-values.ts';

const HALVINGS = 20;

/**
 * Value of a night's rooms in the deterministic program: demand is what is expected, not more nor less, and the value is
 * the one at which as many rooms sell as are left (the dual of the night's capacity). It does not depend on single
 * rooms until the program is solved again. Nights that share stays are solved one after the other, each with the values
 * of the others.
 */
export function networkValues({ rooms, left, usual, periods }: RoomValueInput): Float64Array {
  const sold = (value: number): number =>
    sum(periods, ({ best, stays }) =>
      sum(stays, ({ rooms, nights, others }) => rooms * best.guests((others + value) / (usual * nights))),
    );
  let low = 0;
  let high = 10 * usual;
  if (sold(0) <= Math.max(0, left)) return new Float64Array(rooms + 1);
  for (let n = 0; n < HALVINGS; n++) {
    const middle = (low + high) / 2;
    if (sold(middle) > left) low = middle;
    else high = middle;
  }
  return new Float64Array(rooms + 1).fill(high);
}
