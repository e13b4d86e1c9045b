import { sum } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { Payment, PaymentMethod } from './payment.ts';

/**
 * Methods that the provider charges and refunds; payments by other methods are refunded by hand, those of a card
 * terminal at the terminal.
 */
const CARDS = new Set<PaymentMethod | null>(['CREDIT_CARD', 'DEBIT_CARD', 'CARD_ON_FILE']);

export function isCard(method: PaymentMethod | null): boolean {
  return CARDS.has(method);
}

/** A payment without an outcome; a PENDING refund has to be paid out by hand. */
export function isAwaited({ type, status }: Payment): boolean {
  return type === 'CHARGE' && status === 'PENDING';
}

/** Sum of the payment attempts in progress. */
export function underWay(payments: readonly Payment[]): Minor {
  const open = payments.filter(({ type, status }) => type === 'CHARGE' && status === 'PROCESSING');
  return sum(open, ({ amount }) => amount);
}

/** Unrefunded rest of a charge: 0 before its capture, then its amount less refunds, made or ordered. */
export function leftOf({ paymentId, type, status, amount }: Payment, payments: readonly Payment[]): Minor {
  if (type !== 'CHARGE' || status !== 'COMPLETED') return 0;
  const back = payments.filter((one) => one.type === 'REFUND' && one.chargeId === paymentId);
  return back.reduce((left, one) => (isGivenUp(one) ? left : left - one.amount), amount);
}

/** Whether a row is what a card issuer has taken back: no refund that anybody has given. */
export function isChargeback({ type, chargeback }: Payment): boolean {
  return type === 'REFUND' && chargeback !== undefined;
}

/** Whether a refund has failed for good. */
export function isGivenUp({ status }: Payment): boolean {
  return status === 'FAILED' || status === 'CANCELLED';
}

/** The part of a refund that goes back to one charge. */
export type Share = { charge: Payment; amount: Minor };

/**
 * Spreads a refund over the captured charges, newest first, to each at most its unrefunded rest
 * (docs/concepts/money.md#refunds).
 * @param chargeId of the only charge to refund, if one is named
 * @throws Error when the rests sum to less than `amount`
 */
export function sharesOf(payments: readonly Payment[], amount: Minor, chargeId?: string): Share[] {
  let rest = amount;
  const shares = payments.toReversed().flatMap((charge) => {
    if (chargeId !== undefined && charge.paymentId !== chargeId) return [];
    const share = Math.min(rest, leftOf(charge, payments));
    rest -= share;
    return share > 0 ? [{ charge, amount: share }] : [];
  });
  if (rest > 0) throw new Error(`a refund of ${amount} is ${rest} more than was paid`);
  return shares;
}

/** Whether a reservation is to be guaranteed by a card that the provider has not accepted yet. */
export function isCardWaitedFor({
  status,
  guarantee,
  billing,
}: Pick<Reservation, 'guarantee' | 'status' | 'billing'>): boolean {
  return status === 'PENDING' && guarantee?.kind === 'CARD' && billing?.isCardTaken !== true;
}
