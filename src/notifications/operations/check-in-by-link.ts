import { send, claim } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { sameValue } from '../../kernel/rules/members.ts';
import { modifyReservation } from '../../stay/operations/modify-reservation.ts';
import { afterTwin } from '../../stay/operations/online/online-booking.ts';
import type { CheckInForm } from '../contracts/stay-forms.ts';
import { mustBeOffered } from './change-by-link.ts';
import { type LinkedStay, once } from './stay-link.ts';

/**
 * Checks a guest in online (docs/guide/my-stay.md#check-in-online): the companions stand in the reservation, arrival
 * time and signature beside it. They are stored first; the command after it lets the desks read them. The stay is not
 * checked in by that.
 * @throws DomainError those of `modifyReservation`; INVALID_STATE where it is too early, or the stay allows it no more;
 * STALE_VERSION
 */
export async function checkInOnline(
  services: Services,
  caller: Caller,
  linked: LinkedStay,
  { state, form, arrivalTime, signedName, companions }: CheckInForm,
): Promise<void> {
  const content = [arrivalTime, signedName, ...companions.flatMap((one) => [one.firstName, one.lastName])];
  const { isRepeat, key, ...options } = await once(services, caller, linked, {
    what: ['checkin', form],
    state,
    content,
  });
  const { to, reservation } = linked;
  const { id: reservationId, propertyId } = reservation;
  if (!isRepeat) {
    mustBeOffered('CHECK_IN', linked);
    await nameCompanions(services, caller, linked, companions, {
      key: { ...key, key: `${key.key}-names` },
      ...options,
    });
    const signed = { arrivalTime, signedName, signedAt: services.clock.now() };
    await services.stayPages.checkIn(to.tenantId, { reservationId, propertyId }, signed);
  }
  // The signature is no note, and has the id of its stay.
  const noteId: string = reservationId;
  const command = { type: 'RECORD_NOTE' as const, noteId, ofStay: reservationId };
  await afterTwin(() => send(services, caller, to, { ...command, what: 'CHECKED_IN_ONLINE' }, claim(key)));
}

/** Ages that the reservation knows stay with their companion. */
async function nameCompanions(
  services: Services,
  caller: Caller,
  { reservation }: LinkedStay,
  named: CheckInForm['companions'],
  options: Parameters<typeof modifyReservation>[4],
): Promise<void> {
  const { companions: before = [] } = reservation;
  const companions = named.map((one, index) => {
    const age = before[index]?.age;
    return { ...one, ...(age !== undefined && { age }) };
  });
  if (sameValue(before, companions)) return;
  const body = { modifications: { stayDetails: {}, guestInfo: {}, companions }, modifiedBy: 'guest' };
  await afterTwin(() => modifyReservation(services, caller, reservation.id, body, options));
}
