import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Cancelled } from '../shapes.ts';
import { until } from '../waiting.ts';

/** Hold, pay, confirm: with the simulated cards of docs/reference/reservations.md#simulated-cards. */
export async function payments(group: Test, service: Service): Promise<void> {
  await group.test('a declined card is refused, leaves the rooms free and stores nothing', async (t) => {
    const property = await BlackboxProperty.open(service);
    isProblem(t, await property.book({ card: 'tok_declined' }), 422, { code: 'PAYMENT_DECLINED' });
    t.same(await property.left(30, 2), [3, 3]);
    t.same(await property.reservations(), []);
    await addsUp(t, property, 28, 6);
  });
  await group.test(
    'a charge whose answer was lost is found again under the same key: one booking, one payment',
    async (t) => {
      const property = await BlackboxProperty.open(service, { rooms: { DLX: 2 } });
      const headers = { 'idempotency-key': randomUUID() };
      const body = property.wish({ card: 'tok_timeout' });
      const lost = await service.reservations('POST', '', { body, headers });
      isProblem(t, lost, 503);
      t.match(lost.json, { code: /^(PARTNER_UNAVAILABLE|OUTCOME_UNKNOWN)$/, retryable: true });
      const found = await service.reservations('POST', '', { body, headers });
      t.equal(found.status, 201, found.text.slice(0, 300));
      const again = await service.reservations('POST', '', { body, headers });
      t.equal(again.headers['idempotency-replayed'], 'true');
      t.equal(again.text, found.text);
      const stored = await property.reservations();
      t.equal(stored.length, 1);
      const read = await property.read(stored[0]?.reservationId ?? '');
      t.equal(read.json.financial.paymentDetails?.length, 1, 'one payment');
      t.match(read.json.financial.paymentDetails, [{ gatewayName: 'simulator' }]);
      t.match(read.json, { status: 'CONFIRMED', financial: { paymentStatus: 'PAID' } });
      t.same(await property.left(30, 2), [1, 1]);
      await addsUp(t, property, 28, 6);
    },
  );
  await group.test('a slow card holds its room while others book on', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 2 } });
    const slow = property.book({ card: 'tok_slow' });
    await until('the room is held', 60_000, async () => ((await property.left(30))[0] === 1 ? true : undefined));
    const others = await Promise.all([property.book(), property.book(), property.book()]);
    t.equal(others.filter(({ status }) => status === 201).length, 1, 'the room that is being paid is not sold twice');
    t.equal((await slow).status, 201);
    t.same(await property.left(30, 2), [0, 0]);
  });
  await group.test('a create without payment is PENDING and holds its room until a given time', async (t) => {
    const property = await BlackboxProperty.open(service);
    const answer = await property.book({ card: null });
    t.equal(answer.status, 201);
    t.match(answer.json, {
      status: 'PENDING',
      holdExpiresAt: /^\d{4}-\d\d-\d\dT/,
      financial: { paymentStatus: 'UNPAID' },
    });
    t.match(answer.json.financial.paymentDetails, [{ amount: 200, method: null, status: 'PENDING' }]);
    const [cell] = await property.cells(30, 1, 'DLX');
    t.match(cell, { heldRooms: 1, bookedRooms: 0, availableRooms: 2 });
    await addsUp(t, property, 28, 6);
    const cash = await property.book({ card: null, more: { paymentDetails: { method: 'CASH' } } });
    t.equal(cash.json.status, 'PENDING');
    const gone = await service.reservations('DELETE', `/${answer.json.reservationId}`);
    t.equal(gone.status, 200, 'a PENDING reservation may be cancelled');
    t.match((await property.cells(30, 1, 'DLX'))[0], { heldRooms: 1, availableRooms: 2 });
  });
  await group.test('a refund of cash is listed until somebody has paid it out, once', (t) => paidOut(t, service));
  await group.test('a card that has paid for a booking stays on file for what comes later', async (t) => {
    const property = await BlackboxProperty.open(service, { policies: { depositPercent: 50 } });
    const { json } = await property.book({ card: null });
    const pay = (body: object) => service.reservations('POST', `/${json.reservationId}/payments`, { body });
    isProblem(t, await pay({ method: 'CARD_ON_FILE' }), 422, { code: 'PAYMENT_METHOD_REQUIRED' });
    t.equal((await pay({ method: 'CREDIT_CARD', cardToken: 'tok_visa', amount: 100 })).status, 201);
    t.equal((await pay({ method: 'CARD_ON_FILE' })).status, 201);
    const paid = (await property.read(json.reservationId)).json;
    t.match(paid, { financial: { paymentStatus: 'PAID', balanceDue: 0 } });
    const known = { gatewayName: 'simulator' };
    t.match(paid.financial.paymentDetails, [{ status: 'CANCELLED' }, known, known], 'nothing of what was awaited');
    must(await service.reservations('DELETE', `/${json.reservationId}`), 200);
    const back = await until('the refunds are given', 30_000, async () => {
      const refunds = (await property.read(json.reservationId)).json.financial.paymentDetails?.slice(3) ?? [];
      return refunds.length > 0 && refunds.every(({ status }) => status === 'COMPLETED') ? refunds : undefined;
    });
    t.match(
      back,
      back.map(() => known),
      'it has given them',
    );
  });
  await group.test('where a property requires no payment the booking is confirmed unpaid', async (t) => {
    const property = await BlackboxProperty.open(service, { policies: { paymentRequired: false } });
    const { json } = await property.book({ card: null });
    t.match(json, { status: 'CONFIRMED', financial: { paymentStatus: 'UNPAID' } });
    await addsUp(t, property, 28, 6);
  });
}

async function paidOut(t: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const { json: booked } = await property.book({ card: null });
  const at = `/${booked.reservationId}`;
  t.equal((await service.reservations('POST', `${at}/payments`, { body: { method: 'CASH' } })).status, 201);
  const cancelled = await service.reservations<Cancelled>('DELETE', at);
  const { refundId } = cancelled.json.refund;
  const open = async (): Promise<unknown[]> =>
    (await service.reservations<{ items: unknown[] }>('GET', `/refunds?propertyId=${property.propertyId}`)).json
      .items;
  const { confirmationNumber } = booked;
  const known = {
    refundId,
    reservationId: booked.reservationId,
    confirmationNumber,
    propertyId: property.propertyId,
  };
  t.match(await open(), [{ ...known, amount: 200, method: 'CASH', status: 'PENDING', orderedAt: /^\d{4}-/ }]);
  const headers = { 'idempotency-key': randomUUID() };
  const body = { method: 'BANK_TRANSFER', reference: 'SEPA 17', paidBy: 'cashier' };
  const payOut = (options: CallOptions) =>
    service.reservations<Record<string, unknown>>('POST', `${at}/refunds/${refundId}/pay-out`, options);
  isProblem(t, await payOut({ body: { method: 'COINS', odd: 1 } }), 400, { pointers: ['/method', '/odd'] });
  isProblem(t, await payOut({ body, role: 'VIEWER' }), 403, { code: 'ROLE_TOO_LOW' });
  const done = await payOut({ body, headers });
  t.equal(done.status, 200, done.text.slice(0, 300));
  t.match(done.json, { refundId, amount: 200, status: 'COMPLETED', ...body, paidAt: /^\d{4}-/ });
  const again = await payOut({ body, headers });
  t.equal(again.headers['idempotency-replayed'], 'true');
  t.equal(again.text, done.text);
  isProblem(t, await payOut({ body }), 409, { code: 'INVALID_STATE' });
  t.same(await open(), [], 'nobody has to pay it any more');
  const { json } = await property.read(booked.reservationId);
  t.match(json.financial, { paidAmount: 0, paymentStatus: 'REFUNDED' });
  t.match(json.financial.paymentDetails?.at(-1), { paymentId: refundId, status: 'COMPLETED', paidBy: 'cashier' });
  const { items } = (await service.reservations<{ items: unknown[] }>('GET', `${at}/history`)).json;
  t.match(items.at(-1), { event: 'REFUNDED', by: 'cashier', notes: /200\.00 EUR paid out by hand.*SEPA 17/ });
  const others = await service.reservations('POST', `${at}/refunds/${randomUUID()}/pay-out`, { body });
  isProblem(t, others, 404, { code: 'REFUND_NOT_FOUND' });
}
