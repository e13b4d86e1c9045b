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
] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export type Payment = {
  paymentId: PaymentId;
  type: 'CHARGE' | 'REFUND';
  amount: Minor;
  method: PaymentMethod | null;
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'REFUNDED';
  transactionId?: string;
  /** Refund: the charge that it refunds in whole or in part. */
  chargeId?: string;
  /** Refund paid out by hand: who paid it out, with the reference of the bank or till. */
  paidOut?: { by: string; reference?: string };
  processedAt?: Instant;
  createdAt: Instant;
};
