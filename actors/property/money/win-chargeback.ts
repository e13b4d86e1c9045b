import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { decimalText, type Minor } from '../../../src/kernel/rules/money.ts';
import { chargebacksOf, returnableOf, returnedOf } from '../../../src/money/rules/chargeback.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { checkVersion, loaded } from '../stay/cancel.ts';
import { storeSettled } from '../stay/confirm.ts';
import { transition } from '../stay/transition.ts';
import { chargeOf, checkChargedCurrency } from './chargeback.ts';
import { cameTooLate } from './payments.ts';
import { putPayments } from './put-payments.ts';

/**
 * Records that the property has won the dispute of a chargeback (docs/concepts/money.md#chargebacks). The returned
 * money is a payment of its own, by BANK_TRANSFER, because the provider cannot refund it to the card. If the guest
 * has paid the amount again meanwhile, it is a credit.
 * @throws DomainError PAYMENT_NOT_FOUND, INVALID_STATE where nothing can come back, VALIDATION_FAILED beyond what was
 * taken, CURRENCY_MISMATCH
 */
export function decideWinChargeback(
  draft: Draft,
  command: CommandOf<'WIN_CHARGEBACK'>,
  context: DecisionContext,
): Decision<'WIN_CHARGEBACK'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkChargedCurrency(before, command.currency);
  const charge = chargeOf(before, command.paymentId);
  const amount = amountOf(before, charge, command);
  if (amount === 0) return { result: { reservation: before }, entity: before.id, facts: {}, dryRun: true };
  if (before.status === 'PENDING' && cameTooLate(draft, before, context))
    throw new DomainError('INVALID_STATE', 'The hold of the reservation has ended.');
  const { returnId: paymentId, reason, by } = command;
  const { now: at } = context;
  const { paymentId: regains } = charge;
  const payment: Payment = {
    paymentId,
    type: 'CHARGE',
    amount,
    method: 'BANK_TRANSFER',
    status: 'COMPLETED',
    regains,
    createdAt: at,
    processedAt: at,
  };
  draft.created.add(paymentId);
  const isAll = amount === returnableOf(regains, before.payments);
  const won = isAll ? chargebacksOf(regains, before.payments).filter(isDisputed) : [];
  const closed = won.map((one): Payment => {
    return { ...one, chargeback: { ...one.chargeback!, closed: { at, by, reason, won: true } } };
  });
  const window = before.paymentWindows?.[regains];
  const paymentWindows = window && { ...before.paymentWindows, [paymentId]: window };
  const notes = `Chargeback won: ${decimalText(amount)} ${before.currency}, ${reason}`;
  const paid = transition(
    draft,
    putPayments(draft, { ...before, ...(paymentWindows && { paymentWindows }) }, payment, ...closed),
    'winChargeback',
    { at, by, notes },
    { paid: before.paid + amount },
  );
  const next = storeSettled(draft, paid, paid, context);
  return {
    result: { reservation: next, payment },
    entity: next.id,
    facts: { bookings: [factOf(next.status === before.status ? 'PAID' : 'CONFIRMED', next)] },
  };
}

const isDisputed = ({ chargeback }: Payment): boolean => chargeback!.closed?.writtenOff === undefined;

/**
 * What comes back now: of an event, what it says beyond what is on record; 0 where that is all.
 * @throws DomainError INVALID_STATE, VALIDATION_FAILED
 */
function amountOf({ payments }: Reservation, charge: Payment, command: CommandOf<'WIN_CHARGEBACK'>): Minor {
  const left = returnableOf(charge.paymentId, payments);
  const { inTotal, amount = left } = command;
  const returned = returnedOf(charge.paymentId, payments);
  if (left === 0 && (inTotal === undefined || returned === 0))
    throw new DomainError('INVALID_STATE', 'Nothing of the payment was charged back that could come back.');
  if (inTotal !== undefined) return Math.min(Math.max(0, inTotal - returned), left);
  if (amount <= left) return amount;
  throw new DomainError('VALIDATION_FAILED', `At most ${decimalText(left)} was charged back.`, {
    errors: [{ pointer: '/amount', code: 'OUT_OF_RANGE', detail: 'is more than was charged back' }],
  });
}
