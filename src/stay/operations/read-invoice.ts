import { isErased } from '../../guests/rules/erasure.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { companyToInvoice } from '../../money/operations/find-companies.ts';
import { documentsOfParty } from '../../money/rules/invoice-document.ts';
import type { InvoiceParty } from '../../money/rules/invoice.ts';
import type { InvoicedParties } from '../../money/rules/shown-invoice.ts';
import type { Property } from '../../properties/rules/property.ts';
import { isUnfinished } from '../rules/reservation-states.ts';
import { getReservation } from './find-reservations.ts';

/** A stay with all its issued documents. */
export type InvoicedStay = InvoicedParties & { property: Property; party: InvoiceParty };

/**
 * @param party whose invoice is asked for
 * @throws DomainError RESERVATION_NOT_FOUND; VALIDATION_FAILED for the invoice of a sharer of a stay without one;
 * INVOICE_NOT_FOUND where the stay is over and the sharer has nothing to pay
 */
export async function readInvoice(
  services: Services,
  caller: Pick<Caller, 'tenantId'>,
  id: ReservationId,
  party: InvoiceParty,
): Promise<InvoicedStay> {
  const { reservation, property } = await getReservation(services, caller, id);
  if (party === 'SHARER' && !reservation.sharer) {
    const errors = [{ parameter: 'window', code: 'NO_PAYER', detail: 'the stay names no sharer' }];
    throw new DomainError('VALIDATION_FAILED', 'The window has no payer.', { errors });
  }
  const isOver = !isUnfinished(reservation.status);
  if (party === 'SHARER' && isOver && documentsOfParty(reservation.documents ?? [], 'SHARER').length === 0)
    throw new DomainError('INVOICE_NOT_FOUND', 'The stay is over, and the sharer had nothing to pay.');
  const to = isErased(reservation) ? await services.guestErasure.issuedTo(caller.tenantId, id) : undefined;
  const company = await companyToInvoice(services, caller.tenantId, reservation.companyId);
  if (isOver) return { reservation, property, to, company, party };
  // Earlier documents of a stay that continues are not loaded with it and are read only here.
  const documents = await services.invoices.ofReservations(caller.tenantId, [reservation.id]);
  return { reservation: { ...reservation, documents }, property, to, company, party };
}
