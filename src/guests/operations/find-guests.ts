import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { GuestId } from '../../kernel/rules/ids.ts';
import type { GuestsQuery } from '../contracts/guests.ts';
import type { Profile, StaysInShort } from '../ports.ts';
import { nightsOfTier } from '../rules/loyalty.ts';
import { phoneDigitsOf } from '../rules/phone.ts';
import { loyaltySince } from './loyalty.ts';

/** Maximum of search words. */
const MAX_WORDS = 5;

export type FoundGuest = { profile: Profile; stays: StaysInShort; since: Day };

/** One guest (docs/reference/guests.md#guests); of a merged profile that which survives. @throws DomainError GUEST_NOT_FOUND, also when erased */
export async function getGuest(services: Services, { tenantId }: Caller, id: GuestId): Promise<FoundGuest> {
  const since = loyaltySince(services);
  const profile = await services.guestBook.get(tenantId, id, since);
  if (!profile) throw new DomainError('GUEST_NOT_FOUND', 'The tenant has no such guest.');
  return { profile, stays: await services.guestBook.stays(tenantId, profile.guestId), since };
}

/**
 * Lists guests of the tenant, newest first. A caller who sees no contact data cannot search it by parts either.
 */
export async function listGuests(
  services: Services,
  { tenantId, role }: Caller,
  { q, email, loyaltyTier, limit, cursor }: GuestsQuery,
): Promise<{ items: Profile[]; nextCursor?: string }> {
  const phoneDigits = role === 'VIEWER' ? undefined : phoneDigitsOf(q);
  const filter = {
    ...(phoneDigits === undefined && { words: q?.split(/\s+/).slice(0, MAX_WORDS) }),
    phoneDigits,
    searchesEmail: role !== 'VIEWER',
    email,
    nights: loyaltyTier && nightsOfTier(loyaltyTier),
  };
  const after = positionOf(services.signed, cursor);
  const { items, next } = await services.guestBook.list(tenantId, filter, loyaltySince(services), limit, after);
  return { items, nextCursor: nextCursor(services.signed, next) };
}
