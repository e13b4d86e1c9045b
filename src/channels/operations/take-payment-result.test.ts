import t from 'tap';

import { TestFrontDesk } from '../../testing/front-desk.ts';
import { bookCommand, freshId, PROPERTY_ID } from '../../testing/property-world.ts';
import { paymentRecord } from '../../testing/taken-events.ts';
import { takePaymentResult } from './take-payment-result.ts';

async function waiting(t: Parameters<typeof TestFrontDesk.open>[0]) {
  const { services, running } = await TestFrontDesk.open(t);
  const { id, payments } = (await running.send(bookCommand())).result.reservation;
  const now = async () => (await services.reservations.get(PROPERTY_ID.tenantId, id))!.reservation;
  const take = (fields = {}) => takePaymentResult(services, paymentRecord(payments[0]!.paymentId, fields));
  return { id, now, take };
}

t.test('a payment that came confirms, once', async (t) => {
  const { take, now } = await waiting(t);
  const event = { eventId: freshId() };
  t.same(await take({ ...event, status: 'PENDING' }), { effect: 'none' });
  t.same(await take(event), { effect: 'taken' });
  t.match(await now(), { status: 'CONFIRMED', paid: 22_800 });
  t.same(await take(event), { effect: 'none' });
  t.same(await take(), { effect: 'none' }, 'nor under another id');
});

t.test('a failed payment is recorded once for each event', async (t) => {
  const { take, now } = await waiting(t);
  const failed = { eventId: freshId(), status: 'FAILED' };
  t.same(await take(failed), { effect: 'taken' });
  t.same(await take(failed), { effect: 'none' });
  t.same(
    (await now()).timeline.map(({ event }) => event),
    ['CREATED', 'PAYMENT_FAILED'],
  );
});

t.test('what the card issuer took back is told once, whatever the id of the event', async (t) => {
  const { take, now } = await waiting(t);
  await t.rejects(take({ status: 'CHARGEBACK' }), { name: 'InvalidRecord', reason: 'REFUSED' }, 'nobody has paid');
  await take();
  const event = { eventId: freshId(), status: 'CHARGEBACK', amount: '100.00' };
  t.same(await take(event), { effect: 'taken' });
  t.match(await now(), { status: 'CONFIRMED', paid: 12_800 });
  t.same(await take(event), { effect: 'none' });
  t.same(await take({ ...event, eventId: freshId() }), { effect: 'none' }, 'the same is reported again');
  t.same(await take({ ...event, eventId: freshId(), amount: '228.00' }), { effect: 'taken' }, 'now all of it');
  t.match(await now(), { paid: 0 });
  const { timeline, payments } = await now();
  t.match(timeline.at(-1), { event: 'PAYMENT_FAILED', by: 'kafka', notes: /Charged back: 128\.00 EUR/ });
  t.same(payments.map(({ type, amount }) => [type, amount]).slice(1), [
    ['REFUND', 10_000],
    ['REFUND', 12_800],
  ]);
  await t.rejects(take({ ...event, eventId: freshId(), currency: 'USD' }), {
    name: 'InvalidRecord',
    reason: 'CURRENCY_MISMATCH',
  });
  await t.rejects(take({ ...event, paymentId: freshId() }), { name: 'InvalidRecord', reason: 'UNKNOWN_PAYMENT' });
});

t.test('what the card issuer has returned is told once, whatever the id of the event', async (t) => {
  const { take, now } = await waiting(t);
  await take();
  const event = { eventId: freshId(), status: 'CHARGEBACK_WON', amount: '100.00' };
  await t.rejects(take(event), { name: 'InvalidRecord', reason: 'REFUSED' }, 'nothing was charged back');
  await take({ status: 'CHARGEBACK', amount: '100.00' });
  t.same(await take({ ...event, eventId: freshId() }), { effect: 'taken' });
  t.same(await take({ ...event, eventId: freshId() }), { effect: 'none' }, 'the same is reported again');
  t.match(await now(), { paid: 22_800 });
});

t.test('a result for no payment of the tenant becomes a dead letter with its reason', async (t) => {
  const { take, id } = await waiting(t);
  const refused = async (fields: Record<string, unknown>, reason: string): Promise<void> =>
    void (await t.rejects(take(fields), { name: 'InvalidRecord', reason }));
  await refused({ paymentId: freshId() }, 'UNKNOWN_PAYMENT');
  await refused({ reservationId: freshId() }, 'UNKNOWN_PAYMENT');
  await refused({ tenantId: 'rival' }, 'UNKNOWN_PAYMENT');
  await refused({ tenantId: null }, 'NO_TENANT');
  await refused({ currency: 'USD' }, 'CURRENCY_MISMATCH');
  await refused({ amount: 'much' }, 'MALFORMED');
  await refused({ amount: '-1.00' }, 'MALFORMED');
  await refused({ status: 'MAYBE' }, 'MALFORMED');
  await refused({ eventId: '' }, 'MALFORMED');
  t.same(await take({ reservationId: id.toUpperCase() }), { effect: 'taken' });
});
