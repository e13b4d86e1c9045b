import { guestLink } from '../../guests/operations/guest-link.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { readRoomTypeNames } from '../../properties/operations/room-type-names.ts';
import { readInvoice } from '../../stay/operations/read-invoice.ts';
import { invoiceLetter } from '../rules/invoice-letter.ts';
import { paymentLinkLetter } from '../rules/payment-link-letter.ts';
import { stayLinkLetter } from '../rules/stay-link-letter.ts';
import type { StayMail } from '../rules/stay-mail.ts';
import { guestTexts } from './guest-texts.ts';
import type { MailLetter } from './posting.ts';
import { openStayLink, signedOwnStay, signedStay, stayAddress } from './stay-link.ts';

/**
 * The letter of a mail that staff send, as of now.
 * @throws DomainError RESERVATION_NOT_FOUND, INVOICE_NOT_FOUND, LINK_NOT_VALID
 */
export function stayMailLetter(services: Services, tenantId: TenantId, mail: StayMail): Promise<MailLetter> {
  switch (mail.kind) {
    case 'INVOICE':
      return mailedInvoice(services, tenantId, mail);
    case 'PAYMENT_LINK':
      return linkLetter(services, tenantId, mail);
    case 'STAY_LINK':
      return ownLinkLetter(services, tenantId, mail);
  }
}

async function mailedInvoice(
  services: Services,
  tenantId: TenantId,
  { reservationId, window }: StayMail,
): Promise<MailLetter> {
  const invoiced = await readInvoice(services, { tenantId }, reservationId, window === 'SHARER' ? 'SHARER' : 'REST');
  const { party, property, reservation } = invoiced;
  const texts = await guestTexts(services, tenantId, invoiced);
  // The page behind it is of who has booked.
  const receiptUrl = party === 'REST' ? guestLink(services, 'receipt', tenantId, reservation) : undefined;
  const rooms = await readRoomTypeNames(services, { tenantId, propertyId: property.propertyId });
  const letter = invoiceLetter({ ...invoiced, rooms, ...(receiptUrl !== undefined && { receiptUrl }) }, texts);
  return { property, letter, texts };
}

/** The link is signed anew for each try to send it: it is stored nowhere. */
async function linkLetter(services: Services, tenantId: TenantId, mail: StayMail): Promise<MailLetter> {
  const link = signedStay(services, tenantId, mail);
  const linked = await openStayLink(services, link);
  const texts = await guestTexts(services, tenantId, linked);
  const url = stayAddress(services, link);
  const letter = paymentLinkLetter({ ...linked, url, expiresAt: mail.expiresAt! }, texts);
  return { property: linked.property, letter, texts };
}

/** The link with which the guest manages the stay, as of the order: what is revoked after that ends it. */
async function ownLinkLetter(
  services: Services,
  tenantId: TenantId,
  { reservationId, at }: StayMail,
): Promise<MailLetter> {
  const link = signedOwnStay(services, tenantId, reservationId, at);
  const linked = await openStayLink(services, link);
  const texts = await guestTexts(services, tenantId, linked);
  const letter = stayLinkLetter({ ...linked, url: stayAddress(services, link) }, texts);
  return { property: linked.property, letter, texts };
}
