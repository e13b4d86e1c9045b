import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

import { createLog } from '../../platform/telemetry/telemetry.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { paymentGateway } from './payment-gateway.ts';

const log = createLog({ level: 'silent' });
const charge = (attemptId: string, cardToken: string) => ({ attemptId, amount: 100, currency: 'EUR', cardToken });

t.test('without a Stripe key the simulator is called, and none of its lost answers is retried', async (t) => {
  const dataDir = t.testdir();
  using payments = await paymentGateway(
    { STRIPE_SECRET_KEY: undefined, dataDir, developmentParts: true },
    new FakeClock(),
    log,
  );
  const { gateway, health } = payments;
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
    await t.rejects(gateway.charge(charge(id, 'tok_timeout')), { code: 'PARTNER_UNAVAILABLE' });
    t.match(await gateway.charge(charge(id, 'tok_timeout')), { transactionId: `sim_${id}` }, 'found under its key');
  }
  t.strictSame(await health.check(), { status: 'UP', details: { gateway: 'simulator' } });
  t.equal(health.essential, false);
  t.ok(existsSync(join(dataDir, 'payment-simulator.jsonl')));
});

t.test('with a key it is Stripe, behind the breaker, and no ledger is begun', async (t) => {
  const dataDir = t.testdir();
  using payments = await paymentGateway(
    { STRIPE_SECRET_KEY: 'sk_test_1', dataDir, developmentParts: true },
    new FakeClock(),
    log,
  );
  t.equal(payments.gateway.name, 'stripe');
  t.strictSame(await payments.health.check(), { status: 'UP', details: { gateway: 'stripe', breaker: 'CLOSED' } });
  t.notOk(existsSync(join(dataDir, 'payment-simulator.jsonl')));
  t.notMatch(JSON.stringify(payments), /sk_test/);
});

t.test(
  'without a key no payments are simulated for users of a real issuer: cards are declined with a reason',
  async (t) => {
    const dataDir = t.testdir();
    using payments = await paymentGateway(
      { STRIPE_SECRET_KEY: undefined, dataDir, developmentParts: false },
      new FakeClock(),
      log,
    );
    await t.rejects(payments.gateway.charge(charge('a', 'tok_visa')), {
      code: 'PARTNER_UNAVAILABLE',
      message: /STRIPE_SECRET_KEY/,
    });
    t.strictSame(await payments.health.check(), { status: 'UNKNOWN' });
    t.notOk(existsSync(join(dataDir, 'payment-simulator.jsonl')));
  },
);
