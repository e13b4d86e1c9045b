import type { Day } from '../../kernel/rules/dates.ts';
import type { PaymentId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

export const PAYMENT_METHODS = [
  'CREDIT_CARD',
  'DEBIT_CARD',
  'CASH',
  'BANK_TRANSFER',
  'INVOICE',
  'CARD_ON_FILE',
  'TERMINAL',
] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Why a card issuer has taken a charge back, and who of the property has put that on record. */
export type Chargeback = {
  reason: string;
  /** What the issuer or the provider knows it by. */
  reference?: string;
  by: string;
  /**
   * The chargeback is closed; `writtenOff` is the amount by which the cost of the stay fell;
   * `won`: the issuer has given it back.
   */
  closed?: { at: Instant; by: string; reason: string; writtenOff?: Minor; won?: true };
};

/**
 * What the guest has handed over, in a currency that is not that of the property, and the rate at which it was counted
 * (docs/concepts/money.md#other-currencies).
 */
export type Tendered = {
  amount: Minor;
  currency: string;
  /** Units of the currency of the property for one of the other. */
  rate: number;
  /** The business date on which the rate was set. */
  rateDate: Day;
  /** Given back at once, in the currency of the property. */
  change?: Minor;
};

/** Slip of a card terminal beside the desk, which charges by itself (docs/reference/reservations.md#card-terminal). */
type TerminalSlip = {
  /** Number of the slip; no two payments of a property have the same. */
  reference: string;
  cardLast4?: string;
};

/** What a payment provider has said of a charge. */
export type Charge =
  | {
      outcome: 'CHARGED';
      transactionId: string;
      processedAt: Instant;
      /** Last digits of the card, by which a guest knows it; absent where the provider does not say them. */
      cardLast4?: string;
    }
  | { outcome: 'DECLINED'; reason: string };

/** What a payment provider has said of a charge or a refund; one that is rejected is paid by hand. */
export type GatewayAnswer =
  | Charge
  | { outcome: 'REFUNDED'; transactionId: string; processedAt: Instant }
  | { outcome: 'REJECTED' };

export type Payment = {
  paymentId: PaymentId;
  type: 'CHARGE' | 'REFUND';
  amount: Minor;
  method: PaymentMethod | null;
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'REFUNDED';
  transactionId?: string;
  /** The payment provider that was asked, and what it has said at last; absent where no provider has part in it. */
  gateway?: { name: string; response: GatewayAnswer };
  /** Refund: the charge that it refunds in whole or in part. */
  chargeId?: string;
  /** Refund paid out by hand: who paid it out, with the reference of the bank or till. */
  paidOut?: { by: string; reference?: string };
  /** Of a refund that nobody has given: the card issuer has taken it. */
  chargeback?: Chargeback;
  /** Of money that the card issuer has given back: the charge that was charged back. */
  regains?: PaymentId;
  /** Of a charge that was paid in another currency. */
  tendered?: Tendered;
  /** Of a charge by a card terminal. */
  terminal?: TerminalSlip;
  /** Of a part of a charge that has paid for several rooms: that charge, as the provider knows it. */
  partOf?: PaymentId;
  /** Of a charge by which the daily job collects an instalment: it pays nothing that was charged back. */
  isInstalment?: true;
  processedAt?: Instant;
  createdAt: Instant;
};

/** A charge by a card with what the provider has said of it: completed, or failed. One of 0 reaches no provider. */
export function chargeSaid(attempt: Payment, name: string, response: Charge): Payment {
  const said = attempt.amount === 0 ? attempt : { ...attempt, gateway: { name, response } };
  if (response.outcome === 'DECLINED') return { ...said, status: 'FAILED' };
  const { transactionId, processedAt } = response;
  return { ...said, status: 'COMPLETED', transactionId, processedAt };
}

/** Last digits of the card that a charge was paid with, as the provider or the slip of the terminal says them. */
export function shownCard({ gateway, terminal }: Pick<Payment, 'gateway' | 'terminal'>): { cardLast4?: string } {
  const response = gateway?.response;
  const cardLast4 = response?.outcome === 'CHARGED' ? response.cardLast4 : terminal?.cardLast4;
  return cardLast4 === undefined ? {} : { cardLast4 };
}
