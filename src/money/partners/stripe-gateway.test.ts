import t, { type Test } from 'tap';
import { v4, v7 as uuidv7 } from 'uuid';

import { createLog } from '../../platform/telemetry/telemetry.ts';
import { FakeStripe, type Mishap } from '../../testing/partners/fake-stripe.ts';
import { ResilientGateway } from './resilient-gateway.ts';
import { StripeGateway } from './stripe-gateway.ts';

const KEY = 'sk_test_abcdef0123456789';
const HOUR_MS = 3_600_000;
const CREATE = 'POST /v1/payment_intents';

/** The gateway as in the service, with short pauses, and its log. */
async function open(t: Test) {
  const stripe = await FakeStripe.open(t);
  let lines = '';
  const log = createLog({ level: 'trace', to: { write: (line: string) => void (lines += line) } });
  const bare = new StripeGateway(KEY, log, stripe.where);
  return { stripe, bare, gateway: new ResilientGateway(bare, log, { firstPauseMs: 1 }), logged: () => lines };
}

const order = (cardToken = 'pm_visa', other: object = {}) => ({
  attemptId: uuidv7(),
  amount: 22_800,
  currency: 'EUR',
  cardToken,
  ...other,
});

t.test('a charge is one confirmed payment under the id of its attempt, at the pinned version', async (t) => {
  const { stripe, gateway } = await open(t);
  const request = order();
  const charge = await gateway.charge(request);
  const [intent] = stripe.intents.values();
  t.strictSame(charge, { outcome: 'CHARGED', transactionId: intent!.id, processedAt: intent!.created * 1_000 });
  const [{ form, key, headers }] = stripe.asked as [FakeStripe['asked'][number]];
  t.equal(key, request.attemptId);
  t.match(Object.fromEntries(form), {
    amount: '22800',
    currency: 'eur',
    confirm: 'true',
    payment_method: 'pm_visa',
    error_on_requires_action: 'true',
    'metadata[attemptId]': request.attemptId,
  });
  t.match(headers, { 'stripe-version': '2026-10-28.endive', authorization: `Bearer ${KEY}` });
  await gateway.charge(order());
  for (const { headers } of stripe.asked) t.notOk('x-stripe-client-telemetry' in headers);
});

t.test('whatever gets lost on the way, the card is charged once and its charge is answered', async (t) => {
  const mishaps: Mishap[][] = [
    ['LOST'],
    ['RESET'],
    ['LOST', 'RESET'],
    [{ status: 429 }, 'LOST'],
    [{ status: 409, code: 'idempotency_key_in_use' }],
  ];
  for (const some of mishaps) {
    const { stripe, gateway } = await open(t);
    stripe.mishaps.push(...some);
    const request = order();
    const charge = await gateway.charge(request);
    t.match(charge, { outcome: 'CHARGED', transactionId: 'pi_1' }, JSON.stringify(some));
    t.equal(stripe.intents.size, 1);
    t.equal(stripe.count(CREATE), some.length + 1);
    t.strictSame(await gateway.find(request.attemptId), charge);
  }
});

t.test('an unknown outcome is PARTNER_UNAVAILABLE, and is found later', async (t) => {
  for (const [mishap, charged] of [
    ['LOST', true],
    ['RESET', false],
    [{ status: 500 }, false],
    [{ status: 401 }, false],
    [{ status: 302 }, false],
  ] as const) {
    const { stripe, gateway } = await open(t);
    stripe.mishaps.push(mishap, mishap, mishap);
    const request = order();
    await t.rejects(gateway.charge(request), { name: 'DomainError', code: 'PARTNER_UNAVAILABLE' });
    t.equal(stripe.count(CREATE), 3, 'it was tried, and not for ever');
    const found = await gateway.find(request.attemptId);
    t.equal(found?.outcome, charged ? 'CHARGED' : undefined, JSON.stringify(mishap));
  }
});

t.test('a provider that is silent is given up, and so is one that is not there', async (t) => {
  const { stripe, bare, gateway } = await open(t);
  stripe.mishaps.push('HANG', 'HANG', 'HANG');
  const log = createLog({ level: 'silent' });
  const hasty = new ResilientGateway(bare, log, { tryMs: 20, firstPauseMs: 1 });
  await t.rejects(hasty.charge(order()), { code: 'PARTNER_UNAVAILABLE', message: /in time/ });
  stripe.close();
  await t.rejects(gateway.charge(order()), { code: 'PARTNER_UNAVAILABLE' });
});

t.test('a declined card is an answer: it is not retried, and stays declined', async (t) => {
  const { stripe, gateway } = await open(t);
  const request = order('pm_declined');
  const declined = { outcome: 'DECLINED', reason: 'insufficient funds' } as const;
  t.strictSame(await gateway.charge(request), declined);
  t.equal(stripe.asked.length, 1);
  t.strictSame(await gateway.charge(request), declined);
  t.strictSame(await gateway.find(request.attemptId), declined);
  t.equal([...stripe.intents.values()][0]?.status, 'canceled', 'nobody can charge it later');
});

t.test('a charge names the card by its last digits, and is no less charged where they are not said', async (t) => {
  const { stripe, gateway } = await open(t);
  stripe.last4 = '4242';
  t.match(await gateway.charge(order()), { outcome: 'CHARGED', cardLast4: '4242' });
  stripe.mishaps.push(undefined, { status: 500 });
  const unnamed = await gateway.charge(order());
  t.match(unnamed, { outcome: 'CHARGED' });
  t.notOk('cardLast4' in unnamed);
});

t.test('a payment that waits for an action is cancelled and declined', async (t) => {
  for (const [card, reason] of [
    ['pm_action', /confirmation/],
    ['pm_capture', /refused/],
  ] as const) {
    const { stripe, gateway } = await open(t);
    const request = order(card);
    t.match(await gateway.charge(request), { outcome: 'DECLINED', reason });
    t.equal(stripe.intents.get('pi_1')?.status, 'canceled');
    t.match(await gateway.find(request.attemptId), { outcome: 'DECLINED' });
  }
});

t.test('a payment that is under way has no outcome yet, and the one it comes to counts', async (t) => {
  const { stripe, gateway } = await open(t);
  const request = order('pm_processing');
  await t.rejects(gateway.charge(request), { code: 'PARTNER_UNAVAILABLE' });
  for (let n = 0; n < 6; n++) await t.rejects(gateway.find(request.attemptId), { message: /still at work/ });
  t.equal(stripe.count('POST /v1/payment_intents/pi_1/cancel'), 0);
  t.match(await gateway.health.check(), { status: 'UP' }, 'that is an answer');
  stripe.intents.get('pi_1')!.status = 'succeeded';
  t.match(await gateway.charge(request), { outcome: 'CHARGED' }, 'though the idempotency record says otherwise');
  t.match(await gateway.find(request.attemptId), { outcome: 'CHARGED' });
  t.equal(stripe.intents.size, 1);
});

t.test('an error of a payment that was begun does not count as a decline of its card', async (t) => {
  for (const mishap of [{ status: 400 }, { status: 404, code: 'resource_missing' }]) {
    const { stripe, gateway } = await open(t);
    const request = order('pm_action');
    stripe.mishaps.push(undefined, mishap);
    await t.rejects(gateway.charge(request), { code: 'INTERNAL' });
    stripe.intents.get('pi_1')!.status = 'succeeded';
    t.match(await gateway.find(request.attemptId), { outcome: 'CHARGED' });
  }
});

t.test('a payment that succeeds while it is being cancelled is a charge', async (t) => {
  const { stripe, bare } = await open(t);
  const request = order('pm_declined');
  await bare.charge(request);
  const intent = stripe.intents.get('pi_1')!;
  let reads = 0;
  Object.defineProperty(intent, 'status', {
    enumerable: true,
    get: () => (reads++ === 0 ? 'requires_confirmation' : 'succeeded'),
  });
  stripe.indexed = false;
  t.match(await bare.find(request.attemptId), { outcome: 'CHARGED' });
});

t.test('a charge that the index does not know yet is found among all of its time', async (t) => {
  const { stripe, gateway } = await open(t);
  stripe.indexed = false;
  stripe.crowd(150);
  const request = order();
  const charge = await gateway.charge(request);
  stripe.crowd(150);
  t.strictSame(await gateway.find(request.attemptId), charge);
  t.equal(await gateway.find(uuidv7()), undefined, 'what was never sent is not there');
  stripe.ahead = 100;
  const late = order();
  t.strictSame(await gateway.charge(late), await gateway.find(late.attemptId), 'clocks may differ');
});

t.test('among too many to look through it is unknown, never absent, until the index is beyond doubt', async (t) => {
  const { stripe, bare } = await open(t);
  stripe.indexed = false;
  const request = order();
  await bare.charge(request);
  stripe.crowd(1_001);
  await t.rejects(bare.find(request.attemptId), { code: 'PARTNER_UNAVAILABLE' });
  t.equal(await bare.find(uuidv7({ msecs: Date.now() - 25 * HOUR_MS })), undefined);
  await t.rejects(bare.find(v4()), { code: 'INTERNAL' }, 'an id without a time cannot be looked for');
});

t.test('a refund is given once, though its answer is lost, and though a day has passed', async (t) => {
  const { stripe, gateway } = await open(t);
  const { attemptId, ...rest } = order();
  await gateway.charge({ attemptId, ...rest });
  const refund = { refundId: `refund-${attemptId}`, attemptId, amount: 5_000, currency: 'EUR' };
  // Search, payment and refunds are read first.
  stripe.mishaps.push(undefined, undefined, undefined, 'LOST');
  const first = await gateway.refund(refund);
  t.match(first, { transactionId: 're_1', processedAt: stripe.refunds[0]!.created * 1_000 });
  stripe.forgetKeys();
  t.strictSame(await gateway.refund(refund), first);
  t.strictSame(
    stripe.refunds.map(({ amount, payment_intent: of }) => [amount, of]),
    [[5_000, 'pi_1']],
  );
  await gateway.refund({ ...refund, refundId: 'another' });
  t.equal(stripe.refunds.length, 2);
});

t.test('a refund that cannot be given stays open, and does not close the provider to others', async (t) => {
  const { stripe, gateway } = await open(t);
  const refund = { refundId: 'r', attemptId: uuidv7(), amount: 100, currency: 'EUR' };
  for (let n = 0; n < 6; n++) await t.rejects(gateway.refund(refund), { code: 'INTERNAL' });
  const request = order();
  t.match(await gateway.charge(request), { outcome: 'CHARGED' });
  stripe.refundStatus = 'failed';
  await t.rejects(gateway.refund({ ...refund, attemptId: request.attemptId }), { code: 'INTERNAL' });
  t.match(await gateway.health.check(), { status: 'UP' });
});

t.test('amounts are in the units that the provider counts', async (t) => {
  const { stripe, gateway } = await open(t);
  for (const currency of ['USD', 'JPY', 'ISK']) await gateway.charge(order('pm_visa', { amount: 123_450, currency }));
  t.strictSame(
    [...stripe.intents.values()].map(({ amount, currency }) => [amount, currency]),
    [
      [123_450, 'usd'],
      [1_235, 'jpy'],
      [123_500, 'isk'],
    ],
  );
});

t.test('neither card tokens nor keys are in errors, reasons and log lines', async (t) => {
  const { stripe, gateway, logged } = await open(t);
  let told = '';
  const tell = async (call: Promise<unknown>): Promise<void> => {
    const end = await call.catch((error: Error) => [error.message, error.stack, error.cause, Object.entries(error)]);
    told += JSON.stringify(end);
  };
  for (const card of ['pm_unknown', 'tok_stolen', 'pm_declined', 'src_old', 'weird', ''])
    await tell(gateway.charge(order(card)));
  t.match(told, /does not know the card token/);
  t.match(told, /insufficient funds/);
  for (const status of [400, 401, 404, 500]) {
    stripe.mishaps.push(...[1, 2, 3].map(() => ({ status, code: 'token_in_use', message: 'tok_visa sk_test_1' })));
    await tell(gateway.charge(order('tok_visa')));
    stripe.mishaps.length = 0;
  }
  stripe.close();
  await tell(gateway.charge(order('pm_visa')));
  t.ok(logged().split('\n').length > 8, 'there were lines');
  for (const text of [told, logged()]) t.notMatch(text, /\b(pm|tok|src|sk)_|weird|abcdef|Bearer/);
  t.match(logged(), '"stripeRequest":"req_1"');
});

t.test('a card that is taken as a guarantee is charged later as that of its customer', async (t) => {
  const { stripe, gateway, logged } = await open(t);
  const taken = await gateway.takeCard({ requestId: uuidv7(), cardToken: 'tok_visa' });
  t.match(taken, { outcome: 'TAKEN', cardToken: /^cus_\d+\npm_visa$/ });
  t.equal(stripe.intents.size, 0, 'nothing is charged');
  const { cardToken } = taken as { cardToken: string };
  t.match(await gateway.charge(order(cardToken)), { outcome: 'CHARGED' });
  const { form } = stripe.asked.at(-1)!;
  t.match(Object.fromEntries(form), { customer: /^cus_/, payment_method: 'pm_visa', off_session: 'true' });
  for (const card of ['pm_declined', 'pm_action'])
    t.match(await gateway.takeCard({ requestId: uuidv7(), cardToken: card }), { outcome: 'DECLINED' }, card);
  stripe.mishaps.push('RESET', 'RESET', 'RESET');
  await t.rejects(gateway.takeCard({ requestId: uuidv7(), cardToken: 'pm_visa' }), { code: 'PARTNER_UNAVAILABLE' });
  t.notMatch(logged(), /pm_visa/);
});
