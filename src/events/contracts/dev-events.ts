import { z } from 'zod';

import { count, idField, listOf, openObject } from '../../kernel/contracts/answers.ts';
import { page, propertyId, text } from '../../kernel/contracts/fields.ts';
import { TOPIC_NAMES } from '../rules/topics.ts';

/** `GET /dev/events`: newest first, of one property or all of the tenant. */
export const eventsQuery = z.object({ ...page, propertyId: propertyId.optional() });
export type EventsQuery = z.infer<typeof eventsQuery>;

/** `GET .../properties/{propertyId}/events`: newest first. */
export const propertyEventsQuery = z.object({
  ...page,
  topic: z.enum(TOPIC_NAMES as [string, ...string[]]).optional(),
  q: text(100).optional().describe('Text that is in the event, such as an id of a reservation.'),
});
export type PropertyEventsQuery = z.infer<typeof propertyEventsQuery>;

const event = z.object({
  topic: z.enum(TOPIC_NAMES as [string, ...string[]]),
  key: z.string(),
  headers: z.record(z.string(), z.string()),
  bytes: count.nullable().describe('Length of the record as it would be sent; null when it cannot be written.'),
  value: openObject.nullable().describe('As a consumer reads it.'),
  error: z.string().nullable(),
});
export const propertyEventsAnswer = listOf(event);
export const eventsAnswer = z.object({
  items: z.array(event),
  nextCursor: z.string().nullable(),
  testEvents: z
    .array(event)
    .optional()
    .describe('Events of the test endpoint, which belong to no tenant; on the first page.'),
});

/** Answer of `GET /reservation-engine/api/test/kafka` (docs/concepts/events.md#to-look-at). */
export const eventTestAnswer = z.object({
  status: z.literal('SUCCESS'),
  message: z.string(),
  eventId: idField,
  topic: z.string(),
  checkKafkaUI: z.url().describe('Where the event can be seen.'),
  checkSchemaRegistry: z.url().describe('The schema that it was written with.'),
});
