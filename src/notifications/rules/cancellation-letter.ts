import type { Walk } from '../../stay/rules/reservation.ts';
import type { Letter } from './letter.ts';
import { guestName, priceText, stayDetails, type NotifiedBooking } from './notified-booking.ts';

const REFUNDED = 'The refund goes back the way you paid; your bank may need some days to show it.';

/** The reservation ended before the stay: cancelled, never paid, or a no-show. */
export function cancellationLetter(notified: NotifiedBooking): Letter {
  const { property, booking, reservation } = notified;
  const { cancellation } = reservation;
  const missed = booking.status === 'NO_SHOW';
  const expired = cancellation?.reason === 'HOLD_EXPIRED';
  if (cancellation?.walk) return walkLetter(notified, cancellation.walk);
  const money: [string, string][] =
    // Who never paid has nothing to read of money, unless a reinstated stay ran out.
    cancellation && (!expired || cancellation.penalty > 0)
      ? [
          [missed ? 'No-show fee' : 'Cancellation fee', priceText(cancellation.penalty, notified)],
          ['Refund', priceText(cancellation.refund, notified)],
        ]
      : [];
  const opening = expired
    ? 'Your reservation was not paid in time. It has been cancelled, and the room is no longer kept for you.'
    : missed
      ? 'We expected you, and you did not arrive. Your reservation has ended, and the room is no longer kept for you.'
      : 'Your reservation has been cancelled.';
  const refunded = (cancellation?.refund ?? 0) > 0;
  return {
    subject: `Your reservation ${booking.confirmationNumber} at ${property.name} has ${missed ? 'ended' : 'been cancelled'}`,
    to: guestName(notified),
    opening: [opening],
    details: [...stayDetails(notified), ...money],
    closing: [
      ...(refunded ? [REFUNDED] : []),
      missed
        ? 'If you are on your way, or this is a mistake, please contact us at once.'
        : 'We would be glad to welcome you another time.',
    ],
  };
}

/** The property could not take the guest in, and has found another hotel (docs/reference/waitlist.md#walk). */
function walkLetter(notified: NotifiedBooking, { to, compensation }: Walk): Letter {
  const { property, booking, reservation } = notified;
  const refund = reservation.cancellation?.refund ?? 0;
  const where = to === undefined ? 'Another hotel expects you.' : `You are expected at this hotel: ${to}.`;
  return {
    subject: `Your reservation ${booking.confirmationNumber} at ${property.name} has been moved to another hotel`,
    to: guestName(notified),
    opening: [`We are sorry: we have no room for you. ${where} Your reservation here has been cancelled.`],
    details: [
      ...stayDetails(notified),
      ['Refund', priceText(refund, notified)],
      ...(compensation > 0 ? [['Compensation', priceText(compensation, notified)] as [string, string]] : []),
    ],
    closing: [...(refund > 0 ? [REFUNDED] : []), 'If you have questions, please contact us at once.'],
  };
}
