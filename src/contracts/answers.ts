import { z } from 'zod';

import { NOTIFICATION_CHANNELS, NOTIFICATION_KINDS } from '../domain/notification.ts';
import { PAYMENT_METHODS, RESERVATION_STATUSES } from '../domain/reservation.ts';
import { ROOM_STATUSES } from '../domain/property.ts';

/** What the endpoints answer, for the API description (specification 4, contracts.md 5 to 7). */

export const money = z.number().meta({ description: 'A decimal with two places.', examples: [199.0] });
export const day = z.iso.date();
export const at = z.iso.datetime();
/** What takes a thing of the set-up away answers, by the code that it was known under. */
export const removed = z.object({ id: z.string(), status: z.literal('REMOVED') });

const status = z.enum(RESERVATION_STATUSES);

const payment = z.object({
  paymentId: z.string(),
  amount: money,
  method: z.enum(PAYMENT_METHODS).nullable(),
  status: z.string(),
  processedAt: at.nullable(),
  paidBy: z.string().optional(),
  reference: z.string().nullable().optional(),
});

const financial = z.object({
  totalAmount: money.describe('What the stay costs; of one that was cancelled, expired or a no-show what is kept.'),
  originalTotal: money.optional().describe('What a stay would have cost that was cancelled, expired or a no-show.'),
  baseAmount: money,
  taxes: money,
  fees: money,
  paidAmount: money,
  balanceDue: money,
  currency: z.string(),
  paymentStatus: z.enum(['PAID', 'PARTIALLY_PAID', 'UNPAID', 'REFUNDED', 'FAILED']),
  paymentDetails: z.array(payment),
});

const stayDetails = z.object({
  checkIn: day,
  checkOut: day,
  nights: z.int(),
  adults: z.int(),
  children: z.int(),
  roomType: z.string(),
  rateCode: z.string(),
  roomNumber: z.string(),
  assignedAt: at.nullable(),
});

const guest = z.object({ guestId: z.uuid(), firstName: z.string(), lastName: z.string(), email: z.string() });
const event = z.object({ event: z.string(), timestamp: at, status });

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

export const paymentAnswer = z.object({
  paymentId: z.uuid(),
  reservationId: z.uuid(),
  amount: money,
  method: z.string().nullable(),
  status: z.string(),
  processedAt: at.nullable(),
  reservationStatus: status,
  financial: z.object({
    totalAmount: money,
    paidAmount: money,
    balanceDue: money,
    currency: z.string(),
    paymentStatus: z.string(),
  }),
});

/** What was given back, and the reservation as it is then. */
export const refundAnswer = z.object({
  refundId: z.uuid(),
  reservationId: z.uuid(),
  amount: money,
  currency: z.string(),
  reason: z.string(),
  credit: money.describe('What the stay costs less for it: good will, or what was kept of a stay that is over.'),
  refunds: z.array(payment).describe('One for each payment that it goes back to.'),
  reservationStatus: status,
  financial: paymentAnswer.shape.financial,
});

export const checkOutAnswer = z.object({
  checkOutId: z.uuid(),
  reservationId: z.uuid(),
  status,
  finalBill: z.object({
    roomCharges: money,
    additionalCharges: money,
    taxes: money,
    totalAmount: money,
    balanceDue: money,
  }),
  payment: z
    .object({
      method: z.string().nullable(),
      amount: money,
      paymentId: z.uuid().nullable(),
      receiptUrl: z.string(),
      invoiceUrl: z.string(),
    })
    .describe('What was charged now; the last payment when nothing was due, nulls and 0.00 when there was none.'),
  refund: z.object({ amount: money, method: z.enum(['ORIGINAL_PAYMENT_METHOD', 'NONE']) }),
  invoiceUrl: z.string(),
  feedback: z.object({ surveyUrl: z.string(), loyaltyPoints: z.int() }),
  checkOutTime: at,
  forced: z.boolean().optional(),
});

const listedReservation = z.object({
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
  financial: financial.extend({ breakdown: z.array(z.object({ date: day, roomRate: money, taxes: money })) }),
  amenities: z.array(z.string()),
});

export const listOf = <T extends z.ZodType>(
  item: T,
): z.ZodObject<{ items: z.ZodArray<T>; nextCursor: z.ZodNullable<z.ZodString> }> =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

export const reservationListAnswer = listOf(listedReservation.extend({ timelineCount: z.int() }));

export const modificationAnswer = z.object({
  modificationId: z.uuid(),
  reservationId: z.uuid(),
  status,
  changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
  additionalPayment: z.object({ amount: money, paymentRequired: z.boolean(), dueDate: at.nullable() }),
  refund: z.object({ refundAmount: money, refundMethod: z.string() }),
  modifiedAt: at,
});

export const cancellationAnswer = z.object({
  cancellationId: z.uuid(),
  reservationId: z.uuid(),
  status,
  cancellationPolicy: z.object({
    policyName: z.string(),
    deadlineDate: at.nullable(),
    penaltyAmount: money,
    refundEligible: z.boolean(),
  }),
  refund: z.object({
    refundAmount: money,
    refundMethod: z.enum(['ORIGINAL_PAYMENT_METHOD', 'NONE']),
    processingTime: z.string(),
    refundId: z.uuid().nullable(),
  }),
  cancelledAt: at,
});

export const waiverAnswer = cancellationAnswer.extend({
  waived: z.object({ amount: money, refundId: z.uuid(), reason: z.string() }),
});

export const limits = z.object({ minimumStay: z.int(), maximumStay: z.int(), advanceBooking: z.int() });

export const quoteAnswer = z.object({
  propertyId: z.string(),
  checkIn: day,
  checkOut: day,
  rates: z.array(
    z.object({
      roomType: z.string(),
      rateType: z.enum(['BASE', 'PROMOTIONAL', 'GROUP', 'DERIVED']),
      rateCode: z.string(),
      promoCode: z.string().optional(),
      currency: z.string(),
      dailyRates: z.array(z.object({ date: day, rate: money, availability: z.int() })),
      totalRate: money,
      averageRate: money,
      taxes: money,
      fees: money,
      bookable: z.boolean(),
      quoteToken: z.string().optional(),
      restrictions: limits,
      cancellation: z.object({ policyName: z.string(), deadlineDate: at.nullable() }),
    }),
  ),
  unavailable: z.array(z.object({ roomType: z.string(), code: z.string(), date: day, detail: z.string() })),
  restrictions: limits,
});

export const baseRatesAnswer = z.object({
  rateId: z.uuid(),
  status: z.literal('ACTIVE'),
  effectiveDate: day,
  updatedAt: at,
  affectedDates: z.int(),
  previewUrl: z.string(),
});

export const propertyAnswer = z.object({
  propertyId: z.string(),
  name: z.string(),
  propertyType: z.string(),
  metadata: z.looseObject({ currency: z.string(), timezone: z.string(), amenities: z.array(z.string()) }),
  createdAt: at,
  updatedAt: at,
});
export const propertyListAnswer = listOf(propertyAnswer);

export const roomTypeAnswer = z.object({
  roomType: z.string(),
  name: z.string(),
  maxAdults: z.int(),
  maxChildren: z.int(),
  maxGuests: z.int(),
  totalRooms: z.int(),
  amenities: z.array(z.string()),
});
export const roomTypeListAnswer = listOf(roomTypeAnswer);

export const roomAnswer = z.object({
  roomNumber: z.string(),
  roomType: z.string(),
  floor: z.int(),
  status: z.enum(ROOM_STATUSES),
  features: z.array(z.string()),
  reservationId: z.string().optional().meta({ description: 'Whose guest is in it.' }),
  updatedAt: at,
});
export const roomListAnswer = listOf(roomAnswer);

export const availabilityAnswer = z.object({
  items: z.array(
    z.object({
      propertyId: z.string(),
      roomType: z.string(),
      date: day,
      totalRooms: z.int(),
      availableRooms: z.int(),
      bookedRooms: z.int(),
      heldRooms: z.int(),
      blockedRooms: z.int(),
      status: z.enum(['OPEN', 'LIMITED', 'SOLD_OUT', 'CLOSED']),
    }),
  ),
  seq: z.int(),
  asOf: at.optional().meta({ description: 'The instant that was asked for, where one was.' }),
});

const change = <T extends z.ZodType>(value: T): z.ZodOptional<z.ZodObject<{ from: T; to: T }>> =>
  z.object({ from: value, to: value }).optional();
const rooms = {
  totalRooms: z.int(),
  bookedRooms: z.int(),
  heldRooms: z.int(),
  blockedRooms: z.int(),
  availableRooms: z.int(),
};
const changedRooms = change(z.int());

export const cellHistoryAnswer = listOf(
  z.object({
    seq: z.int(),
    at,
    type: z.string().meta({ description: 'The command.', examples: ['CONFIRM_BOOKING'] }),
    entity: z.string().meta({ description: 'Id of what the command was about.' }),
    by: z.string(),
    ...rooms,
    rate: money.nullable().meta({ description: 'Price of the night under BAR.' }),
    changes: z.object({
      totalRooms: changedRooms,
      bookedRooms: changedRooms,
      heldRooms: changedRooms,
      blockedRooms: changedRooms,
      availableRooms: changedRooms,
      rate: change(money.nullable()),
    }),
  }),
);

const pickup = {
  roomsNow: z.int().meta({ description: 'Rooms on the books: booked ones.' }),
  roomsThen: z.int(),
  pickup: z.int().meta({ description: 'roomsNow - roomsThen' }),
};

export const pickupAnswer = z.object({
  propertyId: z.string(),
  asOf: at,
  comparedTo: at,
  days: z.int(),
  items: z.array(z.object({ date: day, roomType: z.string(), ...pickup })),
  dates: z.array(z.object({ date: day, ...pickup })),
  total: z.object(pickup),
  seq: z.int(),
});

export const searchAnswer = z.object({
  items: z.array(
    z.object({
      propertyId: z.string(),
      propertyName: z.string(),
      roomType: z.string(),
      rateCode: z.string(),
      currency: z.string(),
      nightlyRates: z.array(money),
      totalRate: money,
      averageRate: money,
      taxes: money,
      fees: money,
      quoteToken: z.string(),
    }),
  ),
});

export const inventoryAnswer = z.object({
  propertyId: z.string(),
  oversold: z.array(z.object({ roomType: z.string(), date: day, shortfall: z.int() })),
  seq: z.int(),
});

export const auditAnswer = z.object({
  violations: z.array(z.object({ roomType: z.string(), date: z.string(), what: z.string() })),
  oversold: z.array(z.object({ roomType: z.string(), date: day, shortfall: z.int() })),
  cellsChecked: z.int(),
  seq: z.int(),
});

const outboxMessage = z.object({
  id: z.uuid(),
  channel: z.enum(NOTIFICATION_CHANNELS),
  kind: z.enum(NOTIFICATION_KINDS),
  to: z.string(),
  subject: z.string().nullable(),
  text: z.string(),
  html: z.string().nullable(),
  reservationId: z.uuid(),
  sentAt: at,
});

export const outboxAnswer = z.object({ items: z.array(outboxMessage), nextCursor: z.string().nullable() });

export const clockAnswer = z.object({ now: at });
