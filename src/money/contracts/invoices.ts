import { z } from 'zod';

import { at, dayField, idField, listOf, moneyField, taxLine } from '../../kernel/contracts/answers.ts';
import { page, propertyId, queryInt } from '../../kernel/contracts/fields.ts';
import { DOCUMENT_KINDS } from '../rules/invoice-document.ts';

/** Issued invoices and credit notes (docs/reference/invoices.md#members). */

/** Documents of a kind in the order of their numbers; `from` is a serial number of `year`. */
export const invoicesQuery = z
  .object({
    propertyId,
    kind: z.enum(DOCUMENT_KINDS).default('INVOICE'),
    year: queryInt(z.int().min(1970).max(9999)).optional(),
    from: queryInt(z.int().min(1).max(2_147_483_647)).optional(),
    ...page,
  })
  .refine(({ year, from }) => from === undefined || year !== undefined, {
    path: ['from'],
    error: 'counts within a year: send year too',
  });
export type InvoicesQuery = z.infer<typeof invoicesQuery>;

export const invoiceQuery = z.object({ propertyId });
export type InvoiceQuery = z.infer<typeof invoiceQuery>;

/** Members that issued documents and offers of an invoice have in common. */
export const documentBody = {
  issuedBy: z.object({ propertyId: z.string(), propertyName: z.string(), address: z.unknown() }),
  issuedTo: z.object({
    name: z.string(),
    address: z.unknown(),
    sharerId: z.string().optional().describe('Profile of the sharer, on an invoice of what that guest pays.'),
    companyId: z.string().optional().describe('Present when the invoice is issued to the company of the stay.'),
    vatId: z.string().optional(),
  }),
  guestName: z.string().nullable().describe('Guest of an invoice to a company, else null.'),
  currency: z.string(),
  items: z.array(
    z.object({
      date: dayField,
      description: z.string(),
      amount: moneyField,
      taxes: moneyField,
      code: z.string().nullable(),
      taxLines: z.array(taxLine),
    }),
  ),
  subtotal: moneyField,
  taxes: moneyField,
  taxLines: z.array(taxLine).describe('Taxes and fees by their codes, with those in charges beside the nights.'),
  fees: moneyField,
  totalAmount: moneyField,
};

export const documentAnswer = z.object({
  number: z.string(),
  kind: z.enum(DOCUMENT_KINDS),
  corrects: z.string().nullable().describe('Number of the corrected invoice; null for an invoice.'),
  reservationId: idField,
  confirmationNumber: z.string(),
  issuedAt: at,
  ...documentBody,
});

export const documentListAnswer = listOf(documentAnswer);
