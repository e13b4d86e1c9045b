import { join } from 'node:path';

import type { Clock, HealthCheck, Log } from '../../kernel/ports.ts';
import type { Config } from '../../platform/config/config.ts';
import type { PaymentGateway } from '../ports.ts';
import { noPayments } from './no-payments.ts';
import { PaymentSimulator } from './payment-simulator.ts';
import { ResilientGateway } from './resilient-gateway.ts';

/** Payment provider of this process with its health check. */
type Payments = Disposable & { gateway: PaymentGateway; health: HealthCheck };

type PaymentConfig = Pick<Config, 'STRIPE_SECRET_KEY' | 'PAYMENT_LEDGER' | 'dataDir' | 'developmentParts'>;

/**
 * Chooses the payment provider: Stripe when its key is set, else the simulator with the development issuer, else no
 * gateway, so that payments of real users are never simulated. The simulator has no retries or breaker: it runs in this
 * process; a retry would hide the lost first answer of `tok_timeout`, which the caller has to see as 503; and a breaker
 * would reject everyone after five of them.
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
  // Loaded on demand: the library is large, and most development processes never need it.
  const { StripeGateway } = await import('./stripe-gateway.ts');
  const gateway = new ResilientGateway(new StripeGateway(secretKey, log), log);
  return { gateway, health: gateway.health, [Symbol.dispose]: () => {} };
}
