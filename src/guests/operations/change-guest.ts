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
 * @throws DomainError GUEST_NOT_FOUND, STALE_VERSION; ALREADY_EXISTS when another profile has this e-mail and last name
 */
export async function changeGuest(
  services: Services,
  caller: Caller,
  id: GuestId,
  body: GuestBody,
  options: { key?: ClientKey; ifVersion?: number } = {},
): Promise<Done<FoundGuest>> {
  const found = await getGuest(services, caller, id);
  const { consent: _, ...unchanged } = found.profile;
  const { guestId, merged } = unchanged;
  const { seal } = await services.guests.byId(caller.tenantId, guestId);
  const change = changeOf(services, caller, body);
  const disclose = (changed: Changed): GuestDisclosure<FoundGuest> => ({
    result: {
      ...found,
      profile: { ...unchanged, ...after(changed, change), version: changed.version, updatedAt: changed.at },
    },
    entry: {
      entity: 'guest',
      entityId: guestId,
      action: 'CHANGED',
      before: { personal: seal(JSON.stringify(namedIn(change, changed.before))) },
      after: { personal: seal(JSON.stringify(change)) },
    },
  });
  const outcome = await services.guestBook.change(caller, guestId, change, disclose, options);
  if (outcome === 'TAKEN')
    throw new DomainError('ALREADY_EXISTS', 'Another guest has a profile with this e-mail and last name.');
  if (!outcome.replayed)
    services.log.info({ guestId, subject: caller.subject, fields: Object.keys(body) }, 'guest profile changed');
  // A merged profile may have taken the former address.
  return merged ? { ...outcome, result: await getGuest(services, caller, guestId) } : outcome;
}

/** The body with the time and the person of a consent. */
function changeOf({ clock }: Services, { subject: by }: Caller, { consent, ...body }: GuestBody): ProfileChange {
  if (!consent) return { ...body, ...(consent === null && { consent }) };
  return { ...body, consent: { ...consent, at: clock.now(), by } };
}

/** Changeable members of a profile after the change; removed ones are absent. */
function after({ before }: Changed, change: ProfileChange): Partial<FoundGuest['profile']> {
  const { consent, phone, language, preferences, ...whole } = { ...before, ...change };
  const members = {
    ...whole,
    phone: phone ?? undefined,
    preferences: preferences ?? undefined,
    ...('language' in change && { language: language ?? undefined }),
  };
  return consent ? { ...members, consent } : members;
}

/** Former values of the members that the change names. */
function namedIn(change: ProfileChange, before: Required<ProfileChange>): ProfileChange {
  return Object.fromEntries(Object.entries(before).filter(([name]) => name in change));
}
