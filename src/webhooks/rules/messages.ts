import type { EventRecord } from '../../events/rules/events.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import { decimalText } from '../../kernel/rules/money.ts';
import { formatInstant, type Instant } from '../../kernel/rules/property-time.ts';
import type { GridCell } from '../../rates/rules/queries.ts';

/** Cells of one message of a snapshot: about 100 KB. */
const CELLS_OF_MESSAGE = 500;

/** Type of the messages of a snapshot, and of a test. */
const SNAPSHOT_TYPE = 'property.snapshot';
const TEST_TYPE = 'webhook.test';

/** What a receiver gets: an id that is the same however often it is sent, and a body. */
export type WebhookMessage = { id: string; type: string; body: string };

/** Position of a message: property, generation and `seq`, by which a receiver knows what it has. */
type Position = Address & { generation: number; seq: number };

function message(id: string, type: string, at: Instant, position: Position | object, data: object): WebhookMessage {
  return { id, type, body: JSON.stringify({ type, timestamp: formatInstant(at), ...position, data }) };
}

/** An event as a message; `data` is the record of its topic (docs/reference/webhooks.md#messages). */
export function eventMessage({ topic, headers, value }: EventRecord): WebhookMessage {
  const { tenantId, propertyId, seq, generation } = headers;
  const position = { tenantId, propertyId, generation: Number(generation), seq: Number(seq) };
  return message(value.eventId, topic, value.timestamp, position, value);
}

/** The state of a property, as a webhook is sent it before its events. */
type PropertyState = Position & { at: Instant; businessDate: string; currency: string; cells: GridCell[] };

/** Messages of a snapshot: nights of room types, some hundred in each. @param idOf makes the id of the n-th */
export function snapshotMessages(state: PropertyState, idOf: (n: number) => string): WebhookMessage[] {
  const { tenantId, propertyId, generation, seq, at, businessDate, currency, cells } = state;
  const parts = Math.max(1, Math.ceil(cells.length / CELLS_OF_MESSAGE));
  return Array.from({ length: parts }, (_, part) => {
    const some = cells.slice(part * CELLS_OF_MESSAGE, (part + 1) * CELLS_OF_MESSAGE).map(cellOf);
    const data = { part: part + 1, parts, businessDate, currency, cells: some };
    return message(idOf(part), SNAPSHOT_TYPE, at, { tenantId, propertyId, generation, seq }, data);
  });
}

const cellOf = ({ roomType, day, total, booked, held, blocked, available, rate }: GridCell): object => ({
  roomType,
  date: formatDay(day),
  totalRooms: total,
  blockedRooms: blocked,
  bookedRooms: booked,
  heldRooms: held,
  availableRooms: available,
  rate: rate === null ? null : decimalText(rate),
});

export const testMessage = (id: string, tenantId: string, webhookId: string, at: Instant): WebhookMessage =>
  message(id, TEST_TYPE, at, { tenantId }, { webhookId });
