import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PaymentGateway } from '../ports.ts';

/** Gateway of an installation without a payment provider: it declines cards with a reason; everything else works. */
export const noPayments: PaymentGateway = {
  name: 'none',
  hasRealCards: false,
  charge: notConfigured,
  takeCard: notConfigured,
  find: notConfigured,
  refund: notConfigured,
};

async function notConfigured(): Promise<never> {
  throw new DomainError('PARTNER_UNAVAILABLE', 'No payment provider is configured: STRIPE_SECRET_KEY is not set.');
}
