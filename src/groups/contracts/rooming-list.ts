import { z } from 'zod';

import { at, count, dayField, idField, moneyField } from '../../kernel/contracts/answers.ts';
import {
  adults,
  children,
  date,
  datesInOrder,
  optionalEmail,
  roomTypeCode,
  text,
} from '../../kernel/contracts/fields.ts';
import { RESERVATION_STATUSES } from '../../stay/rules/reservation.ts';

/** Rows of a rooming list (docs/reference/groups.md#rooming-list). */
export const MAX_ROWS = 200;

/** One room of a rooming list. A row that does not fit is named in the report, and does not refuse the request. */
export const roomingRow = z
  .strictObject({
    firstName: text(100),
    lastName: text(100),
    email: optionalEmail,
    roomType: roomTypeCode,
    checkIn: date,
    checkOut: date,
    adults,
    children: children.default(0),
  })
  .superRefine(datesInOrder);
export type RoomingRow = z.infer<typeof roomingRow>;

/** Columns of the file, in the order in which we show them. */
export const ROOMING_COLUMNS = [
  ...(['firstName', 'lastName', 'email', 'roomType', 'checkIn', 'checkOut', 'adults', 'children'] as const),
] satisfies readonly (keyof RoomingRow)[];
export const REQUIRED_COLUMNS: readonly string[] = ROOMING_COLUMNS.filter(
  (column) => column !== 'email' && column !== 'children',
);

const dateText = { type: 'string', format: 'date' } as const;
const rowAsSent = z.record(z.string(), z.unknown()).meta({
  type: 'object',
  properties: {
    firstName: { type: 'string' },
    lastName: { type: 'string' },
    email: { type: 'string', format: 'email', description: 'That of the contact of the group when absent.' },
    roomType: { type: 'string' },
    checkIn: dateText,
    checkOut: dateText,
    adults: { type: 'integer' },
    children: { type: 'integer', default: 0 },
  } satisfies Record<keyof RoomingRow, object>,
  required: [...REQUIRED_COLUMNS],
});

/** Rows as JSON, or the text of a file. */
export const roomingListBody = z.union([
  z.strictObject({ rows: z.array(rowAsSent).min(1).max(MAX_ROWS) }),
  z.string().describe('text/csv: a header line with the names of the fields, then a line for each row.'),
]);
export type RoomingListBody = z.infer<typeof roomingListBody>;

export const roomingListAnswer = z.object({
  groupId: idField,
  dryRun: z.boolean().describe('Nothing is booked.'),
  bookable: z.boolean().describe('False: `lines` names what does not fit.'),
  rows: count,
  totalAmount: moneyField.nullable().describe('Null where a line does not fit.'),
  currency: z.string().nullable(),
  lines: z.array(
    z.object({
      line: count.describe('Of the file, where the header is 1; of `rows`, where the first is 1.'),
      code: z.string(),
      detail: z.string(),
      date: z.string().optional(),
    }),
  ),
  reservations: z.array(
    z.object({
      line: count,
      reservationId: idField,
      confirmationNumber: z.string(),
      status: z.enum(RESERVATION_STATUSES),
      firstName: z.string(),
      lastName: z.string(),
      roomType: z.string(),
      checkIn: dayField,
      checkOut: dayField,
      totalAmount: moneyField,
      holdExpiresAt: at.nullable().describe('It waits for its payment until then.'),
    }),
  ),
});
