import { z } from 'zod';

import { guestAnswer } from '../../guests/contracts/guest-answers.ts';
import { at, count, dayField, idField, moneyField } from '../../kernel/contracts/answers.ts';
import { folioWindow } from '../../money/contracts/folio.ts';
import { documentAnswer } from '../../money/contracts/invoices.ts';
import { exportedNote } from '../../stay/contracts/desk-notes.ts';
import { inquiryAnswer } from '../../stay/contracts/inquiries.ts';
import { leftOutField, reservationAnswer, sharerField } from '../../stay/contracts/stay-answers.ts';
import { onlineCheckInField } from '../../stay/contracts/stay-pages.ts';
import { waitlistAnswer } from '../../stay/contracts/waitlist.ts';
import { RESERVATION_STATUSES } from '../../stay/rules/reservation.ts';

export const exportedStay = reservationAnswer.extend({
  checkInRecord: z.looseObject({ at }).nullable(),
  checkOutRecord: z.looseObject({ at }).nullable(),
  charges: z.array(
    z.object({
      description: z.string(),
      quantity: count.optional(),
      amount: moneyField,
      date: dayField,
      reason: z.string().optional(),
    }),
  ),
  invoices: z.array(documentAnswer).describe('Issued invoices and credit notes, oldest first.'),
  survey: z.looseObject({ answeredAt: at }).nullable(),
  statusHistory: z.array(
    z.object({
      oldStatus: z.string().nullable(),
      newStatus: z.string(),
      changedAt: at,
      changedBy: z.string().nullable(),
      reason: z.string().nullable(),
      notes: z.string().nullable(),
    }),
  ),
  notifications: z.array(
    z.object({ kind: z.string(), channel: z.string(), state: z.string(), at, sentAt: at.nullable() }),
  ),
  notes: z.array(exportedNote).describe('What staff has noted about the stay.'),
  onlineCheckIn: onlineCheckInField.nullable(),
});

/** A stay that somebody else has booked. */
export const sharedStay = z.object({
  reservationId: idField,
  confirmationNumber: z.string(),
  status: z.enum(RESERVATION_STATUSES),
  propertyName: z.string(),
  checkIn: dayField,
  checkOut: dayField,
  roomType: z.string(),
  currency: z.string(),
  sharer: sharerField,
  folio: folioWindow.nullable().describe('What is in the window of the guest.'),
  invoices: z.array(documentAnswer).describe('Those that were issued to the guest.'),
});

export const guestExportAnswer = z.object({
  exportedAt: at,
  guest: guestAnswer,
  notes: z.array(exportedNote).describe('What staff has noted about the guest.'),
  reservations: z.array(exportedStay),
  sharedStays: z.array(sharedStay).describe('Stays that the guest shares, without data of who has booked them.'),
  waitlist: z.array(waitlistAnswer).describe('Requests with the address of the guest that are not over.'),
  inquiries: z.array(inquiryAnswer).describe('Open inquiries with the address of the guest.'),
  leftOut: leftOutField,
});

export const erasureAnswer = z.object({
  guestId: idField,
  status: z.literal('ERASED'),
  erasedAt: at,
});
