import type { ClientKey } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { AdministrationChange } from '../../kernel/rules/administration.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { GuestId } from '../../kernel/rules/ids.ts';
import type { GuestIdentity, Profile } from '../ports.ts';
import { joinProfiles, type MergeLine, type TakenMembers } from '../rules/merge.ts';
import { type FoundGuest, getGuest } from './find-guests.ts';
import { loyaltySince } from './loyalty.ts';

/** What a merge takes from which profile, with the two as they are before it. */
export type MergePlan = { surviving: FoundGuest; other: FoundGuest; lines: MergeLine[]; notes: number };

/**
 * What {@link mergeGuests} would do (docs/reference/guests.md#merge); nothing is stored.
 * @throws DomainError VALIDATION_FAILED, GUEST_NOT_FOUND, GUEST_MERGED when they are one profile already
 */
export async function planMerge(services: Services, caller: Caller, id: GuestId, from: GuestId): Promise<MergePlan> {
  mustBeAnother(id, from);
  const [surviving, other] = [await getGuest(services, caller, id), await getGuest(services, caller, from)];
  if (surviving.profile.guestId === other.profile.guestId)
    throw new DomainError('GUEST_MERGED', 'These are one profile already.');
  const { lines } = joinProfiles(surviving.profile, other.profile);
  const { length: notes } = await services.guestNotes.of(caller.tenantId, other.profile.guestId);
  return { surviving, other, lines, notes };
}

/**
 * Merges the profile `from` into this one, which survives (docs/reference/guests.md#merge). Reservations keep the id that
 * they were booked with: all lookups go through the merged profile.
 * @throws DomainError VALIDATION_FAILED, GUEST_NOT_FOUND, GUEST_MERGED when one of them was merged into a third one
 */
export async function mergeGuests(
  services: Services,
  caller: Caller,
  { id, from: given }: { id: GuestId; from: GuestId },
  key?: ClientKey,
): Promise<{ guest: FoundGuest; replayed: boolean }> {
  mustBeAnother(id, given);
  const from = given.toLowerCase();
  const { guestId: survivor } = (await getGuest(services, caller, id)).profile;
  const identity = await services.guests.byId(caller.tenantId, survivor);
  const { result, replayed } = await services.guestBook.merge(
    caller,
    { survivor, from, since: loyaltySince(services) },
    (surviving, other) => {
      const { taken } = joinProfiles(surviving, other);
      return { taken, entries: entriesOf(identity, { surviving, other, taken }) };
    },
    key,
  );
  services.log.info({ guestId: result.guestId, from, subject: caller.subject }, 'guest profiles merged');
  return { guest: await getGuest(services, caller, result.guestId), replayed };
}

function mustBeAnother(id: GuestId, from: GuestId): void {
  if (id.toLowerCase() !== from.toLowerCase()) return;
  const errors = [{ pointer: '/from', code: 'EXCLUDED', detail: 'is the profile that it would be merged into' }];
  throw new DomainError('VALIDATION_FAILED', 'A profile cannot be merged into itself.', { errors });
}

type Joined = { surviving: Profile; other: Profile; taken: TakenMembers };

/** One entry for each profile, so that the history of either id shows the merge. */
function entriesOf({ seal }: GuestIdentity, { surviving, other, taken }: Joined): AdministrationChange[] {
  const { phone, language, preferences, consent } = surviving;
  const before = { phone, language, preferences, consent };
  return [
    {
      entity: 'guest',
      entityId: surviving.guestId,
      action: 'MERGED',
      before: { personal: seal(JSON.stringify(before)) },
      after: { personal: seal(JSON.stringify({ ...before, ...taken })), from: other.guestId },
    },
    { entity: 'guest', entityId: other.guestId, action: 'MERGED_INTO', after: { into: surviving.guestId } },
  ];
}
