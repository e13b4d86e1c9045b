import { EventEmitter } from 'node:events';

import type { HoldBound } from '../../stay/rules/hold-bounds.ts';

/** Counters of operations, for metrics. */
export class Measured extends EventEmitter<{
  /** Seconds that an optimization of rates was computed. */
  optimization: [seconds: number];
  /** Money of a reservation does not add up. */
  violation: [];
  /** So many more arrivals wait for their rooms to be arranged, or fewer. */
  assignment: [more: number];
  /** A hold, or a reservation that is not paid, would have taken too much from sale. */
  holdRefused: [by: HoldBound];
}> {}
