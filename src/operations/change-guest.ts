import type { GuestBody } from '../contracts/guests.ts';
import type { Caller } from '../domain/caller.ts';
import { Refusal } from '../domain/refusal.ts';
import { type FoundGuest, getGuest } from './find-guests.ts';
import type { Services } from './services.ts';

/**
 * Corrects a profile. Reservations keep the copies that they were made with: what a house has been told of a stay changes
 * with that stay only.
 * @throws Refusal GUEST_NOT_FOUND; ALREADY_EXISTS when another profile has this e-mail and last name
 */
export async function changeGuest(
  services: Services,
  caller: Caller,
  id: string,
  body: GuestBody,
): Promise<FoundGuest> {
  const outcome = await services.guestBook.change(caller.tenantId, id, body);
  if (outcome === 'TAKEN')
    throw new Refusal('ALREADY_EXISTS', 'Another guest has a profile with this e-mail and last name.');
  if (outcome === 'CHANGED')
    services.log.info({ guestId: id, subject: caller.subject, fields: Object.keys(body) }, 'guest profile changed');
  return getGuest(services, caller, id);
}
