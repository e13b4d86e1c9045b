import type { Instant } from '../domain/property-time.ts';

/**
 * The development clock: an offset on the process's and the database's time alike
 * (docs/reference/set-up.md#development-only).
 */
export interface DevelopmentClock {
  now(): Instant;
  /** Puts time forward and answers when everything that fell due by it has run. */
  advance(milliseconds: number): Promise<Instant>;
}
