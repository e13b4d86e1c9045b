import { openCursor, signCursor } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { InvoicesQuery } from '../contracts/invoices.ts';
import type { InvoiceDocument } from '../rules/invoice-document.ts';

/** Name of the list in its cursors. */
const LIST = 'invoices';
const LAST_YEAR = 9999;

/**
 * Lists issued documents of a property by their numbers (docs/reference/invoices.md#list).
 * @throws DomainError VALIDATION_FAILED for a cursor of another list
 */
export async function listInvoices(
  { invoices, signed }: Services,
  { tenantId }: Caller,
  { propertyId, kind, year, from, limit, cursor }: InvoicesQuery,
): Promise<{ items: InvoiceDocument[]; nextCursor?: string }> {
  const first =
    cursor === undefined ? [year ?? 0, from ?? 1] : (openCursor(signed, cursor, LIST) as [number, number]);
  const start = { kind, year: first[0]!, serial: first[1]! };
  // One more than requested shows whether there is a next page; the next page begins with it.
  const found = await invoices.list({ tenantId, propertyId }, start, year ?? LAST_YEAR, limit + 1);
  const next = found[limit];
  const items = found.slice(0, limit);
  return next ? { items, nextCursor: signCursor(signed, [next.year, next.serial], LIST) } : { items };
}

/** Reads one issued document. @throws DomainError INVOICE_NOT_FOUND */
export async function getInvoice(
  { invoices }: Services,
  { tenantId }: Caller,
  propertyId: PropertyId,
  number: string,
): Promise<InvoiceDocument> {
  const found = await invoices.byNumber({ tenantId, propertyId }, number);
  if (!found) throw new DomainError('INVOICE_NOT_FOUND', 'The property has issued no document with this number.');
  return found;
}
