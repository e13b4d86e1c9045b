import t, { type Test } from 'tap';

import { createLog } from '../../platform/telemetry/telemetry.ts';
import { cancelReservation } from '../../stay/operations/cancel-reservation.ts';
import { createReservation } from '../../stay/operations/create-reservation.ts';
import { reconcilePayments } from '../../stay/operations/reconcile-payments.ts';
import { errorOf } from '../../testing/actors/running-host.ts';
import { CALLER, TestFrontDesk, wish } from '../../testing/front-desk.ts';
import { FakeStripe } from '../../testing/partners/fake-stripe.ts';
import { PROPERTY_ID } from '../../testing/property-world.ts';
import { sendRefunds } from '../operations/send-refunds.ts';
import { ResilientGateway } from './resilient-gateway.ts';
import { StripeGateway } from './stripe-gateway.ts';

const CHARGES = 'POST /v1/payment_intents';

async function open(t: Test) {
  const stripe = await FakeStripe.open(t);
  const desk = await TestFrontDesk.open(t);
  const log = createLog({ level: 'silent' });
  const bare = new StripeGateway('sk_test_1', log, stripe.where);
  desk.services.payments = new ResilientGateway(bare, log, { firstPauseMs: 1 });
  const create = (card: string, key?: TestFrontDesk['key']) =>
    createReservation(desk.services, CALLER, wish(card), key);
  return { stripe, desk, create };
}

const LOST = ['LOST', 'LOST', 'LOST'] as const;

t.test('a booking whose charge got no answer is confirmed under its key, charged once', async (t) => {
  const { stripe, desk, create } = await open(t);
  stripe.mishaps.push(...LOST);
  t.equal(await errorOf(create('pm_visa', desk.key)), 'PARTNER_UNAVAILABLE');
  t.same(await desk.rooms(), { booked: 0, held: 1 });
  const { result } = await create('pm_visa', desk.key);
  t.match(result.reservation, { status: 'CONFIRMED', payments: [{ transactionId: 'pi_1' }] });
  t.equal(stripe.intents.size, 1);
});

t.test('after a crash the reconciler confirms it, though the index does not know the charge yet', async (t) => {
  const { stripe, desk, create } = await open(t);
  stripe.indexed = false;
  stripe.mishaps.push(...LOST);
  t.equal(await errorOf(create('pm_visa', desk.key)), 'PARTNER_UNAVAILABLE');
  desk.running.crash();
  desk.running.clock.pass(15_001);
  await reconcilePayments(desk.services);
  t.same(await desk.rooms(), { booked: 1, held: 0 });
  t.equal(stripe.count(CHARGES), 3);
  t.equal(stripe.refunds.length, 0);
});

t.test('without a key the money goes back, once, though the first answers get lost', async (t) => {
  const { stripe, desk, create } = await open(t);
  stripe.mishaps.push(...LOST);
  t.equal(await errorOf(create('pm_visa')), 'PARTNER_UNAVAILABLE');
  desk.running.clock.pass(15_001);
  // The charge is found, found again for the refund, which does not exist yet; then the answer to the refund is lost.
  stripe.mishaps.push(...Array.from({ length: 5 }, () => undefined), 'LOST');
  await reconcilePayments(desk.services);
  await reconcilePayments(desk.services);
  t.match(stripe.refunds, [{ amount: 22_800, payment_intent: 'pi_1' }]);
  t.equal(stripe.refunds.length, 1);
  t.same(await desk.rooms(), { booked: 0, held: 0 });
});

t.test(
  'a declined card frees the rooms; a payment that never reached the provider is given up with its hold',
  async (t) => {
    const { stripe, desk, create } = await open(t);
    await t.rejects(create('pm_declined', desk.key), { code: 'PAYMENT_DECLINED', message: /insufficient funds/ });
    t.same(await desk.rooms(), { booked: 0, held: 0 });
    stripe.mishaps.push('RESET', 'RESET', 'RESET');
    t.equal(await errorOf(create('pm_visa')), 'PARTNER_UNAVAILABLE');
    desk.running.clock.pass(135_101);
    await desk.running.host.catchUp();
    await reconcilePayments(desk.services);
    t.same(await desk.rooms(), { booked: 0, held: 0 });
    t.equal(desk.running.store.properties.get('acme:anchor')!.holds.size, 0);
  },
);

t.test('the refund of a cancelled booking reaches the provider once', async (t) => {
  const { stripe, desk, create } = await open(t);
  const { id } = (await create('pm_visa')).result.reservation;
  const body = { reason: 'GUEST_REQUEST' as const, refundRequested: true };
  await cancelReservation(desk.services, CALLER, id, body, {});
  await sendRefunds(desk.services, PROPERTY_ID, id);
  await sendRefunds(desk.services, PROPERTY_ID, id);
  t.same(
    stripe.refunds.map(({ amount }) => amount),
    [22_800],
  );
});
