import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import type { InvoicedCompany } from '../../../src/money/rules/company.ts';
import {
  documentNumber,
  documentsDue,
  documentsOf,
  documentsOfParty,
  type DocumentDue,
  type InvoiceDocument,
  sumOfDocuments,
  yearOfIssue,
} from '../../../src/money/rules/invoice-document.ts';
import {
  guestLinesOf,
  type InvoiceLine,
  issuedAtOf,
  recipientOf,
  sharerRecipient,
} from '../../../src/money/rules/invoice.ts';
import { type Tax, taxName } from '../../../src/properties/rules/tax.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';

/**
 * Issues the documents that a change of a reservation makes due (docs/reference/invoices.md#issue): the invoice when
 * the stay is over, a credit note for each later correction, and a full credit note when the stay is reopened; each for
 * the sharer and for the rest of the stay. Numbers and documents are written in the same commit as the change, so a
 * change that is not written uses no number.
 * @param invoiceTo company of the stay, as it is now
 * @returns the reservation with its documents
 */
export function withDocuments(
  draft: Draft,
  before: Reservation,
  next: Reservation,
  { at, invoiceTo }: { at: Instant; invoiceTo?: InvoicedCompany },
): Reservation {
  // Most changes are of future stays, which have no documents yet.
  if (!next.documents && issuedAtOf(before) === undefined && issuedAtOf(next) === undefined) return next;
  const { name, address = null } = draft.property!;
  const issued = documentsOf(before, { name, address });
  const documents = documentsDue(next, issued).map((due) => {
    const { party, ...document } = due;
    const own = documentsOfParty(issued, party);
    return documentOf(draft, next, document, { at, ...recipient(next, own, due, invoiceTo) });
  });
  if (documents.length === 0) return next;
  // An invoice of release 0.1.0 is recorded as it was before it is corrected.
  const unrecorded = before.documents ? [] : issued;
  draft.documents.push(...unrecorded, ...documents);
  return { ...next, documents: [...issued, ...documents] };
}

type Issue = ReturnType<typeof recipientOf> & { at: Instant };

/** The document with the next number of its kind. */
function documentOf(
  draft: Draft,
  next: Reservation,
  due: Omit<DocumentDue, 'party'>,
  { at, issuedTo, guestLines }: Issue,
): InvoiceDocument {
  const { name, address = null, metadata } = draft.property!;
  const year = yearOfIssue(at, metadata.timezone);
  const serial = draft.nextSerial(due.kind, year);
  return {
    ...due,
    lines: [...guestLines, ...due.lines].map((line) => withTaxNames(line, metadata.policies.taxes)),
    number: documentNumber({ kind: due.kind, year, serial }),
    year,
    serial,
    propertyId: next.propertyId,
    reservationId: next.id,
    confirmationNumber: next.confirmationNumber,
    issuedAt: at,
    issuedBy: { name, address },
    issuedTo,
    currency: next.currency,
  };
}

/**
 * A correction has the same recipient as the invoice; a whole invoice has the recipient of today.
 * @param issued of the same party
 */
function recipient(
  next: Reservation,
  issued: readonly InvoiceDocument[],
  { kind, party }: DocumentDue,
  invoiceTo: InvoicedCompany | undefined,
): ReturnType<typeof recipientOf> {
  const last = issued.at(-1)?.issuedTo;
  if (!last || (kind === 'INVOICE' && sumOfDocuments(issued).total === 0))
    return party === 'SHARER' ? sharerRecipient(next) : recipientOf(next, invoiceTo);
  return { issuedTo: last, guestLines: last.companyId === undefined ? [] : guestLinesOf(next) };
}

/** Taxes under their names of today: a document never changes afterwards. */
function withTaxNames({ taxLines, ...line }: InvoiceLine, taxes: readonly Tax[]): InvoiceLine {
  if (!taxLines) return line;
  return { ...line, taxLines: taxLines.map((one) => ({ ...one, name: one.name ?? taxName(one.code, taxes) })) };
}
