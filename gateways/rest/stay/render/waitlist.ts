import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import type { waitlistAnswer } from '../../../../src/stay/contracts/waitlist.ts';
import type { ListedWaiting } from '../../../../src/stay/ports.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { contactFor } from '../../../http/masks.ts';
import { renderAskedStay } from './asked-stay.ts';

/** A request on the waitlist; contact data is masked for a VIEWER (docs/concepts/guests-and-erasure.md#masking). */
export function renderWaiting(entry: ListedWaiting, caller: Pick<Caller, 'role'>): AnswerOf<typeof waitlistAnswer> {
  const { waitlistId, propertyId, status, position, stay, maxTotal, expiresAt, createdAt, updatedAt } = entry;
  return {
    waitlistId,
    propertyId,
    status,
    position,
    guestInfo: guestOf(entry, caller),
    stayDetails: { ...renderAskedStay(stay), maxTotal: maxTotal ?? null },
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
  const { firstName, lastName, email, phone, language } = guest;
  const shown = contactFor(caller);
  return { firstName, lastName, email: shown(email), phone: phone === undefined ? null : shown(phone), language };
}

function offerOf({ offer }: ListedWaiting): AnswerOf<typeof waitlistAnswer>['offer'] {
  if (!offer) return null;
  const { holdId, expiresAt, total: totalAmount, currency } = offer;
  return { holdId, expiresAt, totalAmount, currency };
}
