import type { PaymentGateway } from '../../money/ports.ts';
import type { Address } from '../rules/caller.ts';
import { isSandbox } from '../rules/sandbox-id.ts';
import type { Services } from './services.ts';

/**
 * The payment provider of a property: that of the service, but for a sandbox, whose money is invented
 * (docs/concepts/sandbox.md#what-never-leaves-it).
 */
export function paymentGatewayOf(
  { payments, clock, tenantShares }: Pick<Services, 'payments' | 'clock' | 'tenantShares'>,
  to: Address,
): PaymentGateway {
  if (isSandbox(to.propertyId)) return inventedPayments(clock);
  const away = <T>(wait: () => Promise<T>): Promise<T> => tenantShares.away(to.tenantId, wait);
  return {
    name: payments.name,
    hasRealCards: payments.hasRealCards,
    charge: (request) => away(() => payments.charge(request)),
    takeCard: (request) => away(() => payments.takeCard(request)),
    find: (attemptId) => away(() => payments.find(attemptId)),
    refund: (request) => away(() => payments.refund(request)),
  };
}

/** Takes every card and has no memory: an attempt that a crash has cut off was never made. */
const inventedPayments = (clock: Services['clock']): PaymentGateway => ({
  name: 'sandbox',
  hasRealCards: false,
  charge: async ({ attemptId }) => ({
    outcome: 'CHARGED',
    transactionId: `sandbox_${attemptId}`,
    processedAt: clock.now(),
  }),
  takeCard: async () => ({ outcome: 'TAKEN', cardToken: 'sandbox' }),
  find: async () => undefined,
  refund: async ({ refundId }) => ({ transactionId: `sandbox_${refundId}`, processedAt: clock.now() }),
});
