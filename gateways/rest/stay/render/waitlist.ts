import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import { departureOf, nightsOfStay } from '../../../../src/kernel/rules/stay-days.ts';
import { partyOf } from '../../../../src/rates/rules/stay.ts';
import type { waitlistAnswer } from '../../../../src/stay/contracts/waitlist.ts';
import type { ListedWaiting } from '../../../../src/stay/ports.ts';
import { may } from '../../../auth/permissions.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { mask } from '../../../http/masks.ts';

/** A request on the waitlist; contact data is masked for a VIEWER (docs/concepts/guests-and-erasure.md#masking). */
export function renderWaiting(entry: ListedWaiting, caller: Pick<Caller, 'role'>): AnswerOf<typeof waitlistAnswer> {
  const { waitlistId, propertyId, status, position, stay, maxTotal, expiresAt, createdAt, updatedAt } = entry;
  const { checkIn, dayUse, roomType, rateCode } = stay;
  return {
    waitlistId,
    propertyId,
    status,
    position,
    guestInfo: guestOf(entry, caller),
    stayDetails: {
      checkIn,
      checkOut: departureOf(stay),
      ...(dayUse && { dayUse }),
      nights: nightsOfStay(stay),
      ...partyOf(stay),
      roomType,
      rateCode,
      maxTotal: maxTotal ?? null,
    },
    expiresAt: expiresAt ?? null,
    offer: offerOf(entry),
    createdAt,
    updatedAt,
  };
}

function guestOf(
  { guest }: ListedWaiting,
  caller: Pick<Caller, 'role'>,
): AnswerOf<typeof waitlistAnswer>['guestInfo'] {
  if (!guest) return null;
  const { firstName, lastName, email, phone } = guest;
  const shown = may(caller, 'contact.read') ? (text: string): string => text : mask;
  return { firstName, lastName, email: shown(email), phone: phone === undefined ? null : shown(phone) };
}

function offerOf({ offer }: ListedWaiting): AnswerOf<typeof waitlistAnswer>['offer'] {
  if (!offer) return null;
  const { holdId, expiresAt, total: totalAmount, currency } = offer;
  return { holdId, expiresAt, totalAmount, currency };
}
