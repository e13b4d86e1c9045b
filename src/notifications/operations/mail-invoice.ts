import type { ClientKey } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { shownOf } from '../../money/rules/shown-invoice.ts';
import { type InvoicedStay, readInvoice } from '../../stay/operations/read-invoice.ts';
import type { InvoiceMailBody } from '../contracts/stay-mails.ts';
import { type OrderedMail, orderMail } from './mail-stay.ts';

/**
 * Mails the invoice of a stay (`POST /reservations/{id}/invoice/mail`), or the offer of one: to the address that is
 * given, else to that of the company, the sharer or the guest it is issued to.
 * @throws DomainError NO_MAIL_ADDRESS, MAIL_NOT_SET_UP; those of `readInvoice`
 */
export function mailInvoice(
  services: Services,
  caller: Caller,
  id: ReservationId,
  { window, to }: InvoiceMailBody,
  options: { key?: ClientKey; dryRun: boolean },
): Promise<OrderedMail> {
  const make = async () => {
    const invoiced = await readInvoice(services, caller, id, window ?? 'REST');
    const address = to ?? (await recipientAddress(services, caller, invoiced));
    return { kind: 'INVOICE' as const, address, ...(window !== undefined && { window }) };
  };
  return orderMail(services, caller, id, make, options);
}

/** @throws DomainError NO_MAIL_ADDRESS */
async function recipientAddress(
  { companies }: Services,
  { tenantId }: Caller,
  invoiced: InvoicedStay,
): Promise<string> {
  const { reservation, property, party } = invoiced;
  const { companyId } = shownOf(invoiced, property, party).issuedTo;
  const company = companyId === undefined ? undefined : await companies.get(tenantId, companyId, true);
  const whose = companyId !== undefined ? 'company' : party === 'SHARER' ? 'sharer' : 'guest';
  const addresses = {
    company: company?.contact?.email,
    sharer: reservation.sharer?.email,
    guest: reservation.guest.email,
  };
  const address = addresses[whose];
  if (address) return address;
  throw new DomainError('NO_MAIL_ADDRESS', `The ${whose} has no e-mail address; say one in "to".`);
}
