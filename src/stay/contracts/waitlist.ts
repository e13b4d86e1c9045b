import { z } from 'zod';

import { at, count, idField, listOf, moneyField } from '../../kernel/contracts/answers.ts';
import {
  amount,
  email,
  instant,
  language,
  optionalText,
  page,
  propertyId,
  text,
} from '../../kernel/contracts/fields.ts';
import { wholeStay } from '../../rates/contracts/stay.ts';
import { WAITLIST_STATUSES } from '../rules/waitlist.ts';
import { askedStay, askedStayAnswer } from './asked-stay.ts';

/** Bodies, queries and answers of the waitlist (docs/reference/waitlist.md#waitlist). */

export const waitlistBody = z.strictObject({
  propertyId,
  guestInfo: z.strictObject({
    firstName: text(100),
    lastName: text(100),
    email,
    phone: optionalText(30),
    language: language.optional(),
  }),
  stayDetails: wholeStay(
    z.strictObject({
      ...askedStay,
      maxTotal: amount.optional().describe('The most that the stay may cost when it is offered.'),
    }),
  ),
  expiresAt: instant.optional().describe('When the guest no longer waits; the end of the arrival day where absent.'),
});
export type WaitlistBody = z.infer<typeof waitlistBody>;

export const waitlistQuery = z.object({
  propertyId,
  status: z.enum(WAITLIST_STATUSES).optional(),
  ...page,
});
export type WaitlistQuery = z.infer<typeof waitlistQuery>;

const status = z.enum(WAITLIST_STATUSES);

export const joinedAnswer = z.object({
  waitlistId: idField,
  position: count.describe('Among those of the property that wait, from 1.'),
  status,
});

export const leftAnswer = z.object({ waitlistId: idField, status });

export const waitlistAnswer = z.object({
  waitlistId: idField,
  propertyId: z.string(),
  status,
  position: count.nullable().describe('Null where it does not wait.'),
  guestInfo: z
    .object({
      firstName: z.string(),
      lastName: z.string(),
      email: z.string(),
      phone: z.string().nullable(),
      language: language.optional(),
    })
    .nullable()
    .describe('Null once the request is over.'),
  stayDetails: z.object({
    ...askedStayAnswer,
    maxTotal: moneyField.nullable(),
  }),
  expiresAt: at.nullable().describe('When the guest no longer waits.'),
  offer: z
    .object({
      holdId: idField.describe('`holdId` of a create, which books the room.'),
      expiresAt: at,
      totalAmount: moneyField,
      currency: z.string(),
    })
    .nullable()
    .describe('The room that is or was held for the guest.'),
  createdAt: at,
  updatedAt: at,
});
export const waitlistListAnswer = listOf(waitlistAnswer);
