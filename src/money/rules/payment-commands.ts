import type { DryRun } from '../../kernel/rules/commands.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Payment, PaymentMethod } from './payment.ts';

/* Commands about the money of a reservation; the others are in commands.ts. */

/**
 * Somebody is about to pay: the attempt is on record before the provider is asked (docs/concepts/money.md#payments).
 */
export type StartPayment = { type: 'START_PAYMENT'; reservationId: string; attempt: Payment; ifVersion?: number };

/**
 * How an attempt ended, whoever learned it; again, it changes nothing. `refusal` ends its key, if it was declined; a
 * `card`, encrypted, that has paid is the one on file from then on.
 */
export type EndPayment = {
  type: 'END_PAYMENT';
  reservationId: string;
  payment: Payment;
  refundId: string;
  card?: string;
  refusal?: { detail: string };
};

/**
 * What somebody outside says of a payment that is waited for (`payment.processed`,
 * docs/concepts/events.md#payments-from-events). Money that is not all of it, or comes when it is waited for no more,
 * is a charge of its own under an id made of `eventId`.
 */
export type TakePaymentResult = {
  type: 'TAKE_PAYMENT_RESULT';
  reservationId: string;
  paymentId: string;
  eventId: string;
  status: 'SUCCESS' | 'FAILED';
  amount: Minor;
  currency: string;
  /** When it was processed. */
  at: number;
  refundId: string;
};

/**
 * The property gives up a penalty that it has kept; all that is left of it, or `amount`
 * (docs/reference/reservations.md#cancel).
 */
export type WaivePenalty = {
  type: 'WAIVE_PENALTY';
  reservationId: string;
  refundId: string;
  amount?: Minor;
  reason: string;
  by: string;
  ifVersion?: number;
};

/** Somebody gives back what was paid, of one payment where it is named. */
export type GiveRefund = DryRun & {
  type: 'GIVE_REFUND';
  reservationId: string;
  refundId: string;
  amount: Minor;
  reason: string;
  paymentId?: string;
  /** The stay costs less by it, also while it is open. */
  goodwill?: boolean;
  by: string;
  ifVersion?: number;
};

/** Somebody of the property has paid a refund out: what came in cash, or what a card did not take back. */
export type PayOutRefund = {
  type: 'PAY_OUT_REFUND';
  reservationId: string;
  refundId: string;
  method: PaymentMethod;
  /** What a bank or a till knows it by. */
  reference?: string;
  by: string;
  ifVersion?: number;
};
