import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { messages, posted } from '../outbox.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Page } from '../shapes.ts';
import { until } from '../waiting.ts';

type Json = Record<string, unknown>;
type Trail = { items: { action: string }[] };

/** Guests who come, who do not come, and what is taken back of it (docs/reference/reservations.md#arrivals). */
export async function arrivals(group: Test, service: Service): Promise<void> {
  const noShow = (id: string, role: CallOptions['role']) =>
    service.reservations<Json>('POST', `/${id}/no-show`, { body: { reason: 'Missed the train' }, role });
  const reinstate = (id: string, options: CallOptions = {}, query = '') =>
    service.reservations<Json>('POST', `/${id}/reinstate${query}`, {
      body: { reason: 'He came after all' },
      role: 'MANAGER',
      ...options,
    });

  await group.test('STAFF waits for the guest, a MANAGER need not, and the guest learns of it', async (t) => {
    const property = await BlackboxProperty.open(service, { policies: { noShowGraceMinutes: 1_440 } });
    const { reservationId, confirmationNumber } = await property.booked({ from: 0 });
    const early = await noShow(reservationId, 'STAFF');
    isProblem(t, early, 422, { code: 'TOO_EARLY' });
    t.match(early.text, /Before 15:00 on \d{4}-\d{2}-\d{2} only a manager marks a no-show\./);
    must(await noShow(reservationId, 'MANAGER'), 200);
    await posted(service);
    const [, mail] = await messages(service, reservationId, 2);
    t.match(mail, {
      kind: 'CANCELLATION',
      subject: `Your reservation ${confirmationNumber} at A house of the suite has ended`,
    });
    t.match(mail?.text, /you did not arrive/);
  });

  await group.test('arrivals of today are no task of the desk yet', async (t) => {
    const property = await BlackboxProperty.open(service);
    await property.booked({ from: 0 });
    const root = `${service.dev.reservationUrl}/api/v1/admin/desk-tasks`;
    const read = (query: string) => service.call<Page<Json>>('GET', `${root}${query}`, { role: 'STAFF' });
    t.same(must(await read(`?propertyId=${property.propertyId}`), 200).json, { items: [], nextCursor: null });
    isProblem(t, await read(''), 400, { parameters: ['propertyId'] });
    isProblem(t, await read('?propertyId=nowhere'), 404, { code: 'PROPERTY_NOT_FOUND' });
  });

  await group.test('a no-show is taken back: rooms, price and balance as they were, and a mail', async (t) => {
    const property = await BlackboxProperty.open(service, { policies: { depositPercent: 30 } });
    const { reservationId } = await property.booked({ from: 0, nights: 3 });
    must(await noShow(reservationId, 'MANAGER'), 200);
    t.same(await property.left(0, 3), [3, 3, 3]);
    isProblem(t, await reinstate(reservationId, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await reinstate(reservationId, { body: {} }), 400, { pointers: ['/reason'] });
    // The refund is settled after the answer, which changes the reservation too.
    const text = await until('the refund is settled', 10_000, async () => {
      const read = await property.read(reservationId);
      return read.text.includes('"PROCESSING"') ? undefined : read.text;
    });
    const dry = must(await reinstate(reservationId, {}, '?dryRun=true'), 200);
    t.match(dry.json, { status: 'CONFIRMED', financial: { totalAmount: 300, paidAmount: 100, balanceDue: 200 } });
    t.equal((await property.read(reservationId)).text, text, 'only tried');
    isProblem(t, await reinstate(reservationId, { headers: { 'if-match': '"1"' } }), 412);
    const headers = { 'idempotency-key': randomUUID() };
    const done = must(await reinstate(reservationId, { headers }), 200);
    t.match(done.json, { status: 'CONFIRMED', financial: { totalAmount: 300, paidAmount: 100, balanceDue: 200 } });
    const again = must(await reinstate(reservationId, { headers }), 200);
    t.equal(again.text, done.text);
    t.equal(again.headers['idempotency-replayed'], 'true');
    isProblem(t, await reinstate(reservationId), 409, { code: 'INVALID_STATE' });
    t.same(await property.left(0, 3), [2, 2, 2]);
    const history = await service.reservations<Json>('GET', `/${reservationId}/history`);
    t.match((history.json['items'] as Json[]).slice(-2), [
      { event: 'REINSTATED', notes: 'He came after all' },
      { event: 'CONFIRMED' },
    ]);
    t.match((history.json['statusHistory'] as Json[]).at(-1), { oldStatus: 'NO_SHOW', newStatus: 'CONFIRMED' });
    await posted(service);
    const mails = await messages(service, reservationId, 3);
    t.match(mails.at(-1), { kind: 'CONFIRMATION', subject: /is confirmed again$/ });
    const trail = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=${reservationId}`;
    const audited = must(await service.call<Trail>('GET', trail, { role: 'ADMIN' }), 200).json;
    t.ok(audited.items.some(({ action }) => action === 'REINSTATE'));
    await addsUp(t, property, 0, 4);
  });

  await group.test('a penalty that was due stays due, also when a reinstated stay is cancelled unpaid', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ from: 0, nights: 2 });
    const cancel = () => service.reservations<Json>('DELETE', `/${reservationId}`);
    t.match(must(await cancel(), 200).json, { cancellationPolicy: { penaltyAmount: 100 } });
    const financial = { totalAmount: 200, paidAmount: 100, balanceDue: 100 };
    t.match(must(await reinstate(reservationId), 200).json, { status: 'PENDING', financial });
    t.match((await property.read(reservationId)).json, { financial: { ...financial, retained: 100 } });
    const again = must(await cancel(), 200).json;
    t.match(again, { cancellationPolicy: { penaltyAmount: 100 }, refund: { refundAmount: 0 } });
    t.match((await property.read(reservationId)).json, { financial: { totalAmount: 100, paidAmount: 100 } });
    await addsUp(t, property, 0, 4);
  });

  await group.test(
    'what was refunded holds its rooms until it is paid again; without a room it is 409',
    async (t) => {
      const property = await BlackboxProperty.open(service, { rooms: { DLX: 1 } });
      const { reservationId } = await property.booked();
      must(await service.reservations('DELETE', `/${reservationId}`), 200);
      const other = await property.booked();
      isProblem(t, await reinstate(reservationId), 409, { code: 'ROOM_NOT_AVAILABLE' });
      t.match((await property.read(reservationId)).json, { status: 'CANCELLED' });
      must(await service.reservations('DELETE', `/${other.reservationId}`), 200);
      const held = must(await reinstate(reservationId), 200).json;
      t.match(held, { status: 'PENDING', financial: { totalAmount: 200, paidAmount: 0, balanceDue: 200 } });
      t.type(held['holdExpiresAt'], 'string');
      const paid = await service.reservations<Json>('POST', `/${reservationId}/payments`, {
        body: { method: 'CASH' },
      });
      t.match(must(paid, 201).json, { reservationStatus: 'CONFIRMED' });
      await addsUp(t, property, 28, 6);
    },
  );
}
