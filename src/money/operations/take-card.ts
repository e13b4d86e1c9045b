import { v7 as uuidv7 } from 'uuid';

import { paymentGatewayOf } from '../../kernel/operations/payment-gateway-of.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';

/**
 * Has the provider take a card without charging it.
 * @returns the token with which the provider charges it later
 * @throws DomainError PAYMENT_DECLINED, PARTNER_UNAVAILABLE
 */
export async function takeCard(
  services: Pick<Services, 'payments' | 'clock' | 'tenantShares'>,
  to: Address,
  cardToken: string,
): Promise<string> {
  const taken = await paymentGatewayOf(services, to).takeCard({ requestId: uuidv7(), cardToken });
  if (taken.outcome === 'TAKEN') return taken.cardToken;
  throw new DomainError('PAYMENT_DECLINED', `The card was declined: ${taken.reason}.`);
}
