import { sum } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { claimOf } from './chargeback.ts';
import { sharerPercent, windowOfPayment } from './folio-window.ts';
import { type FolioCharge, received } from './folio.ts';
import type { Payment } from './payment.ts';
import { kindOfCharge, windowsOf } from './postings.ts';
import { shareOf } from './shared-lines.ts';

type Shared = Parameters<typeof windowsOf>[0];

/**
 * What the sharer still owes of the whole stay, nights to come included; below 0 when more is paid in that window, and
 * 0 without a sharer. Credits beyond what is in the window are no debt of the property to the sharer.
 */
export function sharerBalance(reservation: Shared): Minor {
  if (!reservation.sharer) return 0;
  const own = windowsOf(reservation, reservation.stay.checkOut).find(({ window }) => window === 'SHARER');
  return own ? Math.max(0, own.expectedTotal) - own.paid : 0;
}

/** Whether a payment, or a refund of one, is in the window SHARER. */
export const isSharers = (reservation: Shared, payment: Payment): boolean =>
  windowOfPayment(reservation, payment) === 'SHARER';

/** What the sharer has paid and not got back. */
export function paidBySharer(reservation: Shared): Minor {
  if (!reservation.sharer) return 0;
  return received(reservation.payments.filter((one) => isSharers(reservation, one)));
}

/**
 * What the others have paid, and what was charged back of it, which is a claim of the property: only that pays a penalty
 * (docs/reference/sharers.md#penalties).
 */
export function paidByOthers(reservation: Reservation): Minor {
  if (!reservation.sharer) return reservation.paid + claimOf(reservation);
  const payments = reservation.payments.filter((one) => !isSharers(reservation, one));
  const paid = received(payments);
  return paid + claimOf({ ...reservation, payments, paid });
}

/** What the others have not paid yet of what is expected in their windows; below 0 when they have paid more. */
export function balanceOfOthers(reservation: Reservation): Minor {
  const windows = windowsOf(reservation, reservation.stay.checkOut).filter(({ window }) => window !== 'SHARER');
  return sum(windows, ({ expectedTotal }) => expectedTotal) - paidByOthers(reservation);
}

/** Charges beside the nights without what the sharer pays of them (docs/reference/sharers.md#erasure). */
export function chargesOfOthers(reservation: Reservation): FolioCharge[] {
  const { charges = [], currency } = reservation;
  return charges.flatMap((charge) => {
    const { amount, quantity, window } = charge;
    const percent = sharerPercent(reservation, kindOfCharge(charge), window);
    if (percent === 0) return charge;
    if (percent === 100) return [];
    const part = { ...charge, amount: amount - shareOf(amount, percent, currency) };
    return quantity === undefined ? part : { ...part, quantity: Math.sign(quantity) };
  });
}
