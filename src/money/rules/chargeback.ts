import { sum } from '../../kernel/rules/figures.ts';
import type { PaymentId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { isCard, isChargeback, isGivenUp } from './charges.ts';
import { billOf } from './folio.ts';
import type { Payment } from './payment.ts';

/**
 * Chargebacks (docs/concepts/money.md#chargebacks): the card issuer has taken a completed charge back. Each is a
 * refund row that nobody sends, so what is paid falls and the guest owes it again: that is the claim of the property.
 */

type Claimed = Parameters<typeof billOf>[0] & Pick<Reservation, 'payments'>;

/** Why a payment cannot be charged back; `undefined` where it can. */
export function chargebackFault({ status, method }: Payment): string | undefined {
  if (status !== 'COMPLETED') return `The payment is ${status}: nothing of it can be taken back.`;
  // Returned direct debits are transfers; what others report without a method is taken at their word.
  if (isCard(method) || method === 'TERMINAL' || method === 'BANK_TRANSFER' || method === null) return undefined;
  return `What was paid by ${method} is not charged back.`;
}

/** Amount of a charge that the card issuer has taken back so far. */
export function chargedBackOf(paymentId: PaymentId, payments: readonly Payment[]): Minor {
  return sum(chargebacksOf(paymentId, payments), ({ amount }) => amount);
}

/** Amount of the chargebacks of a charge that the card issuer has returned. */
export function returnedOf(paymentId: PaymentId, payments: readonly Payment[]): Minor {
  return sum(payments, ({ regains, amount }) => (regains === paymentId ? amount : 0));
}

/** Amount of the chargebacks of a charge that may still be returned: written-off chargebacks may not. */
export function returnableOf(paymentId: PaymentId, payments: readonly Payment[]): Minor {
  const disputed = chargebacksOf(paymentId, payments).filter(
    ({ chargeback }) => chargeback!.closed?.writtenOff === undefined,
  );
  return Math.max(0, sum(disputed, ({ amount }) => amount) - returnedOf(paymentId, payments));
}

/** The chargebacks of one charge, oldest first. */
export function chargebacksOf(paymentId: PaymentId, payments: readonly Payment[]): Payment[] {
  return payments.filter((one) => isChargeback(one) && one.chargeId === paymentId);
}

/**
 * The claim of the property: what was charged back and neither paid again nor written off, at most what is owed.
 * A claim that was closed without a write-off is owed still. An instalment that the daily job charges is for what falls
 * due by then and pays no claim.
 */
export function claimOf(reservation: Claimed): Minor {
  return claimOn(reservation, (one) => one.chargeback?.closed?.writtenOff === undefined);
}

/** Whether the property still has to close a chargeback whose amount is not paid again. */
export function isClaimOpen(reservation: Claimed): boolean {
  return claimOn(reservation, (one) => one.chargeback?.closed === undefined) > 0;
}

/** The part of the claim from chargebacks for which `counts` holds. */
function claimOn(reservation: Claimed, counts: (chargeback: Payment) => boolean): Minor {
  const { payments, cancellation } = reservation;
  // Nearly all reservations have none.
  if (!payments.some((one) => isChargeback(one) && counts(one))) return 0;
  const { balance } = billOf(reservation);
  // A stay that did not take place owes nothing but what was charged back.
  if (cancellation) return Math.max(0, balance);
  let claim = 0;
  for (const payment of payments) {
    if (isChargeback(payment)) claim += counts(payment) ? payment.amount : 0;
    else if (!payment.isInstalment) claim = Math.max(0, claim - receivedOf(payment, payments));
  }
  return Math.max(0, Math.min(claim, balance));
}

/** Amount of a charge that was not refunded; chargebacks do not reduce it. */
function receivedOf({ paymentId, type, status, amount }: Payment, payments: readonly Payment[]): Minor {
  if (type !== 'CHARGE' || status !== 'COMPLETED') return 0;
  const refunds = payments.filter((one) => one.chargeId === paymentId && !isChargeback(one) && !isGivenUp(one));
  return amount - sum(refunds, (one) => one.amount);
}
