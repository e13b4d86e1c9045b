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

/**
 * A payment provider. Every call is idempotent by its id. Each may throw Refusal PARTNER_UNAVAILABLE: the answer did not
 * come, or (with `retryAfterSeconds`) it came and tells no outcome yet.
 */
export interface PaymentGateway {
  readonly name: string;
  /** Whether a token stands for somebody's card: those of a simulator do not, and everybody uses the same few. */
  readonly hasRealCards: boolean;
  /** @throws Refusal PARTNER_UNAVAILABLE; whether it was charged is then unknown. */
  charge(request: ChargeRequest): Promise<Charge>;
  /**
   * What became of an attempt; `undefined` when the provider never heard of it. One that has an end can not get another.
   * @throws Refusal PARTNER_UNAVAILABLE, INTERNAL
   */
  find(attemptId: string): Promise<Charge | undefined>;
  /**
   * Gives back (part of) a charge.
   * @throws Refusal PARTNER_UNAVAILABLE, INTERNAL where the provider will not: somebody has to look
   */
  refund(request: {
    refundId: string;
    attemptId: string;
    amount: Minor;
    currency: string;
  }): Promise<{ transactionId: string; processedAt: number }>;
}
