import type { Day } from '../../kernel/rules/dates.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/**
 * Journal rows decided on a business date: after `after`, up to `to`. Empty for a date that was skipped, as by a
 * passive property.
 */
export type RowsOfDate = {
  after: number;
  to: number;
  /** When this business date and when a later one began; equal for a skipped date. */
  from: Instant;
  until: Instant;
};

/** With the business date that began then: those in between were skipped. */
export type RowsUntil = RowsOfDate & { reached: Day };
