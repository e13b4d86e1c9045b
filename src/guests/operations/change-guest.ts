import type { ClientKey } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Done } from '../../kernel/rules/administration.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { GuestId } from '../../kernel/rules/ids.ts';
import type { GuestBody } from '../contracts/guests.ts';
import type { Changed, ProfileChange, GuestDisclosure } from '../ports.ts';
import { type FoundGuest, getGuest } from './find-guests.ts';

/**
 * Corrects a profile. Reservations keep their own copies: guest data of a stay changes only with that stay. The
 * administration journal has the change, encrypted under the guest's key.
 * @throws DomainError GUEST_NOT_FOUND; ALREADY_EXISTS when another profile has this e-mail and last name
 */
export async function changeGuest(
  services: Services,
  caller: Caller,
  id: GuestId,
  body: GuestBody,
  key?: ClientKey,
): Promise<Done<FoundGuest>> {
  const found = await getGuest(services, caller, id);
  const { seal } = await services.guests.byId(caller.tenantId, id);
  const disclose = (changed: Changed): GuestDisclosure<FoundGuest> => ({
    result: { ...found, profile: { ...found.profile, ...after(changed, body), updatedAt: changed.at } },
    entry: {
      entity: 'guest',
      entityId: id,
      action: 'CHANGED',
      before: { personal: seal(JSON.stringify(namedIn(body, changed.before))) },
      after: { personal: seal(JSON.stringify(body)) },
    },
  });
  const outcome = await services.guestBook.change(caller, id, body, disclose, key);
  if (outcome === 'TAKEN')
    throw new DomainError('ALREADY_EXISTS', 'Another guest has a profile with this e-mail and last name.');
  if (!outcome.replayed)
    services.log.info({ guestId: id, subject: caller.subject, fields: Object.keys(body) }, 'guest profile changed');
  return outcome;
}

/** Changeable members of a profile after the change; removed ones are absent. */
function after({ before }: Changed, body: GuestBody): Partial<FoundGuest['profile']> {
  const { phone, preferences, ...whole } = { ...before, ...body };
  return { ...whole, phone: phone ?? undefined, preferences: preferences ?? undefined };
}

/** Former values of the members that the change names. */
function namedIn(body: GuestBody, before: Required<ProfileChange>): ProfileChange {
  return Object.fromEntries(Object.entries(before).filter(([name]) => name in body));
}
