import { z } from 'zod';

import { at, idField, listOf, moneyField } from '../../kernel/contracts/answers.ts';
import {
  optionalEmail,
  instant,
  language,
  optionalNotes,
  optionalPromoCode,
  optionalText,
  page,
  propertyId,
  text,
} from '../../kernel/contracts/fields.ts';
import { wholeStay } from '../../rates/contracts/stay.ts';
import { INQUIRY_STATUSES } from '../rules/inquiry.ts';
import { askedStay, askedStayAnswer } from './asked-stay.ts';

/** Bodies, queries and answers of inquiries (docs/reference/inquiries.md#inquiries). */

export const inquiryBody = z.strictObject({
  propertyId,
  guestInfo: z.strictObject({
    firstName: text(100),
    lastName: text(100),
    email: optionalEmail,
    phone: optionalText(30),
    language: language.optional(),
  }),
  stayDetails: wholeStay(z.strictObject({ ...askedStay, promoCode: optionalPromoCode })),
  notes: optionalNotes(500),
  expiresAt: instant.optional().describe('Until when the price is kept, at most 30 days; 7 days where absent.'),
});
export type InquiryBody = z.infer<typeof inquiryBody>;

export const inquiryQuery = z.object({ propertyId, status: z.enum(INQUIRY_STATUSES).optional(), ...page });
export type InquiryQuery = z.infer<typeof inquiryQuery>;

const status = z.enum(INQUIRY_STATUSES);

export const inquiryAnswer = z.object({
  inquiryId: idField.describe('`inquiryId` of a create, which books the stay at this price.'),
  propertyId: z.string(),
  status,
  guestInfo: z
    .object({
      firstName: z.string(),
      lastName: z.string(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
      language: language.optional(),
    })
    .nullable()
    .describe('Null once the inquiry is over.'),
  stayDetails: z.object({ ...askedStayAnswer, promoCode: z.string().nullable() }),
  quote: z.object({ nightlyRates: z.array(moneyField), totalAmount: moneyField, currency: z.string() }),
  notes: z.string().nullable(),
  expiresAt: at.describe('Until when the price is kept.'),
  reservationId: idField.nullable().describe('The reservation that the inquiry has become.'),
  createdAt: at,
  updatedAt: at,
});
export const inquiryListAnswer = listOf(inquiryAnswer);

export const closedInquiryAnswer = z.object({ inquiryId: idField, status });
