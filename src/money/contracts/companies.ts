import { z } from 'zod';

import { at, count, dayField, idField, listOf, moneyField } from '../../kernel/contracts/answers.ts';
import {
  date,
  optionalEmail,
  instant,
  optionalText,
  page,
  priceField,
  propertyId,
  queryFlag,
  text,
} from '../../kernel/contracts/fields.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import { isCurrency } from '../../kernel/rules/money.ts';
import { BOOKING_CHANNELS } from '../../stay/rules/reservation.ts';
import { ENTRY_KINDS, RECEIVED_BY, USUAL_PAYMENT_TERMS_DAYS } from '../rules/company.ts';

/** Companies and their ledgers (docs/reference/companies.md#companies). */

const billingAddress = z
  .strictObject({
    name: optionalText(200),
    addressLine1: optionalText(200),
    city: optionalText(100),
    state: optionalText(100),
    zipCode: optionalText(20),
    country: optionalText(100),
  })
  .transform((company) => definedMembers(company));

const contact = z
  .strictObject({ email: optionalEmail, phone: optionalText(30) })
  .transform((company) => definedMembers(company));

const CHANNEL_TEXT = 'The company owes what this channel has collected from guests; at most one company a channel.';

/** `PUT` replaces the whole company: members that are left out are removed. */
export const companyBody = z.strictObject({
  name: text(200),
  vatId: optionalText(50),
  billingAddress: billingAddress.optional(),
  contact: contact.optional(),
  paymentTermsDays: z.int().min(0).max(365).default(USUAL_PAYMENT_TERMS_DAYS),
  channel: z.enum(BOOKING_CHANNELS).optional().describe(CHANNEL_TEXT),
  active: z.boolean().default(true).describe('Off: nothing new is booked on its account.'),
});
export type CompanyBody = z.infer<typeof companyBody>;

export const companiesQuery = z.object({
  name: optionalText(200).describe('A part of the name.'),
  channel: z.enum(BOOKING_CHANNELS).optional(),
  active: queryFlag.optional(),
  ...page,
});
export type CompaniesQuery = z.infer<typeof companiesQuery>;

export const ledgerQuery = z
  .object({
    propertyId: propertyId.optional(),
    from: date.optional(),
    to: date.optional(),
    ...page,
  })
  .superRefine(({ from, to }, context) => {
    if (from === undefined || to === undefined || from <= to) return;
    context.addIssue({ code: 'custom', path: ['to'], message: 'is before from', params: { field: 'REVERSED' } });
  });
export type LedgerQuery = z.infer<typeof ledgerQuery>;

/** A payment of a company by any method; recorded as received. */
export const companyPaymentBody = z.strictObject({
  propertyId,
  amount: priceField,
  currency: z
    .string()
    .refine(isCurrency, 'is no currency of ISO 4217 in use, with at most two decimals')
    .optional()
    .describe('That of the property when it is not given.'),
  method: z.enum(RECEIVED_BY),
  reference: optionalText(100),
  receivedAt: instant.optional().describe('Now when it is not given.'),
});
export type CompanyPaymentBody = z.infer<typeof companyPaymentBody>;

export const companyAnswer = z.object({
  companyId: idField,
  name: z.string(),
  vatId: z.string().optional(),
  billingAddress: z
    .object({
      name: z.string().optional(),
      addressLine1: z.string().optional(),
      city: z.string().optional(),
      state: z.string().optional(),
      zipCode: z.string().optional(),
      country: z.string().optional(),
    })
    .optional(),
  contact: z.object({ email: z.string().optional(), phone: z.string().optional() }).optional(),
  paymentTermsDays: count,
  channel: z.enum(BOOKING_CHANNELS).optional(),
  active: z.boolean(),
  createdAt: at,
  updatedAt: at,
});
export const companyListAnswer = listOf(companyAnswer);

export const ledgerEntryAnswer = z.object({
  entryId: idField,
  at,
  businessDate: dayField.meta({ description: 'Business date of the property.' }),
  propertyId: z.string(),
  reservationId: idField.optional(),
  confirmationNumber: z.string().optional(),
  kind: z.enum(ENTRY_KINDS),
  description: z.string(),
  reference: z.string().optional(),
  amount: moneyField.meta({ description: 'CHARGE raises the balance by it, REFUND and PAYMENT lower it.' }),
  currency: z.string(),
});

const balance = z.object({
  currency: z.string(),
  balance: moneyField.meta({ description: 'Amount owed to the property; negative when overpaid.' }),
});

export const ledgerAnswer = listOf(ledgerEntryAnswer).extend({
  companyId: idField,
  balances: z.array(balance).meta({ description: 'At the end of the period.' }),
});
