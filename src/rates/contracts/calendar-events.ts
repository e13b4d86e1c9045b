import { z } from 'zod';

import { at, count, dayField, idField } from '../../kernel/contracts/answers.ts';
import { date, instant, notes, rangeInOrder, text } from '../../kernel/contracts/fields.ts';
import { EVENT_EFFECTS } from '../rules/calendar-event.ts';

/** Bodies, queries and answers of calendar events (docs/reference/rates.md#calendar-events). */

/** Nights of one event at most: a season is no event. */
const MAX_EVENT_NIGHTS = 92;

export const calendarEventBody = z
  .strictObject({
    name: text(100),
    from: date.describe('First night.'),
    to: date.describe('Last night.'),
    effect: z.enum(EVENT_EFFECTS).default('MEDIUM').describe('How much demand it is expected to bring.'),
    note: notes(500).optional(),
  })
  .superRefine(({ from, to }, context) => {
    const blame = (message: string, field: string): void =>
      context.addIssue({ code: 'custom', path: ['to'], message, params: { field } });
    if (to < from) blame('is before from', 'REVERSED');
    else if (to - from >= MAX_EVENT_NIGHTS) blame(`at most ${MAX_EVENT_NIGHTS} nights`, 'TOO_MANY_NIGHTS');
  });
export type CalendarEventBody = z.infer<typeof calendarEventBody>;

export const calendarEventsQuery = z
  .object({
    start_date: date,
    end_date: date,
    asOf: instant.optional().describe('The events that were known at this time; now when absent.'),
  })
  .superRefine(rangeInOrder);
export type CalendarEventsQuery = z.infer<typeof calendarEventsQuery>;

export const calendarEventAnswer = z.object({
  eventId: idField,
  name: z.string(),
  from: dayField.describe('First night.'),
  to: dayField.describe('Last night.'),
  effect: z.enum(EVENT_EFFECTS),
  note: z.string().nullable(),
  createdAt: at,
  updatedAt: at,
  version: count.describe('For `If-Match`.'),
});

export const calendarEventsAnswer = z.object({
  propertyId: z.string(),
  items: z.array(calendarEventAnswer),
  seq: count,
});
