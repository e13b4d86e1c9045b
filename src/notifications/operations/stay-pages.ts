import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, isAnswered, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { StayPage } from '../../stay/rules/online-check-in.ts';

/** What a guest has done on the page of a stay. @throws DomainError RESERVATION_NOT_FOUND */
export async function readStayPage(services: Services, caller: Caller, id: ReservationId): Promise<StayPage> {
  await addressOf(services, caller, id);
  return (await services.stayPages.get(caller.tenantId, id)) ?? {};
}

/**
 * Revokes all links of a stay that were signed so far (docs/guide/my-stay.md#the-link); payment links are revoked one by
 * one. The next letter to the guest has a new one. @throws DomainError RESERVATION_NOT_FOUND
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
