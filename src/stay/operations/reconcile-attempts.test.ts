import t from 'tap';

import { paymentBody } from '../../money/contracts/payments.ts';
import { takePayment } from '../../money/operations/take-payment.ts';
import { CALLER, TestFrontDesk } from '../../testing/front-desk.ts';
import { bookCommand, PROPERTY_ID } from '../../testing/property-world.ts';
import { reconcileAttempts } from './reconcile-attempts.ts';

const CARD = paymentBody.parse({ method: 'CREDIT_CARD', cardToken: 'tok_visa' });

async function waiting(t: Parameters<typeof TestFrontDesk.open>[0]) {
  const desk = await TestFrontDesk.open(t);
  const { result } = await desk.running.send(bookCommand());
  const { id } = result.reservation;
  const read = async () => (await desk.services.reservations.get(PROPERTY_ID.tenantId, id))!.reservation;
  const pay = () => takePayment(desk.services, CALLER, id, CARD);
  return { desk, id, read, pay };
}

t.test('a payment that was cut off after the charge ends charged once and confirmed', async (t) => {
  const { desk, read, pay } = await waiting(t);
  desk.gateway.after = () => Promise.reject(new Error('the process is gone'));
  await t.rejects(pay());
  t.match(await read(), { status: 'PENDING', paid: 0 });
  desk.gateway.after = async () => {};
  await reconcileAttempts(desk.services);
  t.match(await read(), { status: 'PENDING' }, 'it may be on its way still');
  desk.running.clock.pass(16_000);
  for (let n = 0; n < 2; n++) await reconcileAttempts(desk.services);
  const done = await read();
  t.match(done, { status: 'CONFIRMED', paid: done.payments.at(-1)!.amount });
  t.equal(desk.gateway.charges.size, 1);
});

t.test('an attempt that never reached the provider is not paid, and can be tried again', async (t) => {
  const { desk, read, pay } = await waiting(t);
  desk.gateway.before = () => Promise.reject(new Error('the process is gone'));
  await t.rejects(pay());
  desk.running.clock.pass(16_000);
  await reconcileAttempts(desk.services);
  t.match((await read()).payments.at(-1), { status: 'PROCESSING' }, 'it may reach it yet');
  desk.running.clock.pass(110_000);
  await reconcileAttempts(desk.services);
  const failed = await read();
  t.match(failed.payments.at(-1), { status: 'FAILED' });
  t.match(failed.timeline.at(-1), { event: 'PAYMENT_FAILED' });
  desk.gateway.before = async () => {};
  t.match((await pay()).result.reservation, { status: 'CONFIRMED' });
});

t.test('a declined card is reported, and nothing is paid', async (t) => {
  const { desk, id, read } = await waiting(t);
  const declined = paymentBody.parse({ method: 'CREDIT_CARD', cardToken: 'tok_declined' });
  await t.rejects(takePayment(desk.services, CALLER, id, declined), { code: 'PAYMENT_DECLINED' });
  t.match(await read(), { status: 'PENDING', paid: 0 });
  const none = paymentBody.parse({ method: 'CARD_ON_FILE' });
  await t.rejects(takePayment(desk.services, CALLER, id, none), { code: 'PAYMENT_METHOD_REQUIRED' });
  const cash = await takePayment(desk.services, CALLER, id, paymentBody.parse({ method: 'CASH' }));
  t.match(cash.result, { reservation: { status: 'CONFIRMED' }, payment: { method: 'CASH', status: 'COMPLETED' } });
});
