import t, { type Test } from 'tap';

import { cancelBody, checkOutBody } from '../../stay/contracts/reservations.ts';
import { cancelReservation } from '../../stay/operations/cancel-reservation.ts';
import { checkOut } from '../../stay/operations/check-out.ts';
import { reconcileAttempts } from '../../stay/operations/reconcile-attempts.ts';
import { errorOf } from '../../testing/actors/running-host.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { CALLER, TestFrontDesk } from '../../testing/front-desk.ts';
import {
  bookCommand,
  checkInCommand,
  DAY,
  freshId,
  plan,
  PROPERTY_ID,
  plainRoom,
} from '../../testing/property-world.ts';
import { paymentBody } from '../contracts/payments.ts';
import { payOutRefund } from './pay-out-refund.ts';
import { repeatRefunds } from './send-refunds.ts';
import { takePayment } from './take-payment.ts';

const TOTAL = 2 * 11_400;
const newKey = () => ({ key: freshId(), fingerprint: 'body' });

/** A reservation that waits for its payment. */
async function waiting(t: Test, booking: Parameters<typeof bookCommand>[0] = {}) {
  const desk = await TestFrontDesk.open(t);
  const { id } = (await desk.running.send(bookCommand(booking))).result.reservation;
  const read = async () => (await desk.services.reservations.get(PROPERTY_ID.tenantId, id))!.reservation;
  const pay = (body: unknown, key?: ReturnType<typeof newKey>) =>
    takePayment(desk.services, CALLER, id, paymentBody.parse(body), { key });
  return { desk, id, read, pay };
}

/** A guest in house with a card on file, on the departure day. */
async function leaving(t: Test, cardToken: string) {
  const world = await waiting(t, { stay: { checkIn: DAY, checkOut: DAY + 2 } });
  const { desk, id, pay } = world;
  await pay({ method: 'CASH' });
  await desk.running.send({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  await desk.running.send(checkInCommand(id));
  const row = desk.running.store.reservations.get(id)!;
  const card = desk.services.sealed.seal(cardToken, id);
  desk.running.store.reservations.set(id, {
    ...row,
    reservation: { ...row.reservation, billing: { method: 'CREDIT_CARD', card } },
  });
  desk.running.crash();
  const bar = checkOutBody.parse({ finalCharges: [{ description: 'Bar', amount: 500 }] });
  const leave = (key?: ReturnType<typeof newKey>) => checkOut(desk.services, CALLER, id, bar, { key });
  return { ...world, leave };
}

t.test('money of another currency is counted by the rate of the day, cash and transfers only', async (t) => {
  const { desk, read, pay } = await waiting(t);
  const rate = { currency: 'USD', baseCurrency: 'EUR', rate: 0.92, date: DAY, setBy: 'u', updatedAt: 1 };
  let rates = [rate];
  Object.assign(desk.services, { exchangeRates: { list: async () => rates } });
  const usd = { method: 'CASH', currency: 'USD', amount: 100 };
  const refused = async (body: object, code: string): Promise<void> => void t.equal(await errorOf(pay(body)), code);
  await refused({ ...usd, method: 'CREDIT_CARD', cardToken: 'tok_visa' }, 'CURRENCY_MISMATCH');
  await refused({ ...usd, method: 'INVOICE' }, 'CURRENCY_MISMATCH');
  await refused({ ...usd, amount: undefined }, 'VALIDATION_FAILED');
  await refused({ ...usd, currency: 'CHF' }, 'CURRENCY_MISMATCH');
  await refused({ ...usd, currency: 'JPY', amount: 0.5 }, 'VALIDATION_FAILED');
  rates = [{ ...rate, date: DAY - 2 }];
  await refused(usd, 'CURRENCY_MISMATCH');
  rates = [{ ...rate, date: DAY - 1 }];
  const key = newKey();
  const first = await pay(usd, key);
  const tendered = { amount: 10_000, currency: 'USD', rate: 0.92, rateDate: DAY - 1 };
  t.match(first.result.payment, { amount: 9_200, status: 'COMPLETED', tendered });
  rates = [];
  t.match(await pay(usd, key), { replayed: true, result: first.result }, 'a repeat needs no rate');
  await pay({ method: 'CASH', currency: 'EUR', amount: 1 });
  t.notOk((await read()).payments.at(-1)!.tendered, 'in its own currency');
  rates = [rate];
  t.match((await pay({ ...usd, amount: 200 })).result.payment, { amount: 13_500, tendered: { change: 4_900 } });
  t.match(await read(), { paid: TOTAL, status: 'CONFIRMED' });
});

const LOST = { method: 'CREDIT_CARD', cardToken: 'tok_timeout' };

t.test('a refund that the provider rejects waits to be paid out by hand', async (t) => {
  const { desk, id, read, pay } = await waiting(t);
  await pay({ method: 'CREDIT_CARD', cardToken: 'tok_visa' });
  desk.gateway.left.clear();
  await cancelReservation(desk.services, CALLER, id, cancelBody.parse({}), {});
  const refund = async () => (await read()).payments.find(({ type }) => type === 'REFUND')!;
  await untilTime(async () => (await refund()).status === 'PENDING');
  const { paymentId: refundId } = await refund();
  const key = newKey();
  const how = { method: 'CASH' as const, reference: 'till 4' };
  const payOut = () => payOutRefund(desk.services, CALLER, { id, refundId }, how, { key });
  t.match(await payOut(), {
    replayed: false,
    result: { refund: { status: 'COMPLETED', paidOut: { by: 'tester' } } },
  });
  t.match(await payOut(), { replayed: true, result: { refund: { paymentId: refundId } } });
  t.match(await refund(), { status: 'COMPLETED', method: 'CASH', paidOut: { by: 'tester', reference: 'till 4' } });
});

t.test('after a lost answer the same key finds the charge: paid once, with the same answer', async (t) => {
  const { desk, read, pay } = await waiting(t);
  const key = newKey();
  t.equal(await errorOf(pay(LOST, key)), 'PARTNER_UNAVAILABLE');
  t.equal(await errorOf(pay(LOST)), 'INVALID_STATE', 'without it another one would be a second payment');
  const found = await pay(LOST, key);
  t.match(found, { replayed: false, result: { reservation: { status: 'CONFIRMED' }, payment: { amount: TOTAL } } });
  const again = await pay(LOST, key);
  t.match(again, { replayed: true, seq: found.seq });
  t.same(again.result, JSON.parse(JSON.stringify(found.result)));
  t.equal(desk.gateway.charges.size, 1);
  t.equal((await read()).paid, TOTAL);
  t.equal(await errorOf(pay({ ...LOST, amount: 1 }, { ...key, fingerprint: 'other' })), 'IDEMPOTENCY_MISMATCH');
});

t.test('a repeat finds what the reconciler has ended meanwhile', async (t) => {
  const { desk, read, pay } = await waiting(t);
  const key = newKey();
  t.equal(await errorOf(pay(LOST, key)), 'PARTNER_UNAVAILABLE');
  desk.running.clock.pass(16_000);
  await reconcileAttempts(desk.services);
  t.match(await read(), { status: 'CONFIRMED' });
  t.match((await pay(LOST, key)).result, { reservation: { status: 'CONFIRMED' }, payment: { status: 'COMPLETED' } });
  t.equal((await read()).paid, TOTAL);
});

t.test('a key whose attempt never reached the provider begins anew', async (t) => {
  const { desk, read, pay } = await waiting(t);
  const key = newKey();
  const card = { method: 'CREDIT_CARD', cardToken: 'tok_visa' };
  desk.gateway.before = () => Promise.reject(new Error('the process is gone'));
  await t.rejects(pay(card, key));
  desk.gateway.before = async () => {};
  desk.running.clock.pass(121_000);
  await reconcileAttempts(desk.services);
  t.equal(await errorOf(pay(card, key)), 'NOT_EXECUTED');
  t.match((await pay(card, key)).result, { payment: { status: 'COMPLETED' } });
  t.match(
    (await read()).payments.map(({ status }) => status),
    ['CANCELLED', 'FAILED', 'COMPLETED'],
  );
  t.equal(desk.gateway.charges.size, 1);
});

t.test('a key keeps that its card was declined, also when the reconciler has learned it', async (t) => {
  for (const cutOff of [false, true]) {
    const { desk, pay } = await waiting(t);
    const key = newKey();
    const card = { method: 'CREDIT_CARD', cardToken: 'tok_declined' };
    if (cutOff) {
      desk.gateway.after = () => Promise.reject(new Error('the process is gone'));
      await t.rejects(pay(card, key));
      desk.gateway.after = async () => {};
      desk.running.clock.pass(16_000);
      await reconcileAttempts(desk.services);
    }
    t.equal(await errorOf(pay(card, key)), 'PAYMENT_DECLINED');
    await t.rejects(pay(card, key), { code: 'PAYMENT_DECLINED', details: { replayed: true } });
    t.equal(desk.gateway.charges.size, 1);
  }
});

t.test('a payment at the front desk is taken once under its key', async (t) => {
  const { read, pay } = await waiting(t);
  const key = newKey();
  for (const replayed of [false, true]) t.match(await pay({ method: 'CASH', amount: 100 }, key), { replayed });
  t.equal((await read()).paid, 10_000);
});

t.test('the check-out whose charge got no answer is found under its key, with the same answer', async (t) => {
  const { desk, read, leave } = await leaving(t, 'tok_timeout');
  const key = newKey();
  t.equal(await errorOf(leave(key)), 'PARTNER_UNAVAILABLE');
  t.equal(await errorOf(leave()), 'INVALID_STATE', 'without the key it is another one');
  t.match(await read(), { status: 'CHECKED_IN' });
  const found = await leave(key);
  t.match(found.result, { reservation: { status: 'CHECKED_OUT' }, payment: { amount: 38_600 } }, 'a night less');
  const again = await leave(key);
  t.match(again, { replayed: true, seq: found.seq });
  t.same(again.result, JSON.parse(JSON.stringify(found.result)));
  t.equal(desk.gateway.charges.size, 1);
  t.equal(await errorOf(leave()), 'INVALID_STATE');
});

t.test('two repeats of a check-out in one moment charge once', async (t) => {
  const { desk, leave } = await leaving(t, 'tok_visa');
  const key = newKey();
  t.same(await Promise.all([errorOf(leave(key)), errorOf(leave(key))]), ['accepted', 'IDEMPOTENCY_IN_PROGRESS']);
  t.equal(desk.gateway.charges.size, 1);
});

t.test(
  'a refund over two cards and cash goes back to each card once, and the cash is paid out by hand',
  async (t) => {
    const { desk, id, read, pay } = await waiting(t);
    await pay({ method: 'CREDIT_CARD', cardToken: 'tok_visa', amount: 100 });
    await pay({ method: 'CASH', amount: 28 });
    await pay({ method: 'DEBIT_CARD', cardToken: 'tok_other' });
    desk.gateway.down = true;
    await cancelReservation(desk.services, CALLER, id, { reason: 'GUEST_REQUEST', refundRequested: true });
    desk.running.crash();
    desk.gateway.down = false;
    desk.running.clock.pass(31_000);
    for (let round = 0; round < 2; round++) await repeatRefunds(desk.services);
    t.same([...desk.gateway.refunds.values()], [10_000, 10_000]);
    t.same([...desk.gateway.left.values()], [0, 0]);
    const { payments, paid } = await read();
    t.same(
      payments.flatMap(({ type, method, status }) => (type === 'REFUND' ? [`${method} ${status}`] : [])).toSorted(),
      ['CASH PENDING', 'CREDIT_CARD COMPLETED', 'DEBIT_CARD COMPLETED'],
    );
    t.equal(paid, 0);
  },
);

t.test('a refund that the provider rejects delays no other refund', async (t) => {
  const { desk, id, read, pay } = await waiting(t);
  await pay({ method: 'CREDIT_CARD', cardToken: 'tok_visa', amount: 100 });
  await pay({ method: 'DEBIT_CARD', cardToken: 'tok_other' });
  const newest = (await read()).payments.at(-1)!.paymentId;
  desk.gateway.left.delete(newest);
  await cancelReservation(desk.services, CALLER, id, { reason: 'GUEST_REQUEST', refundRequested: true });
  const refund = async (isOfNewest: boolean) =>
    (await read()).payments.find(({ type, chargeId }) => type === 'REFUND' && (chargeId === newest) === isOfNewest);
  await untilTime(async () => (await refund(false))!.status === 'COMPLETED', 'the refund of the other charge');
  t.same([...desk.gateway.refunds.values()], [10_000]);
  t.match(await refund(true), { status: 'PENDING' }, 'which somebody has to pay out by hand');
});

/** A reservation that waits for a card as its guarantee. */
async function waitingForCard(t: Test) {
  const desk = await TestFrontDesk.open(t);
  const sure = plan({ code: 'SURE', guarantee: 'CARD' });
  await desk.running.send({ type: 'PUT_RATE_PLAN', mode: 'create', plan: sure });
  const { id, status } = (await desk.running.send(bookCommand({ stay: { rateCode: 'SURE' } }))).result.reservation;
  t.equal(status, 'PENDING');
  const read = async () => (await desk.services.reservations.get(PROPERTY_ID.tenantId, id))!.reservation;
  const pay = (body: object, key?: ReturnType<typeof newKey>) =>
    takePayment(desk.services, CALLER, id, paymentBody.parse({ method: 'CREDIT_CARD', ...body }), { key });
  return { desk, id, read, pay };
}

t.test(
  'a card without an amount is the guarantee of a reservation that waits for one: nothing is charged',
  async (t) => {
    const { desk, id, read, pay } = await waitingForCard(t);
    t.equal(await errorOf(pay({ cardToken: 'tok_declined' })), 'PAYMENT_DECLINED');
    t.equal((await read()).status, 'PENDING');
    const key = newKey();
    const first = await pay({ cardToken: 'tok_visa' }, key);
    t.match(first.result, {
      reservation: { status: 'CONFIRMED', paid: 0 },
      payment: { amount: 0, status: 'PENDING' },
    });
    t.match(
      (await pay({ cardToken: 'tok_visa' }, key)).result.payment,
      first.result.payment,
      'a repeat changes nothing',
    );
    t.equal(desk.gateway.charges.size, 0);
    const { billing, holdExpiresAt, payments } = await read();
    t.equal(desk.services.sealed.open(billing!.card!, id), 'taken tok_visa');
    t.match([billing!.isCardTaken, holdExpiresAt], [true, undefined]);
    t.same(
      payments.filter(({ status }) => status === 'PENDING' || status === 'PROCESSING'),
      [],
    );
    t.same(await desk.rooms(), { booked: 1, held: 0 });
    desk.running.clock.pass(4 * 86_400_000);
    await cancelReservation(desk.services, CALLER, id, cancelBody.parse({ reason: 'GUEST_REQUEST' }));
    await untilTime(async () => (await read()).paid === 11_400, 'the penalty');
  },
);

t.test('with an amount it pays, and a card that comes too late guarantees nothing', async (t) => {
  const paying = await waitingForCard(t);
  await paying.pay({ cardToken: 'tok_visa', amount: TOTAL / 100 });
  t.match(await paying.read(), { status: 'CONFIRMED', paid: TOTAL });
  const late = await waitingForCard(t);
  late.desk.running.clock.pass(86_400_000);
  t.equal(await errorOf(late.pay({ cardToken: 'tok_visa' })), 'INVALID_STATE');
  t.equal(late.desk.gateway.charges.size, 0);
});
