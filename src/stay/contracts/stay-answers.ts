import { z } from 'zod';

import { at, moneyField, dayField, listOf } from '../../kernel/contracts/answers.ts';
import { PAYMENT_METHODS } from '../../money/rules/payment.ts';
import { RESERVATION_STATUSES } from '../rules/reservation.ts';

export const status = z.enum(RESERVATION_STATUSES);

export const guest = z.object({ guestId: z.uuid(), firstName: z.string(), lastName: z.string(), email: z.string() });

const stayDetails = z.object({
  checkIn: dayField,
  checkOut: dayField,
  nights: z.int(),
  adults: z.int(),
  children: z.int(),
  roomType: z.string(),
  rateCode: z.string(),
  roomNumber: z.string(),
  assignedAt: at.nullable(),
});

export const payment = z.object({
  paymentId: z.string(),
  amount: moneyField,
  method: z.enum(PAYMENT_METHODS).nullable(),
  status: z.string(),
  processedAt: at.nullable(),
  paidBy: z.string().optional(),
  reference: z.string().nullable().optional(),
});

export const financial = z.object({
  totalAmount: moneyField.describe(
    'What the stay costs; of one that was cancelled, expired or a no-show what is kept.',
  ),
  originalTotal: moneyField
    .optional()
    .describe('What a stay would have cost that was cancelled, expired or a no-show.'),
  baseAmount: moneyField,
  taxes: moneyField,
  fees: moneyField,
  paidAmount: moneyField,
  balanceDue: moneyField,
  currency: z.string(),
  paymentStatus: z.enum(['PAID', 'PARTIALLY_PAID', 'UNPAID', 'REFUNDED', 'FAILED']),
  paymentDetails: z.array(payment),
});

export const event = z.object({ event: z.string(), timestamp: at, status });

export const createdAnswer = z.object({
  reservationId: z.uuid(),
  confirmationNumber: z.string(),
  status,
  guestInfo: guest,
  stayDetails,
  financial,
  timeline: z.array(event),
  holdExpiresAt: at.optional(),
  createdAt: at,
});

export const checkInAnswer = z.object({
  checkInId: z.uuid(),
  reservationId: z.uuid(),
  status,
  roomDetails: z.object({
    roomNumber: z.string(),
    roomType: z.string(),
    floor: z.int(),
    upgraded: z.boolean(),
    keyCards: z.array(z.string()),
    keyCardExpiry: at,
  }),
  amenities: z.array(z.string()),
  checkInTime: at,
  expectedCheckOut: at,
});

export const checkOutAnswer = z.object({
  checkOutId: z.uuid(),
  reservationId: z.uuid(),
  status,
  finalBill: z.object({
    roomCharges: moneyField,
    additionalCharges: moneyField,
    taxes: moneyField,
    totalAmount: moneyField,
    balanceDue: moneyField,
  }),
  payment: z
    .object({
      method: z.string().nullable(),
      amount: moneyField,
      paymentId: z.uuid().nullable(),
      receiptUrl: z.string(),
      invoiceUrl: z.string(),
    })
    .describe('What was charged now; the last payment when nothing was due, nulls and 0.00 when there was none.'),
  refund: z.object({ amount: moneyField, method: z.enum(['ORIGINAL_PAYMENT_METHOD', 'NONE']) }),
  invoiceUrl: z.string(),
  feedback: z.object({ surveyUrl: z.string(), loyaltyPoints: z.int() }),
  checkOutTime: at,
  forced: z.boolean().optional(),
});

export const listedReservation = z.object({
  reservationId: z.uuid(),
  confirmationNumber: z.string(),
  status,
  propertyId: z.string(),
  guestInfo: guest.extend({ phone: z.string().nullable(), loyaltyMember: z.boolean(), loyaltyTier: z.string() }),
  stayDetails,
  financial,
  specialRequests: z.array(z.string()),
  promoCode: z.string().nullable(),
  groupId: z.uuid().nullable(),
  timeline: z.array(event.extend({ notes: z.string().nullable() })),
  createdAt: at,
  updatedAt: at,
});

export const reservationAnswer = listedReservation.extend({
  propertyInfo: z.object({ propertyId: z.string(), propertyName: z.string() }),
  financial: financial.extend({
    breakdown: z.array(z.object({ date: dayField, roomRate: moneyField, taxes: moneyField })),
  }),
  amenities: z.array(z.string()),
});

export const reservationListAnswer = listOf(listedReservation.extend({ timelineCount: z.int() }));

export const modificationAnswer = z.object({
  modificationId: z.uuid(),
  reservationId: z.uuid(),
  status,
  changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
  additionalPayment: z.object({ amount: moneyField, paymentRequired: z.boolean(), dueDate: at.nullable() }),
  refund: z.object({ refundAmount: moneyField, refundMethod: z.string() }),
  modifiedAt: at,
});

export const cancellationAnswer = z.object({
  cancellationId: z.uuid(),
  reservationId: z.uuid(),
  status,
  cancellationPolicy: z.object({
    policyName: z.string(),
    deadlineDate: at.nullable(),
    penaltyAmount: moneyField,
    refundEligible: z.boolean(),
  }),
  refund: z.object({
    refundAmount: moneyField,
    refundMethod: z.enum(['ORIGINAL_PAYMENT_METHOD', 'NONE']),
    processingTime: z.string(),
    refundId: z.uuid().nullable(),
  }),
  cancelledAt: at,
});

export const paymentAnswer = z.object({
  paymentId: z.uuid(),
  reservationId: z.uuid(),
  amount: moneyField,
  method: z.string().nullable(),
  status: z.string(),
  processedAt: at.nullable(),
  reservationStatus: status,
  financial: z.object({
    totalAmount: moneyField,
    paidAmount: moneyField,
    balanceDue: moneyField,
    currency: z.string(),
    paymentStatus: z.string(),
  }),
});

/** What was given back, and the reservation as it is then. */
export const refundAnswer = z.object({
  refundId: z.uuid(),
  reservationId: z.uuid(),
  amount: moneyField,
  currency: z.string(),
  reason: z.string(),
  credit: moneyField.describe('What the stay costs less for it: good will, or what was kept of a stay that is over.'),
  refunds: z.array(payment).describe('One for each payment that it goes back to.'),
  reservationStatus: status,
  financial: paymentAnswer.shape.financial,
});

export const waiverAnswer = cancellationAnswer.extend({
  waived: z.object({ amount: moneyField, refundId: z.uuid(), reason: z.string() }),
});
