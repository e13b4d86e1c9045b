import t from 'tap';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import { createLog } from '../../platform/telemetry/telemetry.ts';
import { Gate, untilTime } from '../../testing/fake-clock.ts';
import type { PaymentGateway } from '../ports.ts';
import type { Charge } from '../rules/payment.ts';
import { ResilientGateway } from './resilient-gateway.ts';

const CHARGED: Charge = { outcome: 'CHARGED', transactionId: 'x', processedAt: 1 };
const REQUEST = { attemptId: 'a', amount: 1, currency: 'EUR', cardToken: 'tok_visa' };
const silence = () => Promise.reject(new DomainError('PARTNER_UNAVAILABLE', 'nothing came'));

/** A scripted provider behind retries. */
function around(patience: ConstructorParameters<typeof ResilientGateway>[2] = {}) {
  const lines: string[] = [];
  const provider = { asked: 0, act: async (): Promise<Charge> => CHARGED };
  const act = (): Promise<Charge> => {
    provider.asked += 1;
    return provider.act();
  };
  const inner: PaymentGateway = {
    name: 'scripted',
    hasRealCards: true,
    charge: act,
    takeCard: async ({ cardToken }) => {
      await act();
      return { outcome: 'TAKEN', cardToken };
    },
    find: act,
    refund: async () => {
      await act();
      return { transactionId: 'r', processedAt: 2 };
    },
  };
  const log = createLog({ level: 'trace', to: { write: (line: string) => void lines.push(line) } });
  return { provider, lines, gateway: new ResilientGateway(inner, log, { firstPauseMs: 1, ...patience }) };
}

t.test('every kind of call is retried without an answer, and never after one', async (t) => {
  const { provider, gateway } = around();
  const calls = [
    () => gateway.charge(REQUEST),
    () => gateway.find('a'),
    () => gateway.refund({ ...REQUEST, refundId: 'r' }),
  ];
  for (const call of calls) {
    let fails = 2;
    provider.act = () => (fails-- > 0 ? silence() : Promise.resolve(CHARGED));
    provider.asked = 0;
    t.match(await call(), { processedAt: Number });
    t.equal(provider.asked, 3);
  }
  const answers = [
    new DomainError('INTERNAL', 'wrong'),
    new DomainError('PARTNER_UNAVAILABLE', 'at work', { retryAfterSeconds: 5 }),
    new TypeError('a bug of ours'),
  ];
  for (const answer of answers) {
    provider.act = () => Promise.reject(answer);
    provider.asked = 0;
    for (let n = 0; n < 6; n++) await t.rejects(gateway.charge(REQUEST), answer);
    t.equal(provider.asked, 6);
  }
  t.match(await gateway.health.check(), { status: 'UP' });
});

t.test('a call ends in time though the provider never does, and nothing is begun after its end', async (t) => {
  const { provider, gateway } = around({ tryMs: 600_000, totalMs: 30 });
  const never = new Gate();
  provider.act = () => never.opened.then(() => CHARGED);
  await t.rejects(gateway.charge(REQUEST), { code: 'PARTNER_UNAVAILABLE', message: /in time/ });
  never.open();
  t.equal(provider.asked, 1);
});

t.test('repeated failures open the breaker, health reports it, and one answer closes it', async (t) => {
  const { provider, gateway, lines } = around({ brokenMs: 0 });
  t.equal(gateway.health.essential, false, 'bookings without a card go on');
  const details = { gateway: 'scripted', breaker: 'CLOSED' };
  t.strictSame(await gateway.health.check(), { status: 'UP', details });
  provider.act = silence;
  await t.rejects(gateway.charge(REQUEST), { message: 'nothing came' });
  t.match(await gateway.health.check(), { status: 'UP' });
  await t.rejects(gateway.charge(REQUEST), { code: 'PARTNER_UNAVAILABLE' });
  t.strictSame(await gateway.health.check(), { status: 'DOWN', details: { ...details, breaker: 'OPEN' } });
  const gate = new Gate();
  provider.asked = 0;
  provider.act = () => gate.opened.then(() => CHARGED);
  const both = [gateway.charge(REQUEST), gateway.find('b')];
  await untilTime(() => provider.asked === 1);
  t.match(await gateway.health.check(), { status: 'DOWN', details: { breaker: 'HALF_OPEN' } });
  t.equal(provider.asked, 1, 'the others wait for what the first one learns');
  gate.open();
  t.strictSame(await Promise.all(both), [CHARGED, CHARGED]);
  t.strictSame(await gateway.health.check(), { status: 'UP', details });
  t.match(lines.join(''), /"level":"error".*circuit breaker is open[^]*answers again/);
});

t.test('while the breaker is open no call is sent, and callers learn when to come back', async (t) => {
  const { provider, gateway } = around({ brokenMs: 600_000 });
  provider.act = silence;
  for (let n = 0; n < 2; n++) await t.rejects(gateway.charge(REQUEST));
  t.equal(provider.asked, 5);
  await t.rejects(gateway.find('a'), {
    code: 'PARTNER_UNAVAILABLE',
    message: /circuit breaker is open/,
    details: { retryAfterSeconds: 600 },
  });
  t.equal(provider.asked, 5);
});
