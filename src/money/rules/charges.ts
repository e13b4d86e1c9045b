import { sum } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Payment, PaymentMethod } from './payment.ts';

/** Methods that the provider charges, and so gives back; what came by another way somebody pays out by hand. */
const CARDS = new Set<PaymentMethod | null>(['CREDIT_CARD', 'DEBIT_CARD', 'CARD_ON_FILE']);

export function isCard(method: PaymentMethod | null): boolean {
  return CARDS.has(method);
}

/** A payment that somebody is yet to make; a PENDING refund is one that somebody of the property is yet to pay out. */
export function isAwaited({ type, status }: Payment): boolean {
  return type === 'CHARGE' && status === 'PENDING';
}

/** What attempts to pay that have no end yet would bring. */
export function underWay(payments: readonly Payment[]): Minor {
  const open = payments.filter(({ type, status }) => type === 'CHARGE' && status === 'PROCESSING');
  return sum(open, ({ amount }) => amount);
}

/** What is left of a charge: nothing before it was captured, then its amount less what was or will be given back. */
export function leftOf({ paymentId, type, status, amount }: Payment, payments: readonly Payment[]): Minor {
  if (type !== 'CHARGE' || status !== 'COMPLETED') return 0;
  const back = payments.filter((one) => one.type === 'REFUND' && one.chargeId === paymentId);
  return back.reduce((left, one) => (isGivenUp(one) ? left : left - one.amount), amount);
}

/** Whether a refund will never reach anybody. */
export function isGivenUp({ status }: Payment): boolean {
  return status === 'FAILED' || status === 'CANCELLED';
}

/** The part of a refund that goes back to one charge. */
export type Share = { charge: Payment; amount: Minor };

/**
 * Spreads a refund over the captured charges, the newest first, to each at most what it has left: none gives back more
 * than it took (docs/concepts/money.md#refunds).
 * @param chargeId of the only charge that it may go back to, where one is named
 * @throws Error where they have less in all: money would be made
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
