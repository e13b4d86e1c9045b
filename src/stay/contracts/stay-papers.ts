import { z } from 'zod';

import { at, dayField, moneyField } from '../../kernel/contracts/answers.ts';
import { propertyId, text } from '../../kernel/contracts/fields.ts';
import { ROOM_STATUSES } from '../../properties/rules/property.ts';
import { CONFLICT_REASONS } from '../../rooms/rules/room-conflicts.ts';
import { RESERVATION_STATUSES } from '../rules/reservation.ts';

/** Rooms, papers and verification of a stay (docs/reference/reservations.md#reservations). */

export const assignRoomBody = z.strictObject({ roomNumber: text(10) });
export type AssignRoomBody = z.infer<typeof assignRoomBody>;

export const onePropertyQuery = z.object({ propertyId: propertyId.optional() });
export type OnePropertyQuery = z.infer<typeof onePropertyQuery>;

export const assignedRoomAnswer = z.object({
  reservationId: z.uuid(),
  roomNumber: z.string(),
  roomType: z.string(),
  assignedAt: at,
  upgraded: z.boolean(),
  previousRoomNumber: z.string().nullable(),
});

export const conflictsAnswer = z.object({
  items: z.array(
    z.object({
      propertyId: z.string(),
      roomNumber: z.string().optional(),
      roomType: z.string(),
      date: dayField,
      reservationIds: z.array(z.uuid()),
      reason: z.enum(CONFLICT_REASONS),
    }),
  ),
  seq: z.int().optional().describe('Of the property, where one was named or the tenant has only one.'),
});

export const roomNowAnswer = z.object({
  propertyId: z.string(),
  roomNumber: z.string(),
  roomType: z.string(),
  floor: z.int(),
  status: z.enum(ROOM_STATUSES),
  reservationId: z.uuid().optional(),
  nextArrival: dayField.optional(),
  updatedAt: at,
});

export const verificationAnswer = z.object({
  reservationId: z.uuid(),
  guestId: z.uuid(),
  status: z.enum(['VERIFIED', 'NOT_VERIFIED', 'EXPIRED']),
  method: z.string().nullable(),
  verifiedAt: at.nullable(),
  verifiedBy: z.string().nullable(),
});

const status = z.enum(RESERVATION_STATUSES);

export const reservationHistoryAnswer = z.object({
  reservationId: z.uuid(),
  status,
  items: z.array(
    z.object({ event: z.string(), timestamp: at, status, notes: z.string().nullable(), by: z.string() }),
  ),
  statusHistory: z.array(
    z.object({
      oldStatus: status.nullable(),
      newStatus: status,
      changedAt: at,
      changedBy: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
});

export const invoiceAnswer = z.object({
  invoiceNumber: z.string(),
  status: z.enum(['ISSUED', 'PRO_FORMA']),
  reservationId: z.uuid(),
  confirmationNumber: z.string(),
  issuedAt: at.nullable(),
  issuedBy: z.object({ propertyId: z.string(), propertyName: z.string(), address: z.unknown() }),
  issuedTo: z.object({ name: z.string(), address: z.unknown() }),
  currency: z.string(),
  items: z.array(
    z.object({
      date: dayField,
      description: z.string(),
      amount: moneyField,
      taxes: moneyField,
      code: z.string().nullable(),
    }),
  ),
  subtotal: moneyField,
  taxes: moneyField,
  fees: moneyField,
  totalAmount: moneyField,
  paidAmount: moneyField.describe('What came and stayed.'),
  refundedAmount: moneyField.describe('What came and went back, or is about to.'),
  balanceDue: moneyField,
  payments: z.array(z.object({ paymentId: z.string(), type: z.string(), amount: moneyField, status: z.string() })),
  receiptUrl: z.string().nullable().describe('Null for a VIEWER: the page names the guest.'),
});

export const housekeepingAnswer = z.object({
  items: z.array(
    z.object({
      taskId: z.uuid(),
      roomNumber: z.string(),
      taskType: z.string(),
      status: z.string(),
      notes: z.string().nullable(),
      createdAt: at,
    }),
  ),
  nextCursor: z.null(),
});
