import type { mergeAnswer } from '../../../../src/guests/contracts/guest-answers.ts';
import type { FoundGuest } from '../../../../src/guests/operations/find-guests.ts';
import type { MergePlan } from '../../../../src/guests/operations/merge-guests.ts';
import { tierOf } from '../../../../src/guests/rules/loyalty.ts';
import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import type { GuestId } from '../../../../src/kernel/rules/ids.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { wholeGuest } from './guest.ts';

type MergeAnswer = AnswerOf<typeof mergeAnswer>;

/** What a merge would take from which profile. */
export function renderMergePlan({ surviving, other, lines, notes }: MergePlan): MergeAnswer {
  const nights = surviving.profile.nights + other.profile.nights;
  return {
    guestId: surviving.profile.guestId,
    from: other.profile.guestId,
    dryRun: true,
    lines: lines.map(({ field, surviving: own = null, other: theirs = null, takes }) => ({
      field,
      surviving: own,
      other: theirs,
      takes,
    })),
    reservations: reservationsOf(surviving) + reservationsOf(other),
    nights,
    tier: tierOf(nights),
    notes,
    guest: null,
  };
}

/** The surviving profile of a merge. */
export function renderMerge(guest: FoundGuest, from: GuestId, caller: Pick<Caller, 'role'>): MergeAnswer {
  const { guestId, nights } = guest.profile;
  return {
    guestId,
    from,
    dryRun: false,
    lines: [],
    reservations: reservationsOf(guest),
    nights,
    tier: tierOf(nights),
    notes: 0,
    guest: wholeGuest(guest, caller),
  };
}

function reservationsOf({ stays }: FoundGuest): number {
  return Object.values(stays.byStatus).reduce((sum, count) => sum + count, 0);
}
