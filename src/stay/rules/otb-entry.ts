import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';

/** What the books of a property say of a night, over all room types and beside the rooms that are sold. */
export type OtbEntry = {
  day: Day;
  /**
   * Room revenue of the stays that are on the books: rates without taxes and fees
   * (docs/concepts/night-audit.md#figures).
   */
  revenue: Minor;
  /** Rooms that have come on the books since the business date began, less those that have left them. */
  pickup: number;
  /** Reservations of the night that were cancelled since the business date began. */
  cancelled: number;
};

/** A night's book as a journal row has it: night, revenue, pickup, cancelled, in absolute values. */
export type OtbFact = [Day, Minor, number, number];

export function nightBook([day, revenue, pickup, cancelled]: OtbFact): OtbEntry {
  return { day, revenue, pickup, cancelled };
}

export function otbFact({ day, revenue, pickup, cancelled }: OtbEntry): OtbFact {
  return [day, revenue, pickup, cancelled];
}
