import type { Day } from '../../kernel/rules/dates.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** How much demand an event is expected to bring. */
export const EVENT_EFFECTS = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type EventEffect = (typeof EVENT_EFFECTS)[number];

/** What happens in town on some nights: a fair, a concert, a holiday (docs/reference/rates.md#calendar-events). */
export type CalendarEvent = {
  eventId: string;
  name: string;
  firstNight: Day;
  lastNight: Day;
  effect: EventEffect;
  note?: string;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The version of an event for `If-Match`: the moment of its last change, in milliseconds. */
export function eventVersion({ updatedAt }: Pick<CalendarEvent, 'updatedAt'>): number {
  return updatedAt;
}

/** Whether an event has a night of a period, both ends inclusive. */
export function fallsWithin({ firstNight, lastNight }: CalendarEvent, start: Day, end: Day): boolean {
  return firstNight <= end && lastNight >= start;
}

/** By first night, and of the same nights by name. */
export function byNight(a: CalendarEvent, b: CalendarEvent): number {
  return a.firstNight - b.firstNight || a.lastNight - b.lastNight || (a.name < b.name ? -1 : 1);
}
