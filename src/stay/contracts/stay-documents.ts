import { z } from 'zod';

import { at, dayField, moneyField, count, idField } from '../../kernel/contracts/answers.ts';
import { propertyId, text } from '../../kernel/contracts/fields.ts';
import { documentAnswer, documentBody } from '../../money/contracts/invoices.ts';
import { DOCUMENT_KINDS } from '../../money/rules/invoice-document.ts';
import { ROOM_STATUSES } from '../../properties/rules/property.ts';
import { unmetWishesField } from '../../rooms/contracts/room-wishes.ts';
import { CONFLICT_REASONS } from '../../rooms/rules/room-conflicts.ts';
import { RESERVATION_STATUSES } from '../rules/reservation.ts';
import { payment } from './stay-answers.ts';

/** Rooms, documents and ID check of a stay (docs/reference/reservations.md#reservations). */

export const assignRoomBody = z.strictObject({ roomNumber: text(10) });
export type AssignRoomBody = z.infer<typeof assignRoomBody>;

export const onePropertyQuery = z.object({ propertyId: propertyId.optional() });
export type OnePropertyQuery = z.infer<typeof onePropertyQuery>;

export const assignedRoomAnswer = z.object({
  reservationId: idField,
  roomNumber: z.string(),
  roomType: z.string(),
  assignedAt: at,
  upgraded: z.boolean(),
  previousRoomNumber: z.string().nullable(),
  unmetWishes: unmetWishesField,
});

export const conflictAnswer = z.object({
  propertyId: z.string(),
  roomNumber: z.string().optional(),
  roomType: z.string(),
  date: dayField,
  reservationIds: z.array(idField),
  reason: z.enum(CONFLICT_REASONS),
});

export const conflictsAnswer = z.object({
  items: z.array(conflictAnswer),
  seq: count.optional().describe('`seq` of the property, when one was named or the tenant has only one.'),
});

export const roomNowAnswer = z.object({
  propertyId: z.string(),
  roomNumber: z.string(),
  roomType: z.string(),
  floor: count,
  status: z.enum(ROOM_STATUSES),
  reservationId: idField.optional(),
  nextArrival: dayField.optional(),
  updatedAt: at,
});

export const verificationAnswer = z.object({
  reservationId: idField,
  guestId: idField,
  status: z.enum(['VERIFIED', 'NOT_VERIFIED', 'EXPIRED']),
  method: z.string().nullable(),
  verifiedAt: at.nullable(),
  verifiedBy: z.string().nullable(),
});

const status = z.enum(RESERVATION_STATUSES);

export const reservationHistoryAnswer = z.object({
  reservationId: idField,
  status,
  items: z.array(
    z.object({
      event: z.string(),
      timestamp: at,
      status,
      notes: z.string().nullable(),
      by: z.string(),
      byName: z.string().nullable().describe('The name of the user, where one is known.'),
    }),
  ),
  statusHistory: z.array(
    z.object({
      oldStatus: status.nullable(),
      newStatus: status,
      changedAt: at,
      changedBy: z.string().nullable(),
      reason: z.string().nullable(),
      notes: z.string().nullable(),
    }),
  ),
});

export const stayInvoiceQuery = z.object({
  window: z
    .literal('SHARER')
    .optional()
    .describe('The invoice of the sharer; that of the rest of the stay when absent.'),
});
export type StayInvoiceQuery = z.infer<typeof stayInvoiceQuery>;

export const invoiceAnswer = z.object({
  invoiceNumber: z.string(),
  status: z.enum(['ISSUED', 'PRO_FORMA']),
  reservationId: idField,
  confirmationNumber: z.string(),
  issuedAt: at.nullable(),
  ...documentBody,
  creditNotes: z.array(documentAnswer).describe('Credit notes that correct this invoice, oldest first.'),
  creditedAmount: moneyField.describe('Sum of the credit notes as a positive amount.'),
  documents: z
    .array(
      z.object({
        number: z.string(),
        kind: z.enum(DOCUMENT_KINDS),
        issuedAt: at,
        totalAmount: moneyField,
        window: z.literal('SHARER').optional().describe('Of the invoice of the sharer, and what corrects it.'),
      }),
    )
    .describe('All documents of the stay, oldest first.'),
  paidAmount: moneyField.describe('Payments less refunds and chargebacks.'),
  refundedAmount: moneyField.describe('Refunds, made or ordered.'),
  chargedBackAmount: moneyField.describe('Payments that card issuers have taken back, less what they have returned.'),
  balanceDue: moneyField.describe('Price of the stay now, less what is paid.'),
  payments: z.array(payment),
  receiptUrl: z.string().nullable().describe('Null for a VIEWER: the page names the guest.'),
});
