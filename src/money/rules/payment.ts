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
  /** Of a refund: the charge that it gives back, or a part of it. */
  chargeId?: string;
  /** Of a refund that somebody of the property has paid out: who, and what a bank or a till knows it by. */
  paidOut?: { by: string; reference?: string };
  processedAt?: Instant;
  createdAt: Instant;
};
