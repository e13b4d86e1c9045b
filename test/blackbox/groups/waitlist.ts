import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { messages, posted } from '../outbox.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import { until } from '../waiting.ts';

type Json = Record<string, unknown>;
type Report = { items: Json[] };

const CROWN = { to: 'The Crown, 5 Quay Street', compensation: 50, reason: 'A burst pipe' };

/** What a property does when it has no room left (docs/reference/waitlist.md#waitlist-and-walk). */
export async function waitlist(group: Test, service: Service): Promise<void> {
  const walk = (id: string, options: CallOptions = {}, query = '') =>
    service.reservations<Json>('POST', `/${id}/walk${query}`, { body: CROWN, role: 'MANAGER', ...options });

  await group.test('a guest is walked: tried first, then for good, and repeated without effect', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId, confirmationNumber } = await property.booked({ from: 0, nights: 2 });
    isProblem(t, await walk(reservationId, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await walk(reservationId, { body: { to: ' ', compensation: -1 } }), 400, {
      pointers: ['/to', '/compensation', '/reason'],
    });
    const { text } = await property.read(reservationId);
    const asked = { cancellationPolicy: { penaltyAmount: 0 }, refund: { refundAmount: 200 } };
    const dry = must(await walk(reservationId, {}, '?dryRun=true'), 200);
    t.match(dry.json, { status: 'CANCELLED', ...asked, walk: CROWN });
    t.equal((await property.read(reservationId)).text, text, 'only tried');
    isProblem(t, await walk(reservationId, { headers: { 'if-match': '"99"' } }), 412);
    const headers = { 'idempotency-key': randomUUID() };
    const done = must(await walk(reservationId, { headers }), 200);
    t.match(done.json, { status: 'CANCELLED', ...asked, walk: { ...CROWN, by: String, at: String } });
    const again = must(await walk(reservationId, { headers }), 200);
    t.equal(again.text, done.text);
    isProblem(t, await walk(reservationId), 409, { code: 'INVALID_STATE' });
    t.same(await property.left(0, 2), [3, 3]);
    await until('the refund is settled', 10_000, async () => {
      const read = await property.read(reservationId);
      return read.text.includes('"PROCESSING"') ? undefined : true;
    });
    const read = (await property.read(reservationId)).json as unknown as Json;
    t.match(read, {
      status: 'CANCELLED',
      financial: { totalAmount: 0, originalTotal: 200, paidAmount: 0, balanceDue: 0 },
      walk: CROWN,
    });
    t.match((read['timeline'] as Json[]).at(-1), {
      event: 'WALKED',
      notes: 'The Crown, 5 Quay Street: A burst pipe',
    });
    await posted(service);
    const mail = (await messages(service, reservationId, 2)).at(-1);
    t.match(mail, {
      kind: 'CANCELLATION',
      subject: `Your reservation ${confirmationNumber} at A house of the suite has been moved to another hotel`,
    });
    t.match(mail?.text, /You are expected at this hotel: The Crown, 5 Quay Street\./);
    const url = `${service.dev.reservationUrl}/api/v1/reports/cancellations?propertyId=${property.propertyId}`;
    t.match(must(await service.call<Report>('GET', url, { role: 'STAFF' }), 200).json.items, [
      { reservationId, reason: 'WALKED', walkedTo: CROWN.to, compensation: 50, penaltyAmount: 0 },
    ]);
    await addsUp(t, property, 0, 4);
  });

  await group.test('who comes later is not walked, nor who has not paid', async (t) => {
    const property = await BlackboxProperty.open(service);
    const later = await property.booked({ from: 1 });
    isProblem(t, await walk(later.reservationId), 409, { code: 'INVALID_STATE' });
    const open = await property.booked({ from: 0, card: null });
    isProblem(t, await walk(open.reservationId), 409, { code: 'INVALID_STATE' });
    isProblem(t, await walk(randomUUID()), 404, { code: 'RESERVATION_NOT_FOUND' });
  });

  await group.test('other cancellations of the day name no other hotel', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ from: 0 });
    must(await service.reservations('DELETE', `/${reservationId}`), 200);
    const url = `${service.dev.reservationUrl}/api/v1/reports/cancellations?propertyId=${property.propertyId}`;
    t.match(must(await service.call<Report>('GET', url, { role: 'STAFF' }), 200).json.items, [
      { reservationId, walkedTo: null, compensation: null },
    ]);
    const read = (await property.read(reservationId)).json as unknown as Json;
    t.notOk('walk' in read);
  });
}
