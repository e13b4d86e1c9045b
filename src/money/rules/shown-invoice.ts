import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { InvoicedCompany } from './company.ts';
import { type InvoiceDocument, shownInvoice } from './invoice-document.ts';
import { invoiceOfParty, type InvoiceParty, type IssuedTo, recipientOf, sharerRecipient } from './invoice.ts';

/** A stay with what its invoice says of its recipient. */
export type InvoicedParties = {
  reservation: Reservation;
  /** Recipient on an invoice of release 0.1.0 whose guest has been erased. */
  to?: IssuedTo;
  /** Company of the stay, as it is now: an offer of an invoice may be to it. */
  company?: InvoicedCompany;
};

/** What is shown as the invoice of a stay: as it was issued, or as it would be. */
type Shown = Omit<InvoiceDocument, 'issuedAt' | 'kind'> & { issuedAt?: Instant; creditNotes: InvoiceDocument[] };

/** The newest invoice of a party, or the offer of one. */
export function shownOf(
  { reservation, to, company }: InvoicedParties,
  { name, address }: Property,
  party: InvoiceParty = 'REST',
): Shown {
  const issuedBy = { name, address: address ?? null };
  const shown = shownInvoice(reservation, issuedBy, party);
  if (!shown) {
    const { lines, number, subtotal, taxes, fees, total } = invoiceOfParty(reservation, party);
    const { propertyId, id: reservationId, confirmationNumber, currency } = reservation;
    const isSharers = party === 'SHARER';
    const { issuedTo: recipient, guestLines } = isSharers
      ? sharerRecipient(reservation)
      : recipientOf(reservation, company);
    const whose = {
      propertyId,
      reservationId,
      confirmationNumber,
      currency,
      issuedBy,
      issuedTo: recipient,
    };
    return { ...whose, number, lines: [...guestLines, ...lines], subtotal, taxes, fees, total, creditNotes: [] };
  }
  const { invoice: document, creditNotes } = shown;
  const isNamed = document.issuedTo.name.trim() !== '';
  const isAsIssued = isNamed || !to || party === 'SHARER';
  return { ...document, issuedTo: isAsIssued ? document.issuedTo : to, creditNotes };
}
