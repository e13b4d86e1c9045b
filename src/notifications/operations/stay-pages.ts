import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, isAnswered, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { getReservation } from '../../stay/operations/find-reservations.ts';
import type { StayPage } from '../../stay/rules/online-check-in.ts';
import { type OrderedMail, orderMail } from './mail-stay.ts';
import { openStayLink, signedOwnStay } from './stay-link.ts';

/** What a guest has done on the page of a stay. @throws DomainError RESERVATION_NOT_FOUND */
export async function readStayPage(services: Services, caller: Caller, id: ReservationId): Promise<StayPage> {
  await addressOf(services, caller, id);
  return (await services.stayPages.get(caller.tenantId, id)) ?? {};
}

/**
 * Mails the guest the link of the stay (docs/guide/my-stay.md#at-the-desk), to no other address: it manages the stay.
 * @throws DomainError NO_MAIL_ADDRESS; those of `orderMail`; LINK_NOT_VALID where a link would open nothing any more
 */
export function sendStayLink(
  services: Services,
  caller: Caller,
  id: ReservationId,
  options: { key?: ClientKey; dryRun: boolean },
): Promise<OrderedMail> {
  const make = async () => {
    const { tenantId } = caller;
    await openStayLink(services, signedOwnStay(services, tenantId, id, services.clock.now()));
    const { reservation } = await getReservation(services, caller, id);
    const { email: address } = reservation.guest;
    if (!address) throw new DomainError('NO_MAIL_ADDRESS', 'The guest has no e-mail address.');
    return { kind: 'STAY_LINK' as const, address };
  };
  return orderMail(services, caller, id, make, options);
}

/**
 * Revokes all links of a stay that were signed so far (docs/guide/my-stay.md#the-link), payment links to anybody with
 * them. The next letter to the guest has a new one. @throws DomainError RESERVATION_NOT_FOUND
 */
export async function revokeStayLinks(
  services: Services,
  caller: Caller,
  id: ReservationId,
  key?: ClientKey,
): Promise<{ page: StayPage; seq: number; replayed: boolean }> {
  const { tenantId } = caller;
  const to = await addressOf(services, caller, id);
  if (!(await isAnswered(services, caller, key))) {
    const of = { reservationId: id, propertyId: to.propertyId };
    await services.stayPages.revokeLinks(tenantId, of, services.clock.now());
  }
  // No mail has the id of its stay: it names all links of it.
  const mailId: string = id;
  const command = { type: 'RECORD_MAIL' as const, mailId, ofStay: id, what: 'LINK_REVOKED' as const };
  const { seq, replayed } = await send(services, caller, to, command, claim(key));
  return { page: await readStayPage(services, caller, id), seq, replayed };
}
