import { z } from 'zod';

import { guestInfo } from '../../guests/contracts/guest-answers.ts';
import {
  at,
  count,
  dayField,
  dayUseField,
  idField,
  listOf,
  moneyField,
  partyFields,
  taxLine,
} from '../../kernel/contracts/answers.ts';
import { tenderedField } from '../../money/contracts/exchange-rates.ts';
import { terminalSlip } from '../../money/contracts/payments.ts';
import { PAYMENT_STATUSES } from '../../money/rules/folio.ts';
import { PAYMENT_METHODS } from '../../money/rules/payment.ts';
import { contact, postalAddress } from '../../properties/contracts/property-answers.ts';
import { ROOM_STATUSES } from '../../properties/rules/property.ts';
import { instalmentField, termsField as planTerms } from '../../rates/contracts/rate-answers.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import { roomWishesField, unmetWishesField } from '../../rooms/contracts/room-wishes.ts';
import { BOOKING_GUARANTEES } from '../rules/guarantee.ts';
import { COLLECTORS, RESERVATION_STATUSES } from '../rules/reservation.ts';

const status = z.enum(RESERVATION_STATUSES);

const stay = {
  checkIn: dayField,
  checkOut: dayField,
  dayUse: dayUseField,
  ...partyFields,
  roomType: z.string(),
  rateCode: z.string(),
} satisfies Record<keyof Stay, z.ZodType>;

const stayDetails = z.object({
  ...stay,
  nights: count,
  roomNumber: z.string(),
  assignedAt: at.nullable(),
});

const billingAddress = postalAddress.extend({ name: z.string() }).partial();

/** What most payments have not. */
const paymentDetails = {
  paidBy: z.string().optional(),
  reference: z.string().nullable().optional(),
  gatewayName: z.string().optional().describe('The payment provider, of a charge or refund that it was asked for.'),
  cardLast4: z
    .string()
    .optional()
    .describe('Last digits of the card, where the payment provider or a card terminal says them.'),
  kind: z
    .enum(['CHARGEBACK', 'CHARGEBACK_WON'])
    .optional()
    .describe('Of a REFUND that the card issuer has taken, and of a CHARGE by which it has given that back.'),
  chargedBackPaymentId: idField.optional().describe('The payment that was charged back.'),
  closed: z.boolean().optional().describe('Of a chargeback: whether somebody has said what becomes of it.'),
  tendered: tenderedField.optional(),
  terminal: terminalSlip.optional(),
};

export const payment = z.object({
  paymentId: z.string(),
  amount: moneyField,
  method: z.enum(PAYMENT_METHODS).nullable(),
  status: z.string(),
  type: z.enum(['CHARGE', 'REFUND']),
  processedAt: at.nullable(),
  ...paymentDetails,
});

export const financialInShort = z.object({
  totalAmount: moneyField,
  paidAmount: moneyField,
  balanceDue: moneyField,
  currency: z.string(),
  paymentStatus: z.enum(PAYMENT_STATUSES),
});

export const financial = z.object({
  totalAmount: moneyField.describe(
    'What the stay costs; of one that was cancelled, expired or a no-show the retained amount.',
  ),
  originalTotal: moneyField.optional().describe('Original price of a cancelled, expired or no-show stay.'),
  baseAmount: moneyField,
  taxes: moneyField,
  fees: moneyField,
  paidAmount: moneyField,
  balanceDue: moneyField,
  currency: z.string(),
  paymentStatus: z.enum(PAYMENT_STATUSES),
  paymentDetails: z.array(payment),
});

const event = z.object({ event: z.string(), timestamp: at, status });
export const timelineEntry = event.extend({ notes: z.string().nullable() });

export const createdAnswer = z.object({
  reservationId: idField,
  confirmationNumber: z.string(),
  status,
  guestInfo: guestInfo.pick({ guestId: true, firstName: true, lastName: true, email: true }),
  stayDetails,
  financial,
  timeline: z.array(event),
  holdExpiresAt: at.optional(),
  createdAt: at,
});

export const bookingAnswer = z.object({
  bookingId: idField,
  propertyId: z.string(),
  totalAmount: moneyField,
  paidAmount: moneyField,
  currency: z.string(),
  reservations: z.array(createdAnswer).describe('One of each room, in the order in which they were asked for.'),
});

export const checkInAnswer = z.object({
  checkInId: idField,
  reservationId: idField,
  status,
  roomDetails: z.object({
    roomNumber: z.string(),
    roomType: z.string(),
    floor: count,
    upgraded: z.boolean(),
    keyCards: z.array(z.string()),
    keyCardExpiry: at,
  }),
  amenities: z.array(z.string()),
  checkInTime: at,
  expectedCheckOut: at,
});

export const checkInUndoneAnswer = z.object({
  reservationId: idField,
  status,
  roomNumber: z.string().nullable(),
  roomStatus: z.enum(ROOM_STATUSES).nullable(),
});

export const checkOutAnswer = z.object({
  checkOutId: idField,
  reservationId: idField,
  status,
  finalBill: z.object({
    roomCharges: moneyField,
    additionalCharges: moneyField,
    taxes: moneyField,
    taxLines: z.array(taxLine),
    totalAmount: moneyField,
    balanceDue: moneyField,
  }),
  payment: z
    .object({
      method: z.string().nullable(),
      amount: moneyField,
      paymentId: idField.nullable(),
      receiptUrl: z.string(),
      invoiceUrl: z.string(),
    })
    .describe('The charge made now; the last payment when nothing was due, nulls and 0.00 without one.'),
  account: z
    .object({ amount: moneyField, name: z.string().nullable() })
    .optional()
    .describe('What the account of the company or channel takes over; absent when that is nothing.'),
  refund: z.object({ amount: moneyField, method: z.enum(['ORIGINAL_PAYMENT_METHOD', 'NONE']) }),
  invoiceUrl: z.string(),
  feedback: z.object({ surveyUrl: z.string(), loyaltyPoints: count }),
  checkOutTime: at,
  forced: z.boolean().optional(),
});

export const sharerField = guestInfo
  .pick({ guestId: true, firstName: true, lastName: true, email: true, phone: true })
  .describe('The second guest of the room.');

export const listedReservation = z.object({
  reservationId: idField,
  confirmationNumber: z.string(),
  status,
  propertyId: z.string(),
  guestInfo,
  stayDetails,
  financial,
  specialRequests: z.array(z.string()),
  companions: z.array(z.object({ firstName: z.string(), lastName: z.string(), age: count.nullable() })),
  sharer: sharerField.nullable(),
  roomWishes: roomWishesField,
  unmetWishes: unmetWishesField,
  promoCode: z.string().nullable(),
  groupId: idField.nullable(),
  bookingId: idField.nullable().describe('Of all rooms that were booked together.'),
  source: z.object({
    channel: z.string().optional(),
    medium: z.string().optional(),
    campaign: z.string().optional(),
    externalId: z.string().optional(),
    collectedBy: z.enum(COLLECTORS).optional(),
    overbooked: z.array(dayField).optional().describe('Nights that were sold out when a channel sold them.'),
  }),
  holdExpiresAt: at.optional(),
  timeline: z.array(timelineEntry),
  createdAt: at,
  updatedAt: at,
});

export const cancellationAnswer = z.object({
  cancellationId: idField,
  reservationId: idField,
  status,
  cancellationPolicy: z.object({
    policyName: z.string(),
    deadlineDate: at.nullable(),
    penaltyAmount: moneyField,
    owedByCard: moneyField
      .optional()
      .describe('Part of the penalty that is still to be charged to the card on file.'),
    refundEligible: z.boolean(),
  }),
  refund: z.object({
    refundAmount: moneyField,
    refundMethod: z.enum(['ORIGINAL_PAYMENT_METHOD', 'NONE']),
    processingTime: z.string(),
    refundId: idField.nullable(),
  }),
  cancelledAt: at,
});

export const walkField = z
  .object({
    to: z.string().nullable().describe('The other hotel.'),
    compensation: moneyField.describe('Recorded: no provider pays it.'),
    reason: z.string().nullable(),
    by: z.string(),
    at,
  })
  .describe('Where the guest was sent, and what the property owes for it.');

const termsField = planTerms
  .extend({ policyName: z.string().describe('A cancellation policy, or the plan whose own terms they are.') })
  .describe('As they were when it was booked.');

/** The same, with each reservation as it is in lists. */
export const bookingNowAnswer = bookingAnswer.extend({ reservations: z.array(listedReservation) });

export const reservationAnswer = listedReservation.extend({
  terms: termsField,
  guarantee: z.enum(BOOKING_GUARANTEES).describe('Guarantee at the time of booking.'),
  depositSchedule: z.array(instalmentField.extend({ amount: moneyField, dueDate: dayField.nullable() })).nullable(),
  releaseHour: z.string().nullable(),
  companyId: z.string().nullable(),
  bookedRoomType: z.string().optional().describe('What was booked, where the guest has another type.'),
  comp: z
    .object({ nights: z.array(dayField), reason: z.string().nullable(), compedBy: z.string(), compedAt: at })
    .optional()
    .describe('Nights that are complimentary, and why.'),
  propertyInfo: z.object({
    propertyId: z.string(),
    propertyName: z.string(),
    address: postalAddress.nullable(),
    contact: contact.nullable(),
  }),
  financial: financial.extend({
    taxLines: z.array(taxLine).describe('Taxes and fees by their codes, with those in charges beside the nights.'),
    breakdown: z.array(
      z.object({
        date: dayField,
        roomRate: moneyField.describe('Without the taxes in it.'),
        surcharge: moneyField.optional().describe('What an upgrade adds to it, without taxes.'),
        compedRate: moneyField.optional().describe('Of a complimentary night: its rate before.'),
        taxes: moneyField,
        taxLines: z.array(taxLine),
      }),
    ),
    retained: moneyField.optional().describe('The least that the stay costs after its changes.'),
  }),
  paymentDetails: z
    .object({
      method: z.string().nullable(),
      billingAddress: billingAddress.nullable(),
      cardOnFile: z.literal(true).optional().describe('A card of who has booked can be charged; absent without one.'),
    })
    .nullable(),
  amenities: z.array(z.string()),
  cancellation: cancellationAnswer.nullable(),
  walk: walkField.optional(),
});

export const reservationInList = listedReservation.extend({ timelineCount: count });
const leftOut = z.array(z.object({ reservationId: idField, reason: z.literal('UNREADABLE') }));
export const reservationListAnswer = listOf(reservationInList).extend({
  leftOut: leftOut.describe('Reservations of the page that cannot be read.'),
});
/** Reservations that an answer should have and that cannot be read. */
export const leftOutField = leftOut.describe(
  'Reservations that cannot be read: the answer is not whole without them.',
);

const changeOf = <T extends z.ZodType>(value: T): z.ZodObject<{ from: T; to: T }> =>
  z.object({ from: value, to: value });

export const modificationAnswer = z.object({
  modificationId: idField,
  reservationId: idField,
  status,
  changes: z.object({ totalAmount: changeOf(moneyField).optional() }).catchall(changeOf(z.unknown())),
  additionalPayment: z.object({ amount: moneyField, paymentRequired: z.boolean(), dueDate: at.nullable() }),
  refund: z.object({ refundAmount: moneyField, refundMethod: z.string() }),
  breakdown: z
    .array(
      z.object({
        date: dayField,
        roomRate: moneyField,
        surcharge: moneyField.optional(),
        compedRate: moneyField.optional(),
        taxes: moneyField,
        taxLines: z.array(taxLine),
        previousRate: moneyField.nullable().describe('Null of a new night.'),
      }),
    )
    .optional()
    .describe('The nights of the changed stay, where dates, room type or guests change.'),
  modifiedAt: at,
});

export const paymentAnswer = z.object({
  paymentId: idField,
  reservationId: idField,
  amount: moneyField,
  method: z.string().nullable(),
  status: z.string(),
  processedAt: at.nullable(),
  reservationStatus: status,
  type: z.enum(['CHARGE', 'REFUND']),
  ...paymentDetails,
  financial: financialInShort,
});

/** What was charged back, and the reservation as it is then. */
export const chargebackAnswer = z.object({
  chargebackId: idField,
  paymentId: idField.describe('The payment that was charged back.'),
  reservationId: idField,
  amount: moneyField,
  currency: z.string(),
  reason: z.string(),
  reference: z.string().nullable(),
  claim: moneyField.describe('What was charged back of the stay and is neither paid again nor written off.'),
  reservationStatus: status,
  financial: financialInShort,
});

export const chargebackWonAnswer = z.object({
  returnedPaymentId: idField.describe('The payment by which the money came back.'),
  paymentId: idField.describe('The payment that was charged back.'),
  reservationId: idField,
  amount: moneyField,
  currency: z.string(),
  claim: moneyField,
  reservationStatus: status,
  financial: financialInShort,
});

export const chargebackClosedAnswer = z.object({
  paymentId: idField,
  reservationId: idField,
  writtenOff: moneyField.describe('What the stay costs less.'),
  currency: z.string(),
  claim: moneyField,
  reservationStatus: status,
  financial: financialInShort,
});

/** The refunded amount, and the reservation after the refund. */
export const refundAnswer = z.object({
  refundId: idField,
  reservationId: idField,
  amount: moneyField,
  currency: z.string(),
  reason: z.string(),
  credit: moneyField.describe(
    'What the stay costs less for it: good will, or the retained amount of a stay that is over.',
  ),
  refunds: z.array(payment).describe('One for each refunded payment.'),
  reservationStatus: status,
  financial: financialInShort,
});

export const waiverAnswer = cancellationAnswer.extend({
  waived: z.object({ amount: moneyField, refundId: idField.nullable(), reason: z.string() }),
});
