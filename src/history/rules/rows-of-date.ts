import type { Day } from '../../kernel/rules/dates.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/**
 * The rows of the journal that were decided on a business date: those behind `after`, up to `to`. None where the date was
 * passed over, as by a property that nobody used.
 */
export type RowsOfDate = {
  after: number;
  to: number;
  /** When the business date became this one and when it became a later one; the same where it was passed over. */
  from: Instant;
  until: Instant;
};

/** The same, with the date that became the business date then: those in between were passed over. */
export type RowsUntil = RowsOfDate & { reached: Day };
