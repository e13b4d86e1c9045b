import type { Instant } from '../domain/property-time.ts';

/**
 * The one source of time: the database's clock, by offset, with the development offset (docs/concepts/actor.md#time).
 */
export interface Clock {
  now(): Instant;
}

/** What the database says of the time, all in milliseconds. */
export type TimeReading = {
  /** Its clock, without the development offset. */
  database: number;
  /** The development offset: only ever grows. */
  ahead: number;
  /** `Date.now()` before it was asked and after it had answered. */
  sent: number;
  received: number;
};
