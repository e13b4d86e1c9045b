import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { sum } from '../../../src/kernel/rules/figures.ts';
import { decimalText, type Minor } from '../../../src/kernel/rules/money.ts';
import { chargebackFault, chargebacksOf, chargedBackOf, claimOf } from '../../../src/money/rules/chargeback.ts';
import { leftOf } from '../../../src/money/rules/charges.ts';
import type { Chargeback, Payment } from '../../../src/money/rules/payment.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { checkVersion, loaded } from '../stay/cancel.ts';
import { storeSettled } from '../stay/confirm.ts';
import { transition } from '../stay/transition.ts';
import { credited } from './give-refund.ts';
import { putPayments } from './put-payments.ts';
import { endedAfter } from './refunds.ts';

/**
 * Records a chargeback (docs/concepts/money.md#chargebacks): the card issuer has taken a completed charge back. The
 * paid amount falls at once, nothing is sent to the payment provider, and the guest owes the amount again. It is
 * accepted in every state, also during a check-out, because it has happened already.
 * @throws DomainError PAYMENT_NOT_FOUND, INVALID_STATE for a payment that cannot be charged back or a reference that
 * is known, REFUND_EXCEEDS_PAID beyond what is left of the charge, CURRENCY_MISMATCH
 */
export function decideChargeBack(
  draft: Draft,
  command: CommandOf<'CHARGE_BACK'>,
  context: DecisionContext,
): Decision<'CHARGE_BACK'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkChargedCurrency(before, command.currency);
  const charge = chargeOf(before, command.paymentId);
  const fault = chargebackFault(charge);
  if (fault !== undefined) throw new DomainError('INVALID_STATE', fault);
  const amount = amountOf(before, charge, command);
  if (amount === 0) return { result: { reservation: before }, entity: before.id, facts: {}, dryRun: true };
  const { chargebackId: paymentId, reason, reference, by } = command;
  const { now: at } = context;
  const { paymentId: chargeId, method } = charge;
  const chargeback: Payment = {
    paymentId,
    type: 'REFUND',
    amount,
    method,
    status: 'COMPLETED',
    chargeId,
    chargeback: { reason, ...(reference !== undefined && { reference }), by },
    createdAt: at,
    processedAt: at,
  };
  draft.created.add(paymentId);
  const how = [`Charged back: ${decimalText(amount)} ${before.currency}`, reason, reference];
  const notes = how.filter((part) => part !== undefined).join(', ');
  const taken = transition(
    draft,
    putPayments(draft, before, chargeback),
    'chargeBack',
    { at, by, notes },
    {
      paid: before.paid - amount,
    },
  );
  const next = storeSettled(draft, taken, taken, context);
  return {
    result: { reservation: next, payment: chargeback },
    entity: next.id,
    facts: { bookings: [factOf('REFUNDED', next)] },
  };
}

/**
 * Closes a chargeback. With a write-off the cost of the stay falls by the unpaid amount, as by a credit or a waiver.
 * Without one the amount stays owed, and only the task of the desk ends.
 * @throws DomainError PAYMENT_NOT_FOUND, INVALID_STATE where nothing was charged back or all of it is closed
 */
export function decideCloseChargeback(
  draft: Draft,
  command: CommandOf<'CLOSE_CHARGEBACK'>,
  context: DecisionContext,
): Decision<'CLOSE_CHARGEBACK'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  const charge = chargeOf(before, command.paymentId);
  const open = chargebacksOf(charge.paymentId, before.payments).filter((one) => canClose(one, command.writeOff));
  if (open.length === 0)
    throw new DomainError('INVALID_STATE', 'Nothing of the payment was charged back that is not closed.');
  if (before.leaving && command.writeOff) throw new DomainError('INVALID_STATE', 'The stay is being checked out.');
  const { writeOff, reason, by } = command;
  let left = writeOff ? claimOf(before) : 0;
  const closed = open.map((one): Payment => {
    const writtenOff = Math.min(left, one.amount);
    left -= writtenOff;
    const end = { at: context.now, by, reason, ...(writeOff && { writtenOff }) };
    return { ...one, chargeback: { ...one.chargeback!, closed: end } };
  });
  const writtenOff = sum(closed, ({ chargeback }) => chargeback!.closed!.writtenOff ?? 0);
  const what = writeOff
    ? `Chargeback written off: ${decimalText(writtenOff)} ${before.currency}`
    : 'Chargeback closed';
  const why = { at: context.now, by, notes: `${what}, ${reason}` };
  const put = putPayments(draft, before, ...closed);
  const ended = transition(draft, put, 'closeChargeback', why, creditOf(draft, put, closed));
  const next = storeSettled(draft, ended, ended, context);
  return {
    result: { reservation: next, writtenOff },
    entity: next.id,
    facts: { bookings: [factOf('REFUNDED', next)] },
  };
}

/** A chargeback that was closed without a write-off may be written off later, one that was won may not. */
function canClose({ chargeback }: Payment, writeOff: boolean): boolean {
  const { closed } = chargeback as Chargeback;
  return closed === undefined || (writeOff && closed.writtenOff === undefined && closed.won === undefined);
}

/**
 * Checks the currency that an event names: charges are in the currency of the reservation.
 * @throws DomainError CURRENCY_MISMATCH
 */
export function checkChargedCurrency(before: Reservation, currency: string | undefined): void {
  if (currency !== undefined && currency !== before.currency)
    throw new DomainError('CURRENCY_MISMATCH', `The reservation is paid in ${before.currency}.`);
}

/** @throws DomainError PAYMENT_NOT_FOUND */
export function chargeOf({ payments }: Reservation, paymentId: string): Payment {
  const charge = payments.find((one) => one.paymentId === paymentId && one.type === 'CHARGE');
  if (!charge) throw new DomainError('PAYMENT_NOT_FOUND', 'The reservation has no such payment.');
  return charge;
}

/**
 * Amount of the new chargeback. An event names the total of its charge (`inTotal`): only the part that is not
 * recorded yet counts, and 0 means that there is none. Refunded amounts cannot be charged back.
 * @throws DomainError REFUND_EXCEEDS_PAID, INVALID_STATE
 */
function amountOf({ payments, paid }: Reservation, charge: Payment, command: CommandOf<'CHARGE_BACK'>): Minor {
  const { inTotal, reference } = command;
  const left = Math.min(leftOf(charge, payments), paid);
  const known = chargebacksOf(charge.paymentId, payments);
  if (inTotal !== undefined) {
    const more = Math.max(0, inTotal - chargedBackOf(charge.paymentId, payments));
    if (more > 0 && left === 0 && known.length === 0) throw nothingLeft(left);
    return Math.min(more, left);
  }
  if (reference !== undefined && known.some(({ chargeback }) => chargeback!.reference === reference))
    throw new DomainError('INVALID_STATE', 'A chargeback with this reference is on record already.');
  const { amount = left } = command;
  if (amount > left || left === 0) throw nothingLeft(left);
  return amount;
}

const nothingLeft = (left: Minor): DomainError =>
  new DomainError('REFUND_EXCEEDS_PAID', `At most ${decimalText(left)} of this payment is left.`);

/**
 * Effect of a write-off on the cost: it waives the penalty of a stay that did not take place, and otherwise credits
 * the windows whose payments were charged back.
 */
function creditOf(draft: Draft, before: Reservation, closed: readonly Payment[]): Partial<Reservation> {
  const rows = closed.map((one) => ({ ...one, amount: one.chargeback!.closed!.writtenOff ?? 0 }));
  const amount = sum(rows, (one) => one.amount);
  if (!before.cancellation) return credited(draft, before, rows, amount, 'Chargeback written off');
  if (amount === 0) return {};
  const given = { refund: 0, waived: amount, refundId: null };
  return endedAfter(before, given, draft.today);
}
