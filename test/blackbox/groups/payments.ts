import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import { addsUp } from '../audit.ts';
import { House } from '../house.ts';
import { isProblem } from '../problems.ts';
import type { Service } from '../service.ts';
import { until } from '../waiting.ts';

/** Hold, pay, confirm: with the simulated cards of contracts.md section 7. */
export async function payments(group: Test, service: Service): Promise<void> {
  await group.test('a declined card is refused, leaves the rooms free and stores nothing', async (t) => {
    const house = await House.open(service);
    isProblem(t, await house.book({ card: 'tok_declined' }), 422, { code: 'PAYMENT_DECLINED' });
    t.same(await house.left(30, 2), [3, 3]);
    t.same(await house.reservations(), []);
    await addsUp(t, house, 28, 6);
  });
  await group.test(
    'a charge whose answer was lost is found again under the same key: one booking, one payment',
    async (t) => {
      const house = await House.open(service, { rooms: { DLX: 2 } });
      const headers = { 'idempotency-key': randomUUID() };
      const body = house.wish({ card: 'tok_timeout' });
      const lost = await service.reservations('POST', '', { body, headers });
      isProblem(t, lost, 503);
      t.match(lost.json, { code: /^(PARTNER_UNAVAILABLE|OUTCOME_UNKNOWN)$/, retryable: true });
      const found = await service.reservations('POST', '', { body, headers });
      t.equal(found.status, 201, found.text.slice(0, 300));
      const again = await service.reservations('POST', '', { body, headers });
      t.equal(again.headers['idempotency-replayed'], 'true');
      t.equal(again.text, found.text);
      const stored = await house.reservations();
      t.equal(stored.length, 1);
      const read = await house.read(stored[0]?.reservationId ?? '');
      t.equal(read.json.financial.paymentDetails?.length, 1, 'one payment');
      t.match(read.json, { status: 'CONFIRMED', financial: { paymentStatus: 'PAID' } });
      t.same(await house.left(30, 2), [1, 1]);
      await addsUp(t, house, 28, 6);
    },
  );
  await group.test('a slow card holds its room while others book on', async (t) => {
    const house = await House.open(service, { rooms: { DLX: 2 } });
    const slow = house.book({ card: 'tok_slow' });
    await until('the room is held', 60_000, async () => ((await house.left(30))[0] === 1 ? true : undefined));
    const others = await Promise.all([house.book(), house.book(), house.book()]);
    t.equal(others.filter(({ status }) => status === 201).length, 1, 'the room that is being paid is not sold twice');
    t.equal((await slow).status, 201);
    t.same(await house.left(30, 2), [0, 0]);
  });
  await group.test('a create without payment is PENDING and holds its room until a given time', async (t) => {
    const house = await House.open(service);
    const answer = await house.book({ card: null });
    t.equal(answer.status, 201);
    t.match(answer.json, {
      status: 'PENDING',
      holdExpiresAt: /^\d{4}-\d\d-\d\dT/,
      financial: { paymentStatus: 'UNPAID' },
    });
    t.match(answer.json.financial.paymentDetails, [{ amount: 200, method: null, status: 'PENDING' }]);
    const [cell] = await house.cells(30, 1, 'DLX');
    t.match(cell, { heldRooms: 1, bookedRooms: 0, availableRooms: 2 });
    await addsUp(t, house, 28, 6);
    const cash = await house.book({ card: null, more: { paymentDetails: { method: 'CASH' } } });
    t.equal(cash.json.status, 'PENDING');
    const gone = await service.reservations('DELETE', `/${answer.json.reservationId}`);
    t.equal(gone.status, 200, 'a PENDING reservation may be cancelled');
    t.match((await house.cells(30, 1, 'DLX'))[0], { heldRooms: 1, availableRooms: 2 });
  });
  await group.test('where a property asks for no payment the booking is confirmed unpaid', async (t) => {
    const house = await House.open(service, { policies: { paymentRequired: false } });
    const { json } = await house.book({ card: null });
    t.match(json, { status: 'CONFIRMED', financial: { paymentStatus: 'UNPAID' } });
    await addsUp(t, house, 28, 6);
  });
}
