import type { Minor } from '../domain/money.ts';

export type ChargeRequest = {
  /** The attempt's id: the gateway books at most one charge under it. */
  attemptId: string;
  amount: Minor;
  currency: string;
  cardToken: string;
};

export type Charge =
  | { outcome: 'CHARGED'; transactionId: string; processedAt: number }
  | { outcome: 'DECLINED'; reason: string };

/** A payment provider. Every call is idempotent by its id. */
export interface PaymentGateway {
  readonly name: string;
  /** @throws Refusal PARTNER_UNAVAILABLE when the answer did not come; whether it was charged is then unknown. */
  charge(request: ChargeRequest): Promise<Charge>;
  /** What became of an attempt; `undefined` when the provider never heard of it. */
  find(attemptId: string): Promise<Charge | undefined>;
  /** Gives back (part of) a charge. @throws Refusal PARTNER_UNAVAILABLE */
  refund(request: {
    refundId: string;
    attemptId: string;
    amount: Minor;
    currency: string;
  }): Promise<{ transactionId: string; processedAt: number }>;
}
