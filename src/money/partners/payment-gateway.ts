import { join } from 'node:path';

import type { Clock, HealthCheck, Log } from '../../kernel/ports.ts';
import type { Config } from '../../platform/config/config.ts';
import type { PaymentGateway } from '../ports.ts';
import { noPayments } from './no-payments.ts';
import { PaymentSimulator } from './payment-simulator.ts';
import { ResilientGateway } from './resilient-gateway.ts';

/** The provider of this process and what health says of it. */
type Payments = Disposable & { gateway: PaymentGateway; health: HealthCheck };

type PaymentConfig = Pick<Config, 'STRIPE_SECRET_KEY' | 'PAYMENT_LEDGER' | 'dataDir' | 'developmentParts'>;

/**
 * Stripe where its key is given, otherwise the simulator beside the development issuer, and no gateway otherwise:
 * money of real users is never taken for paid. The simulator is not wrapped: it is in this process, so there is
 * nothing to wait for, and a hidden retry would find the charge whose first answer `tok_timeout` loses, which the
 * caller is promised to see as 503. A breaker would even shut out everybody after five of them.
 */
export async function paymentGateway(
  { STRIPE_SECRET_KEY: secretKey, PAYMENT_LEDGER: shared, dataDir, developmentParts }: PaymentConfig,
  clock: Clock,
  log: Log,
): Promise<Payments> {
  if (secretKey === undefined && !developmentParts) {
    const health: HealthCheck = { essential: false, check: async () => ({ status: 'UNKNOWN' }) };
    return { gateway: noPayments, health, [Symbol.dispose]: () => {} };
  }
  if (secretKey === undefined) {
    const ledger = shared ?? join(dataDir, 'payment-simulator.jsonl');
    const gateway = new PaymentSimulator(ledger, () => clock.now(), shared !== undefined);
    const details = { gateway: gateway.name };
    const health: HealthCheck = { essential: false, check: async () => ({ status: 'UP', details }) };
    return { gateway, health, [Symbol.dispose]: () => gateway[Symbol.dispose]() };
  }
  // The library is large, and most processes of a developer never need it.
  const { StripeGateway } = await import('./stripe-gateway.ts');
  const gateway = new ResilientGateway(new StripeGateway(secretKey, log), log);
  return { gateway, health: gateway.health, [Symbol.dispose]: () => {} };
}
