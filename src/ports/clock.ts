import type { Instant } from '../domain/property-time.ts';

/** The one source of time: the database's clock, by offset, with the development offset (contracts.md 1). */
export interface Clock {
  now(): Instant;
}
