import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import type { inquiryAnswer } from '../../../../src/stay/contracts/inquiries.ts';
import type { ListedInquiry } from '../../../../src/stay/ports.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { contactFor } from '../../../http/masks.ts';
import { renderAskedStay } from './asked-stay.ts';

/** An inquiry; contact data is masked for a VIEWER. */
export function renderInquiry(inquiry: ListedInquiry, caller: Pick<Caller, 'role'>): AnswerOf<typeof inquiryAnswer> {
  const { inquiryId, propertyId, status, stay, quote, total, notes, expiresAt, reservationId } = inquiry;
  const { createdAt, updatedAt } = inquiry;
  return {
    inquiryId,
    propertyId,
    status,
    guestInfo: guestOf(inquiry, caller),
    stayDetails: { ...renderAskedStay(stay), promoCode: quote.promoCode ?? null },
    quote: { nightlyRates: quote.nightly, totalAmount: total, currency: quote.charges!.currency },
    notes: notes === undefined ? null : contactFor(caller)(notes),
    expiresAt,
    reservationId: reservationId ?? null,
    createdAt,
    updatedAt,
  };
}

function guestOf(
  { guest }: ListedInquiry,
  caller: Pick<Caller, 'role'>,
): AnswerOf<typeof inquiryAnswer>['guestInfo'] {
  if (!guest) return null;
  const { firstName, lastName, email, phone, language } = guest;
  const shown = contactFor(caller);
  const orNull = (text: string | undefined): string | null => (text === undefined ? null : shown(text));
  return { firstName, lastName, email: orNull(email), phone: orNull(phone), language };
}
