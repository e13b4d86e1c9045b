import { z } from 'zod';

import {
  adults,
  amount,
  children,
  date,
  datesInOrder,
  dayUse,
  dayToCome,
  instant,
  language,
  notes,
  optionalEmail,
  optionalNotes,
  optionalPromoCode,
  optionalRoomType,
  optionalText,
  page,
  preferences,
  propertyId,
  roomTypeCode,
  text,
  textOr,
  uuid,
  party,
  changedParty,
} from '../../kernel/contracts/fields.ts';
import { lengthFault } from '../../kernel/rules/sale-window.ts';
import { daysUntil, departureOf, MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import { finalCharge, optionalCardToken } from '../../money/contracts/payments.ts';
import { PAYMENT_METHODS } from '../../money/rules/payment.ts';
import { wholeStay, withParty } from '../../rates/contracts/stay.ts';
import { BAR } from '../../rates/rules/rate-plan.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import { roomWishes } from '../../rooms/contracts/room-wishes.ts';
import { asConfirmationNumber } from '../rules/confirmation-number.ts';
import {
  BOOKING_CHANNELS,
  CANCEL_REASONS,
  COLLECTORS,
  RESERVATION_STATUSES,
  ROOM_CONDITIONS,
} from '../rules/reservation.ts';
import { askedStay } from './asked-stay.ts';

/** Bodies and queries of the reservation endpoints (docs/reference/reservations.md#reservations). */

const guestInfo = z.strictObject({
  firstName: text(100),
  lastName: text(100),
  email: optionalEmail.transform((address = '') => address).describe('Needed but for `source.channel` WALKIN.'),
  phone: optionalText(30),
  language: language.optional(),
  preferences: preferences.optional(),
});

/** Text of a quote token. */
const quoteToken = optionalText(8_000);

const stayDetails = wholeStay(
  z.strictObject({
    ...askedStay,
    nights: z.int().optional(),
    quoteToken,
    maxTotal: amount.optional(),
    promoCode: optionalPromoCode,
  }),
).superRefine((stay, context) => {
  if (stay.quoteToken !== undefined && stay.promoCode !== undefined)
    context.addIssue({
      code: 'custom',
      path: ['promoCode'],
      message: 'stands in the quote already; send one of the two',
      params: { field: 'EXCLUDED' },
    });
});

/** A guest who has walked in stands at the desk; every other one has to be reached. */
const canBeReached = ({ channel }: { channel?: string | undefined }, { email }: { email: string }): boolean =>
  email !== '' || channel === 'WALKIN';
const NEEDS_EMAIL = { message: 'is required unless source.channel is WALKIN', params: { field: 'MISSING' } };

/** Whether a body that may have wrong fields is there as far as the rule about addresses reads it. */
function hasGuest(body: unknown): boolean {
  const { guestInfo: guest, source: of } = (body ?? {}) as { guestInfo?: unknown; source?: unknown };
  return [guest, of].every((member) => typeof member === 'object' && member !== null);
}

const paymentDetails = z
  .strictObject({
    method: z.enum(PAYMENT_METHODS),
    cardToken: optionalCardToken,
    billingAddress: z
      .strictObject({
        name: optionalText(200),
        addressLine1: optionalText(200),
        city: optionalText(100),
        state: optionalText(100),
        zipCode: optionalText(20),
        country: optionalText(100),
      })
      .optional(),
  })
  .superRefine(({ method, cardToken: token }, context) => {
    if ((method === 'CREDIT_CARD' || method === 'DEBIT_CARD') && token === undefined)
      context.addIssue({
        code: 'custom',
        path: ['cardToken'],
        message: 'is required with a card',
        params: { field: 'MISSING' },
      });
  });

const specialRequests = z.array(notes(500)).max(20);

const companions = z
  .array(
    z.strictObject({
      firstName: text(100),
      lastName: text(100),
      age: z.int().min(0).max(120).optional(),
    }),
  )
  .max(20)
  .optional()
  .describe('Who stays in the room beside the guest.');

/** Who shares the room and may pay a part of it; the address is needed but for `source.channel` WALKIN. */
const sharer = guestInfo.omit({ preferences: true, language: true });

const source = z
  .strictObject({
    channel: z.enum(BOOKING_CHANNELS).optional(),
    medium: optionalText(50),
    campaign: optionalText(50),
    externalId: optionalText(100).describe('What the channel calls the reservation.'),
    collectedBy: z
      .enum(COLLECTORS)
      .optional()
      .describe('CHANNEL: the guest pays the channel, which owes it to the property.'),
  })
  .default({});

const override = z
  .strictObject({ reason: notes(500) })
  .optional()
  .describe('MANAGER: sells in spite of restrictions and limits of the plan; the reason is audited.');

export const createBody = z
  .strictObject({
    propertyId,
    override,
    comp: z
      .strictObject({ reason: text(500) })
      .optional()
      .describe('MANAGER: all nights are complimentary, and no guarantee is asked for.'),
    /** Takes the rooms from the blocks of this group. */
    groupId: uuid.optional(),
    /** Takes a room from this hold, at its price. */
    holdId: uuid.optional(),
    inquiryId: uuid.optional().describe('Books the stay of this inquiry, at its kept price.'),
    companyId: uuid.optional().describe('The company that is invoiced.'),
    guestInfo,
    stayDetails,
    paymentDetails: paymentDetails.optional(),
    specialRequests: specialRequests.default([]),
    companions,
    sharer: sharer.optional().describe('A second guest of the room, with a profile.'),
    roomWishes: roomWishes.optional(),
    source,
  })
  .refine(({ source, guestInfo: guest }) => canBeReached(source, guest), {
    ...NEEDS_EMAIL,
    path: ['guestInfo', 'email'],
    // With all other wrong fields in one answer.
    when: ({ value }) => hasGuest(value),
  })
  .superRefine(({ groupId, holdId, inquiryId, stayDetails: { quoteToken, promoCode: code } }, context) => {
    if (inquiryId !== undefined && [quoteToken, code, groupId, holdId].some((other) => other !== undefined)) {
      const message = 'has a price of its own: send no quoteToken, promoCode, groupId and holdId with it';
      context.addIssue({ code: 'custom', path: ['inquiryId'], message, params: { field: 'EXCLUDED' } });
    }
    if (holdId !== undefined && (quoteToken !== undefined || groupId !== undefined)) {
      const message = 'has a price of its own: send no quoteToken and no groupId with it';
      context.addIssue({ code: 'custom', path: ['holdId'], message, params: { field: 'EXCLUDED' } });
    }
    if (groupId === undefined || (quoteToken === undefined && code === undefined)) return;
    const message = 'has rates of its own: send no quoteToken and no promoCode with it';
    context.addIssue({ code: 'custom', path: ['groupId'], message, params: { field: 'EXCLUDED' } });
  });
export type CreateBody = z.infer<typeof createBody>;

/** Rooms of one booking. */
const MAX_ROOMS = 9;

/** Several rooms, for the same nights or each for its own. */
export const bookingBody = z
  .strictObject({
    propertyId,
    companyId: uuid.optional().describe('The company that is invoiced.'),
    groupId: uuid.optional().describe('Takes the rooms from the blocks of this group.'),
    guestInfo,
    rooms: z
      .array(
        withParty(
          z.strictObject({
            roomType: roomTypeCode,
            ...party,
            checkIn: dayToCome.optional().describe('Of this room; that of the booking when absent.'),
            checkOut: date.optional(),
            ratePlan: optionalText(50).describe('Of this room; `stayDetails.rateCode` when absent.'),
            quoteToken: quoteToken.describe('Promises the price of this room; each room has its own.'),
            guestInfo: guestInfo.optional().describe('Who stays in it; the guest of the booking when absent.'),
            specialRequests: specialRequests.optional(),
            companions,
            sharer: sharer.optional().describe('A second guest of this room, with a profile.'),
            roomWishes: roomWishes.optional(),
          }),
        ),
      )
      .min(1)
      .max(MAX_ROOMS),
    stayDetails: z
      .strictObject({
        checkIn: dayToCome,
        checkOut: date,
        dayUse,
        nights: z.int().optional(),
        rateCode: textOr(50, BAR),
        maxTotal: amount.optional().describe('Highest accepted total of all rooms.'),
        promoCode: optionalPromoCode,
      })
      .superRefine(datesInOrder)
      .overwrite((stay) => ({ ...stay, ...daysUntil(stay.checkIn, stay.checkOut) })),
    paymentDetails: paymentDetails.optional(),
    specialRequests: specialRequests.default([]),
    source,
  })
  .superRefine(({ source, guestInfo: guest, rooms, stayDetails: of }, context) => {
    const guests = rooms.map(({ guestInfo: own }, index) => ({ path: ['rooms', index, 'guestInfo'], of: own }));
    for (const { path, of: one } of [{ path: ['guestInfo'], of: guest }, ...guests])
      if (one && !canBeReached(source, one))
        context.addIssue({ code: 'custom', path: [...path, 'email'], ...NEEDS_EMAIL });
    // Further rooms have it with their number.
    if (rooms.length > 1 && (source.externalId ?? '').length > 98) {
      const issue = { message: 'has at most 98 characters with several rooms', params: { field: 'TOO_BIG' } };
      context.addIssue({ code: 'custom', path: ['source', 'externalId'], ...issue });
    }
    rooms.forEach(({ checkIn = of.checkIn, checkOut = departureOf(of), quoteToken: promise }, index) => {
      if (promise !== undefined && of.promoCode !== undefined) {
        const issue = { message: 'has the promotion in it; send one of the two', params: { field: 'EXCLUDED' } };
        context.addIssue({ code: 'custom', path: ['rooms', index, 'quoteToken'], ...issue });
      }
      const fault = checkIn === checkOut ? undefined : lengthFault(checkOut - checkIn);
      if (!fault) return;
      const issue = { message: fault.detail, params: { field: fault.code } };
      context.addIssue({ code: 'custom', path: ['rooms', index, 'checkOut'], ...issue });
    });
  });
export type BookingBody = z.infer<typeof bookingBody>;

export const modifyBody = z.strictObject({
  modifications: z.strictObject({
    stayDetails: withParty(
      z.strictObject({
        checkIn: date.optional(),
        checkOut: date.optional(),
        nights: z.int().min(0).max(MAX_NIGHTS).optional(),
        ...changedParty,
        roomType: optionalRoomType,
        rateCode: optionalText(50).describe('MANAGER: all nights cost what they do under this plan now.'),
        maxTotal: amount.optional().describe('The most that the whole stay may cost after the change.'),
      } satisfies Record<Exclude<keyof Stay, 'dayUse'> | 'nights' | 'maxTotal', z.ZodType>),
    )
      .superRefine((stay, context) => datesInOrder(stay, context))
      .default({}),
    guestInfo: guestInfo
      .partial()
      .extend({ email: optionalEmail, phone: optionalText(30).nullable().describe('Null takes it away.') })
      .default({}),
    specialRequests: specialRequests.optional(),
    companions,
    sharer: sharer.nullable().optional().describe('Null takes it away.'),
    roomWishes: roomWishes.optional().describe('Replaces all of them.'),
  }),
  reason: optionalText(500),
  modifiedBy: optionalText(50),
  override,
});
export type ModifyBody = z.infer<typeof modifyBody>;

/** Body of a step that takes only an optional reason; the status history stores it. */
export const reasonBody = z.strictObject({ reason: optionalText(500) });
export type ReasonBody = z.infer<typeof reasonBody>;

/** Body that gives the reason for taking back a cancel or a no-show. */
export const reinstateBody = z.strictObject({ reason: text(500) });
export type ReinstateBody = z.infer<typeof reinstateBody>;

export const undoCheckInBody = z.strictObject({
  reason: optionalText(500),
  roomUsed: z
    .boolean()
    .default(false)
    .describe('The guest was in the room: it is DIRTY. Otherwise it has the state that it had before.'),
});
export type UndoCheckInBody = z.infer<typeof undoCheckInBody>;

export const cancelBody = z.strictObject({
  reason: z.enum(CANCEL_REASONS).default('GUEST_REQUEST'),
  description: optionalNotes(1_000),
  cancelledBy: optionalText(50),
  refundRequested: z.boolean().default(true),
});
export type CancelBody = z.infer<typeof cancelBody>;

/** Check-in by the front desk; `checkInTime` defaults to the time of the request. */
export const checkInBody = z.strictObject({
  checkInTime: instant.optional(),
  actualGuests: z.strictObject({ adults, children: children.default(0) }).optional(),
  identificationVerified: z.boolean(),
  keyCards: z.int().min(0).max(10).default(1),
  staffMember: optionalText(50),
  notes: optionalNotes(1_000),
});
export type CheckInBody = z.infer<typeof checkInBody>;

/** Check-out by the front desk; charges are gross, a negative one is a credit. */
export const checkOutBody = z.strictObject({
  checkOutTime: instant.optional(),
  finalCharges: z.array(finalCharge).max(100).default([]),
  roomCondition: z.enum(ROOM_CONDITIONS).default('GOOD'),
  keyCardsReturned: z.int().min(0).max(10).default(0),
  staffMember: optionalText(50),
});
export type CheckOutBody = z.infer<typeof checkOutBody>;

export const listQuery = z
  .object({
    propertyId: propertyId.optional(),
    status: z.enum(RESERVATION_STATUSES).optional(),
    arrivalFrom: date.optional(),
    arrivalTo: date.optional(),
    departureFrom: date.optional(),
    departureTo: date.optional(),
    inHouseOn: date.optional(),
    guestId: uuid.optional(),
    email: optionalText(254),
    confirmationNumber: optionalText(20).transform((typed) => typed && asConfirmationNumber(typed)),
    channel: z.enum(BOOKING_CHANNELS).optional(),
    groupId: uuid.optional(),
    bookingId: uuid.optional(),
    externalId: optionalText(100),
    updatedSince: instant.optional(),
    ...page,
  })
  .superRefine((query, context) => {
    for (const what of ['arrival', 'departure'] as const) {
      const { [`${what}From` as const]: from, [`${what}To` as const]: to } = query;
      if (from === undefined || to === undefined || from <= to) continue;
      const message = `is before ${what}From`;
      context.addIssue({ code: 'custom', path: [`${what}To`], message, params: { field: 'REVERSED' } });
    }
  });
export type ListQuery = z.infer<typeof listQuery>;
