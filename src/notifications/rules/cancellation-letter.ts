import { NO_MONEY } from '../../kernel/rules/money.ts';
import type { Walk } from '../../stay/rules/reservation.ts';
import type { LetterTexts } from './letter-texts.ts';
import { type Letter, letterOfKind } from './letter.ts';
import { priceText, stayDetails, stayValues, type NotifiedBooking } from './notified-booking.ts';

/** The reservation ended before the stay: cancelled, never paid, or a no-show. */
export function cancellationLetter(notified: NotifiedBooking, texts: LetterTexts): Letter {
  const { booking, reservation } = notified;
  const { cancellation } = reservation;
  const missed = booking.status === 'NO_SHOW';
  const expired = cancellation?.reason === 'HOLD_EXPIRED';
  if (cancellation?.walk) return walkLetter(notified, texts, cancellation.walk);
  const fee = priceText(texts, cancellation?.penalty ?? NO_MONEY, notified);
  const refund = priceText(texts, cancellation?.refund ?? NO_MONEY, notified);
  const money: [string, string][] =
    // Who never paid has nothing to read of money, unless a reinstated stay ran out.
    cancellation && (!expired || cancellation.penalty > 0)
      ? [
          [texts.text(missed ? 'noShowFee' : 'cancellationFee'), fee],
          [texts.text('refund'), refund],
        ]
      : [];
  const kind = expired ? 'EXPIRY' : missed ? 'NO_SHOW' : 'CANCELLATION';
  return letterOfKind(
    kind,
    { ...stayValues(texts, notified), fee, refund },
    {
      details: [...stayDetails(texts, notified), ...money],
      notices: refundNotices(notified, texts),
    },
  );
}

/** The property could not take the guest in, and has found another hotel (docs/reference/waitlist.md#walk). */
function walkLetter(notified: NotifiedBooking, texts: LetterTexts, { to, compensation: owed }: Walk): Letter {
  const refund = priceText(texts, notified.reservation.cancellation?.refund ?? NO_MONEY, notified);
  const compensation = priceText(texts, owed, notified);
  const hotel = { hasHotel: to === undefined ? 'no' : 'yes', hotel: to ?? '' };
  return letterOfKind(
    'WALK',
    { ...stayValues(texts, notified), refund, compensation, ...hotel },
    {
      details: [
        ...stayDetails(texts, notified),
        [texts.text('refund'), refund],
        ...(owed > 0 ? [[texts.text('compensation'), compensation] as [string, string]] : []),
      ],
      notices: refundNotices(notified, texts),
    },
  );
}

function refundNotices({ reservation }: NotifiedBooking, texts: LetterTexts): string[] {
  return (reservation.cancellation?.refund ?? 0) > 0 ? [texts.text('notice.refund')] : [];
}
