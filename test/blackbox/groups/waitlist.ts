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

type Joined = { waitlistId: string; position: number; status: string };
type Waiting = Joined & Json & { offer: { holdId: string; expiresAt: string; totalAmount: number } | null };
type Listed = { items: Waiting[]; nextCursor: string | null };

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
    const due = { cancellationPolicy: { penaltyAmount: 0 }, refund: { refundAmount: 200 } };
    const dry = must(await walk(reservationId, {}, '?dryRun=true'), 200);
    t.match(dry.json, { status: 'CANCELLED', ...due, walk: CROWN });
    t.equal((await property.read(reservationId)).text, text, 'only tried');
    isProblem(t, await walk(reservationId, { headers: { 'if-match': '"99"' } }), 412);
    const headers = { 'idempotency-key': randomUUID() };
    const done = must(await walk(reservationId, { headers }), 200);
    t.match(done.json, { status: 'CANCELLED', ...due, walk: { ...CROWN, by: String, at: String } });
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

  await group.test(
    'requests that were refused wait, and a freed room is offered to the first who fits',
    async (t) => {
      const property = await BlackboxProperty.open(service, { rooms: { DLX: 1, STD: 1 } });
      const body = (from: number, nights: number, more: Json = {}): Json => ({
        propertyId: property.propertyId,
        guestInfo: { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', phone: '+44 1' },
        stayDetails: {
          checkIn: property.day(from),
          checkOut: property.day(from + nights),
          adults: 2,
          roomType: 'DLX',
          ...more,
        },
      });
      const join = (wish: Json, options: CallOptions = {}) =>
        service.reservations<Joined>('POST', '/waitlist', { body: wish, role: 'STAFF', ...options });
      const read = async (id: string, role: CallOptions['role'] = 'STAFF') =>
        must(await service.reservations<Waiting>('GET', `/waitlist/${id}`, { role }), 200).json;
      const list = async (query = '') =>
        must(await service.reservations<Listed>('GET', `/waitlist?propertyId=${property.propertyId}${query}`), 200)
          .json;
      const offered = (id: string) =>
        until('a room is offered', 10_000, async () => {
          const one = await read(id);
          return one.status === 'OFFERED' ? one : undefined;
        });

      const free = await join(body(30, 2));
      isProblem(t, free, 409, { code: 'INVALID_STATE' });
      t.match(free.text, /can be booked now/);
      const { reservationId } = await property.booked({ from: 30, nights: 2 });
      await property.booked({ from: 33, nights: 1 });
      isProblem(t, await join(body(30, 2), { role: 'VIEWER' }), 403, { code: 'ROLE_TOO_LOW' });
      isProblem(t, await join(body(30, 2, { roomType: 'NONE' })), 422, { code: 'UNKNOWN_ROOM_TYPE' });
      isProblem(t, await join(body(30, 2, { adults: 9 })), 422, { code: 'OCCUPANCY_EXCEEDED' });
      isProblem(t, await join(body(30, 2, { checkOut: property.day(29) })), 400);
      const longer = must(await join(body(30, 4)), 201).json;
      const headers = { 'idempotency-key': randomUUID() };
      const first = must(await join(body(30, 2), { headers }), 201);
      t.match(first.json, { position: 2, status: 'WAITING' });
      t.equal(first.headers.location, `/api/v1/reservations/waitlist/${first.json.waitlistId}`);
      t.equal(must(await join(body(30, 2), { headers }), 201).text, first.text, 'a repeat waits once');
      const second = must(await join(body(30, 1)), 201).json;
      t.match(await read(second.waitlistId, 'VIEWER'), {
        position: 3,
        guestInfo: { firstName: 'Grace', email: 'g***', phone: '+***' },
        stayDetails: { nights: 1, roomType: 'DLX', rateCode: 'BAR', maxTotal: null },
        offer: null,
      });

      must(await service.reservations('DELETE', `/${reservationId}`), 200);
      const one = await offered(first.json.waitlistId);
      t.match(one, { position: null, offer: { totalAmount: 200, currency: 'EUR' } });
      t.match(await read(longer.waitlistId), { status: 'WAITING', position: 1 }, 'skipped, not dropped');
      t.match(await read(second.waitlistId), { status: 'WAITING', position: 2 });
      t.same(await property.left(30, 2), [0, 0], 'it is held');
      await posted(service);
      const [mail] = await messages(service, first.json.waitlistId, 1);
      t.match(mail, {
        kind: 'WAITLIST_OFFER',
        to: /grace@example.com/,
        subject: 'A room is free for you at A house of the suite',
      });

      const { holdId } = one.offer!;
      must(await property.book({ from: 30, nights: 2, more: { holdId } }), 201);
      const over = await until('it is booked', 10_000, async () => {
        const now = await read(first.json.waitlistId);
        return now.status === 'BOOKED' ? now : undefined;
      });
      t.match(over, { guestInfo: null, position: null });
      isProblem(t, await service.reservations('DELETE', `/waitlist/${first.json.waitlistId}`), 404, {
        code: 'WAITLIST_NOT_FOUND',
      });

      const [again] = await property.reservations('&status=CONFIRMED&arrivalTo=' + property.day(30));
      must(await service.reservations('DELETE', `/${again!.reservationId}`), 200);
      await offered(second.waitlistId);
      const left = must(
        await service.reservations<Joined>('DELETE', `/waitlist/${second.waitlistId}`, { role: 'STAFF' }),
        200,
      );
      t.match(left.json, { status: 'REMOVED' });
      t.same(await property.left(30, 2), [1, 1], 'its room is free at once');
      t.match(
        (await list()).items.map(({ status }) => status),
        ['WAITING', 'BOOKED', 'REMOVED'],
      );
      t.match((await list('&status=WAITING')).items, [{ waitlistId: longer.waitlistId }]);
      const page = await list('&limit=1');
      t.equal(page.items.length, 1);
      t.match((await list(`&limit=1&cursor=${encodeURIComponent(page.nextCursor!)}`)).items, [{ status: 'BOOKED' }]);
      isProblem(t, await service.reservations('GET', `/waitlist?propertyId=nowhere`), 404, {
        code: 'PROPERTY_NOT_FOUND',
      });
      isProblem(t, await service.reservations('GET', `/waitlist/${randomUUID()}`), 404, {
        code: 'WAITLIST_NOT_FOUND',
      });
      must(await service.reservations('DELETE', `/waitlist/${longer.waitlistId}`), 200);
      await addsUp(t, property, 28, 8);
    },
  );

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
