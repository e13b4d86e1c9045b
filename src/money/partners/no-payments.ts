import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PaymentGateway } from '../ports.ts';

/** The provider of an installation that has none: cards are refused with a reason, everything else goes on. */
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
