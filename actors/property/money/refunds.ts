import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { PaymentId } from '../../../src/kernel/rules/ids.ts';
import { type Minor, negated } from '../../../src/kernel/rules/money.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import { isCard, type Share, sharesOf } from '../../../src/money/rules/charges.ts';
import { accountWindow, type FolioWindow, windowOfPayment } from '../../../src/money/rules/folio-window.ts';
import { received } from '../../../src/money/rules/folio.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { isSharers, sharerBalance } from '../../../src/money/rules/shared-money.ts';
import { retainedAfterWaiver } from '../../../src/stay/rules/reinstatement.ts';
import type { Cancellation, Reservation } from '../../../src/stay/rules/reservation.ts';
import { derivedId } from '../derived-id.ts';
import type { Draft } from '../draft.ts';

type RefundOrder = {
  /** Id of the first row; those of further rows are derived from it. */
  refundId: string;
  amount: Minor;
  /** The only charge to refund, where one is named. */
  chargeId?: string;
  /** Folio window whose charges are not refunded. */
  except?: FolioWindow | undefined;
  /** The reservation at the price that makes the refund due, for who has paid too much; as it is where absent. */
  priced?: Reservation;
};

/**
 * Orders a refund in the commit that makes it due: one row for each charge that it refunds, whose id is the provider's
 * idempotency key. Card refunds are sent after the commit, and again until the provider has answered. Refunds of other
 * methods are PENDING until somebody pays them out by hand.
 */
export function orderRefunds(draft: Draft, reservation: Reservation, order: RefundOrder, at: Instant): Payment[] {
  const refunds = refundsOf(reservation, order, at);
  for (const payment of refunds) draft.payments.set(payment.paymentId, { reservationId: reservation.id, payment });
  return refunds;
}

/** Rows of a refund, not yet stored; none for an amount of 0. */
export function refundsOf(
  reservation: Reservation,
  { refundId, amount, chargeId, except, priced = reservation }: RefundOrder,
  at: Instant,
): Payment[] {
  const payments = except
    ? reservation.payments.filter((one) => windowOfPayment(reservation, one) !== except)
    : reservation.payments;
  const shares =
    reservation.sharer && chargeId === undefined
      ? sharesByGuest(priced, payments, amount)
      : sharesOf(payments, amount, chargeId);
  return shares.map((share, index) => {
    const refund = refundOf(index === 0 ? refundId : derivedId(refundId, share.charge.paymentId), share, at);
    // A charge that an account has taken over is not paid out: the account owes less instead.
    const isCredit = share.charge.method === 'INVOICE' && accountWindow(reservation) !== undefined;
    return isCredit ? { ...refund, status: 'COMPLETED', processedAt: at } : refund;
  });
}

/**
 * Of two guests who pay, each gets back what that guest has paid too much, the sharer first; beyond that the one who has
 * booked gets it.
 */
function sharesByGuest(reservation: Reservation, payments: readonly Payment[], amount: Minor): Share[] {
  const sharers = payments.filter((one) => isSharers(reservation, one));
  const others = payments.filter((one) => !isSharers(reservation, one));
  const mostOfOthers = Math.min(amount, received(others));
  const overpaid = Math.min(amount, Math.max(0, negated(sharerBalance(reservation))), received(sharers));
  const ofSharer = Math.max(overpaid, amount - mostOfOthers);
  return [...sharesOf(sharers, ofSharer), ...sharesOf(others, amount - ofSharer)];
}

/** The refund of one charge. */
export function refundOf(paymentId: PaymentId, { charge, amount }: Share, createdAt: Instant): Payment {
  const { method, paymentId: chargeId } = charge;
  const status = isCard(method) ? 'PROCESSING' : 'PENDING';
  return { paymentId, type: 'REFUND', amount, method, status, chargeId, createdAt };
}

/**
 * A stay that is over after a part of its penalty was refunded. A waived part is no longer retained, also after a
 * reinstatement, so penalty and refund together equal what was paid.
 */
export function endedAfter(
  before: Reservation,
  given: { refund: Minor; waived: Minor; refundId: string | null },
  day: Day,
): EndedStay {
  const { waived = [], ...ending } = before.cancellation!;
  const waivers = given.waived > 0 ? [...waived, { day, amount: given.waived }] : waived;
  const cancellation = {
    ...ending,
    ...(waivers.length > 0 && { waived: waivers }),
    penalty: ending.penalty - given.waived,
    refund: ending.refund + given.refund,
    refundId: ending.refundId ?? given.refundId,
  };
  return { cancellation, ...(given.waived > 0 && retainedAfterWaiver(before, cancellation)) };
}

type EndedStay = { cancellation: Cancellation; retained?: Minor };
