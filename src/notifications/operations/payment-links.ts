import { type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { decimalText } from '../../kernel/rules/money.ts';
import { businessDate } from '../../kernel/rules/property-time.ts';
import { openIn } from '../../money/rules/due.ts';
import { mustBeWhole } from '../../money/rules/whole-amounts.ts';
import { clockOf } from '../../properties/rules/property.ts';
import { getReservation } from '../../stay/operations/find-reservations.ts';
import { allows } from '../../stay/rules/reservation-states.ts';
import type { PaymentLinkBody } from '../contracts/stay-mails.ts';
import type { StayMail } from '../rules/stay-mail.ts';
import { type OrderedMail, orderMail } from './mail-stay.ts';

const DAY_MS = 86_400_000;

/**
 * Mails a guest a link by which the stay is paid (docs/reference/payment-links.md#send).
 * @throws DomainError CARD_FORM_NOT_SET_UP, NO_MAIL_ADDRESS, INVALID_STATE when nothing is due, VALIDATION_FAILED for
 * more than what is due; those of `orderMail`
 */
export function sendPaymentLink(
  services: Services,
  caller: Caller,
  id: ReservationId,
  { to, amount, validDays }: PaymentLinkBody,
  options: { key?: ClientKey; dryRun: boolean },
): Promise<OrderedMail> {
  const make = async () => {
    if (!services.hasCardForm) throw new DomainError('CARD_FORM_NOT_SET_UP', 'Guests have no card form here.');
    const { reservation, property } = await getReservation(services, caller, id);
    const now = services.clock.now();
    const today = businessDate(now, clockOf(property));
    const due = allows(reservation.status, 'receivePayment') ? openIn(reservation, 'GUEST', today) : 0;
    if (due <= 0) throw new DomainError('INVALID_STATE', 'Nothing is due.');
    if (amount !== undefined) mustBeWhole('/amount', amount, reservation.currency);
    if (amount !== undefined && amount > due) {
      const errors = [{ pointer: '/amount', code: 'MORE_THAN_DUE', detail: `at most ${decimalText(due)} is due` }];
      throw new DomainError('VALIDATION_FAILED', 'More than what is due.', { errors });
    }
    const address = to ?? reservation.guest.email;
    if (!address) throw new DomainError('NO_MAIL_ADDRESS', 'The guest has no e-mail address; say one in "to".');
    const expiresAt = now + validDays * DAY_MS;
    return { kind: 'PAYMENT_LINK' as const, address, expiresAt, ...(amount !== undefined && { amount }) };
  };
  return orderMail(services, caller, id, make, options);
}

/** Payment links of a stay, oldest first. @throws DomainError RESERVATION_NOT_FOUND */
export async function listPaymentLinks(services: Services, caller: Caller, id: ReservationId): Promise<StayMail[]> {
  await getReservation(services, caller, id);
  const mails = await services.stayMails.ofStays(caller.tenantId, [id]);
  return mails.filter(({ kind }) => kind === 'PAYMENT_LINK');
}

/** Revokes a payment link, for good; a repeat changes nothing. @throws DomainError PAYMENT_LINK_NOT_FOUND */
export async function revokePaymentLink(
  services: Services,
  caller: Caller,
  id: ReservationId,
  linkId: string,
): Promise<StayMail> {
  const mail = await services.stayMails.get(caller.tenantId, linkId);
  if (mail?.kind !== 'PAYMENT_LINK' || mail.reservationId !== id)
    throw new DomainError('PAYMENT_LINK_NOT_FOUND', 'The reservation has no such payment link.');
  if (mail.revokedAt !== undefined) return mail;
  const { tenantId } = caller;
  const revokedAt = services.clock.now();
  await services.stayMails.revoke(tenantId, mail.mailId, revokedAt);
  const command = { type: 'RECORD_MAIL' as const, mailId: mail.mailId, ofStay: id, what: 'LINK_REVOKED' as const };
  await send(services, caller, { tenantId, propertyId: mail.propertyId }, command);
  return { ...mail, revokedAt };
}
