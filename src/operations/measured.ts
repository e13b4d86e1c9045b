import { EventEmitter } from 'node:events';

/** What operations measure of themselves, for whoever shows it. */
export class Measured extends EventEmitter<{
  /** Seconds that an optimization of rates was computed. */
  optimization: [seconds: number];
  /** So many more arrivals wait for their rooms to be arranged, or fewer. */
  assignment: [more: number];
}> {}
