/**
 * Every topic (docs/reference/events.md#topics) with the version of its schema that is written. Those of `innkeeper`
 * are published from the journal, those of `others` are only read; `availability.updated` is both.
 */
export const TOPICS = {
  'rate.updated': { version: 1, from: 'innkeeper' },
  'promotion.created': { version: 1, from: 'innkeeper' },
  'reservation.created': { version: 2, from: 'innkeeper' },
  'reservation.modified': { version: 1, from: 'innkeeper' },
  'reservation.cancelled': { version: 1, from: 'innkeeper' },
  'guest.checkedin': { version: 1, from: 'innkeeper' },
  'guest.checkedout': { version: 1, from: 'innkeeper' },
  'availability.updated': { version: 1, from: 'innkeeper' },
  'payment.processed': { version: 1, from: 'others' },
  'competitor.rates.updated': { version: 1, from: 'others' },
} as const;

export type Topic = keyof typeof TOPICS;

export const TOPIC_NAMES = Object.keys(TOPICS) as readonly Topic[];

/** Subject of the schema registry (docs/reference/events.md#format). */
export const subjectOf = (topic: Topic): `${Topic}-value` => `${topic}-value`;

/** `reservation.created` is `RESERVATION_CREATED`. */
export const eventTypeOf = (topic: Topic): string => topic.toUpperCase().replaceAll('.', '_');
