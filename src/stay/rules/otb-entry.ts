import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';

/** On-the-books figures of a property for one night over all room types, in addition to the sold rooms. */
export type OtbEntry = {
  day: Day;
  /** Room revenue of the stays on the books: rates without taxes and fees (docs/concepts/night-audit.md#figures). */
  revenue: Minor;
  /** Rooms booked since the business date began, less those cancelled since. */
  pickup: number;
  /** Reservations of the night cancelled since the business date began. */
  cancelled: number;
};

/** An on-the-books entry in a journal row: night, revenue, pickup, cancelled, as absolute values. */
export type OtbFact = [Day, Minor, number, number];

export function nightBook([day, revenue, pickup, cancelled]: OtbFact): OtbEntry {
  return { day, revenue, pickup, cancelled };
}

export function otbFact({ day, revenue, pickup, cancelled }: OtbEntry): OtbFact {
  return [day, revenue, pickup, cancelled];
}
