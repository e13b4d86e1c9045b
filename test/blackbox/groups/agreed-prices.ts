import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';

type Json = Record<string, unknown>;
type Trail = { items: { action: string }[] };
type Folio = { windows: { postings: Json[] }[] };

/** Complimentary nights, and upgrades for a surcharge (docs/reference/agreed-prices.md#agreed-prices). */
export async function agreedPrices(group: Test, service: Service): Promise<void> {
  const post = (id: string, what: string, body: object, options: CallOptions = {}) =>
    service.reservations<Json>('POST', `/${id}/${what}`, { body, ...options });
  const comp = (id: string, body: object, options: CallOptions = {}, query = '') =>
    post(id, `comp${query}`, { reason: 'The lift was broken', ...body }, { role: 'MANAGER', ...options });
  const undo = (id: string, options: CallOptions = {}) =>
    service.reservations<Json>('DELETE', `/${id}/comp`, { body: {}, role: 'MANAGER', ...options });
  const upgrade = (id: string, body: object = {}, options: CallOptions = {}, query = '') =>
    post(id, `upgrade${query}`, { roomType: 'DLX', amountPerNight: 30, ...body }, options);
  const hotel = async (): Promise<BlackboxProperty> => {
    const property = await BlackboxProperty.open(service, { policies: { taxPercent: 10 } });
    must(await property.price('STD', 0, 120, 80), 200);
    for (const [roomNumber, roomType] of [
      ['101', 'STD'],
      ['201', 'DLX'],
    ])
      must(
        await service.tenants('POST', `/properties/${property.propertyId}/rooms`, {
          body: { roomNumber, roomType, floor: 1 },
        }),
        201,
      );
    return property;
  };

  await group.test('a MANAGER makes a night complimentary, and charges it again', async (t) => {
    const property = await hotel();
    const { reservationId: id } = await property.booked({ nights: 3 });
    isProblem(t, await comp(id, {}, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await comp(id, { reason: undefined }), 400, { pointers: ['/reason'] });
    isProblem(t, await comp(id, { nights: [property.day(29)] }), 400, { pointers: ['/nights/0'] });
    const twice = [property.day(30), property.day(30)];
    isProblem(t, await comp(id, { nights: twice }), 400, { pointers: ['/nights/1'] });
    const { text } = await property.read(id);
    const dry = must(await comp(id, { nights: [property.day(31)] }, {}, '?dryRun=true'), 200);
    t.match(dry.json, { credit: 110, financial: { totalAmount: 220, paidAmount: 330, balanceDue: -110 } });
    t.equal((await property.read(id)).text, text, 'only tried');
    const headers = { 'idempotency-key': randomUUID() };
    const done = must(await comp(id, { nights: [property.day(31)] }, { headers }), 200);
    t.match(done.json, { refund: { refundAmount: 0, refundMethod: 'NONE' }, credit: 110 });
    const again = must(await comp(id, { nights: [property.day(31)] }, { headers }), 200);
    t.equal(again.text, done.text);
    t.equal(again.headers['idempotency-replayed'], 'true');
    isProblem(t, await comp(id, {}, { headers: { 'if-match': '"1"' } }), 412);
    isProblem(t, await comp(id, { nights: [property.day(31)] }), 409, { code: 'INVALID_STATE' });
    const { json } = must(await property.read(id), 200);
    t.match(json, {
      guarantee: 'PREPAY',
      comp: { nights: [property.day(31)], reason: 'The lift was broken' },
      financial: { breakdown: [{ roomRate: 100 }, { roomRate: 0, compedRate: 100, taxes: 0 }, { roomRate: 100 }] },
    });
    t.same(await property.left(30, 3), [2, 2, 2], 'the room is taken all the same');
    const back = must(await undo(id), 200).json;
    t.match(back, { additionalPayment: { amount: 110, paymentRequired: true }, financial: { balanceDue: 0 } });
    isProblem(t, await undo(id), 409, { code: 'INVALID_STATE' });
    const trail = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=${id}`;
    const audited = must(await service.call<Trail>('GET', trail, { role: 'ADMIN' }), 200).json;
    const actions = audited.items.map(({ action }) => action);
    t.ok(actions.includes('COMP') && actions.includes('UNDO_COMP'), actions.join());
    await addsUp(t, property, 30, 4);
  });

  await group.test('a whole stay is free: nothing is paid, and what was paid goes back on request', async (t) => {
    const property = await hotel();
    const more = { comp: { reason: 'Travel writer' } };
    isProblem(t, await property.book({ more }, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    const free = must(await property.book({ card: null, more }, { role: 'MANAGER' }), 201).json;
    t.match(free, { status: 'CONFIRMED', financial: { totalAmount: 0, paidAmount: 0, paymentStatus: 'PAID' } });
    t.match((await property.read(free.reservationId)).json, { guarantee: 'NONE', releaseHour: null });
    const { reservationId: id } = await property.booked();
    const sent = must(await comp(id, { refundRequested: true }), 200).json;
    t.match(sent, { refund: { refundAmount: 220, refundMethod: 'ORIGINAL_PAYMENT_METHOD' }, credit: 0 });
    t.match((await property.read(id)).json, { financial: { totalAmount: 0, paidAmount: 0, balanceDue: 0 } });
    await addsUp(t, property, 30, 3);
  });

  await group.test('what is left of a stay is upgraded for a surcharge, once', async (t) => {
    const property = await hotel();
    const { reservationId: id } = await property.booked({ roomType: 'STD' });
    isProblem(t, await upgrade(id, { amount: 10 }), 400, { pointers: ['/amount'] });
    isProblem(t, await upgrade(id, { amountPerNight: undefined }), 400, { pointers: ['/amountPerNight'] });
    isProblem(t, await upgrade(id, { amountPerNight: 0 }), 400, { pointers: ['/reason'] });
    isProblem(t, await upgrade(id, { amountPerNight: -1 }), 400, { pointers: ['/amountPerNight'] });
    isProblem(t, await upgrade(id, { roomType: 'STD' }), 422, { code: 'WRONG_ROOM_TYPE' });
    isProblem(t, await upgrade(id, {}, { role: 'VIEWER' }), 403, { code: 'ROLE_TOO_LOW' });
    const { text } = await property.read(id);
    t.match(must(await upgrade(id, {}, {}, '?dryRun=true'), 200).json, { additionalPayment: { amount: 66 } });
    t.equal((await property.read(id)).text, text, 'only tried');
    const headers = { 'idempotency-key': randomUUID(), 'if-match': '"1"' };
    const done = must(await upgrade(id, {}, { headers }), 200);
    t.match(done.json, {
      roomType: 'DLX',
      previousRoomType: 'STD',
      bookedRoomType: 'STD',
      roomNumber: 'TBA',
      from: property.day(30),
      nights: [{ roomRate: 80, surcharge: 30, taxes: 11 }, { roomRate: 80 }],
      additionalPayment: { amount: 66, paymentRequired: true },
      financial: { totalAmount: 242, paidAmount: 176, balanceDue: 66 },
    });
    t.equal(must(await upgrade(id, {}, { headers }), 200).text, done.text, 'the same key does it once');
    const whole = (await property.read(id)).json as unknown as Json;
    t.match(whole, { bookedRoomType: 'STD', stayDetails: { roomType: 'DLX', rateCode: 'BAR' } });
    t.same(await property.left(30, 2), [2, 2]);
    const invoice = must(await service.reservations<Json>('GET', `/${id}/invoice`), 200).json;
    t.match(invoice, { items: [{ amount: 80 }, { description: 'Upgrade to DLX', amount: 30 }] });
    await addsUp(t, property, 30, 3);
  });

  await group.test('an upgrade without a room changes nothing; in house the guest moves at once', async (t) => {
    const property = await hotel();
    const { reservationId: id } = await property.booked({ from: 0, roomType: 'STD' });
    for (let rooms = 0; rooms < 3; rooms++) await property.booked({ from: 1, nights: 1 });
    const { text } = await property.read(id);
    isProblem(t, await upgrade(id), 409, { code: 'ROOM_NOT_AVAILABLE' });
    t.equal((await property.read(id)).text, text);
    const { reservationId: other } = await property.booked({ from: 0, nights: 1, roomType: 'STD' });
    must(await post(other, 'checkin', { identificationVerified: true }), 200);
    const moved = must(await upgrade(other, { reason: 'Noise', amountPerNight: 0 }), 200).json;
    t.match(moved, { status: 'CHECKED_IN', roomNumber: '201', additionalPayment: { amount: 0, dueDate: null } });
    const folio = must(await service.reservations<Folio>('GET', `/${other}/folio`), 200).json;
    t.same(folio.windows[0]!.postings.filter(({ extraCode }) => extraCode === 'UPGRADE').length, 0);
    await addsUp(t, property, 0, 4);
  });
}
