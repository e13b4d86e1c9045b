import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { auditIsClean } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Reservation } from '../shapes.ts';

type Json = Record<string, unknown>;
type Sharer = { guestId: string; firstName: string; lastName: string; email: string; phone: string | null };
type Shared = Reservation & { sharer: Sharer | null };
type Posting = { postingId: string; amount: number };
type Folio = { windows: (Json & { postings: Posting[] })[]; routing: Json[] };
type Invoice = {
  invoiceNumber: string;
  status: string;
  totalAmount: number;
  balanceDue: number;
  paidAmount: number;
  issuedTo: Json;
  documents: Json[];
};

const HALF = { kind: 'ROOM', window: 'SHARER', percent: 50 };

function stranger(email?: string) {
  const name = `s${randomUUID().slice(0, 8)}`;
  return { firstName: 'Bo', lastName: name, email: email ?? `${name}@example.com`, phone: `+1 ${name}` };
}

/** A stay of one night at 100.00 with 10 % tax that two guests share, arriving today. */
async function open(service: Service, more: Json = {}, adults = 2) {
  const policies = { taxPercent: 10, paymentRequired: false };
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 1 }, policies });
  const room = { roomNumber: '101', roomType: 'DLX', floor: 1 };
  must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body: room }), 201);
  const guest = stranger();
  const { reservationId } = await property.booked({ from: 0, nights: 1, card: null, guest, more, stay: { adults } });
  const call = <T = Json>(method: string, step: string, body?: Json, options: CallOptions = {}) =>
    service.reservations<T>(method, `/${reservationId}${step}`, { ...(body && { body }), ...options });
  const read = async (options: CallOptions = {}) => must(await call<Shared>('GET', '', undefined, options), 200);
  const name = (sharer: Json | null, options: CallOptions = {}) =>
    call('PUT', '', { modifications: { sharer } }, options);
  const route = (...rules: Json[]) => call<Folio>('PUT', '/folio/routing', { rules });
  const pay = (body: Json = {}) => call<{ amount: number }>('POST', '/payments', { method: 'CASH', ...body });
  const folio = async () => must(await call<Folio>('GET', '/folio'), 200).json;
  return { property, guest, reservationId, call, read, name, route, pay, folio };
}

/** Two guests in one room (docs/reference/sharers.md#sharers). */
export async function sharers(group: Test, service: Service): Promise<void> {
  const guests = <T = Json>(method: string, path: string, options: CallOptions = {}) =>
    service.call<T>(method, `${service.dev.reservationUrl}/api/v1/guests${path}`, { role: 'ADMIN', ...options });

  await group.test('a sharer is named, found, masked for a VIEWER, and taken away', async (t) => {
    const sharer = stranger();
    const { reservationId, read, name, route } = await open(service);
    t.equal((await read()).json.sharer, null);
    must(await name(sharer, { headers: { 'idempotency-key': randomUUID() } }), 200);
    const { json } = await read();
    t.match(json.sharer, sharer);
    const seen = (await read({ role: 'VIEWER' })).json.sharer!;
    t.match(seen, { lastName: sharer.lastName, email: 's***', phone: '+***' });
    const { guestId } = json.sharer!;
    t.match(must(await guests('GET', `/${guestId}`), 200).json, { lastName: sharer.lastName, loyaltyTier: 'NONE' });
    const stays = await guests<{ items: Json[] }>('GET', `/${guestId}/reservations`);
    t.match(must(stays, 200).json.items, [{ reservationId }]);
    const listed = await service.reservations<{ items: Json[] }>('GET', `?email=${sharer.email.toUpperCase()}`);
    t.match(must(listed, 200).json.items, [{ reservationId, sharer: { guestId } }]);
    must(await route(HALF), 200);
    must(await name(null), 200);
    t.equal((await read()).json.sharer, null);
  });

  await group.test('rooms of a booking have a sharer each', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 2 } });
    const { propertyId } = property;
    const [one, other] = [stranger(), stranger()];
    const bookings = `${service.dev.reservationUrl}/api/v1/bookings`;
    const body = {
      propertyId,
      guestInfo: one,
      rooms: [
        { roomType: 'DLX', adults: 2, sharer: other },
        { roomType: 'DLX', adults: 2, guestInfo: other, sharer: one },
      ],
      stayDetails: { checkIn: property.day(5), checkOut: property.day(6) },
    };
    const made = await service.call<{ reservations: Reservation[] }>('POST', bookings, { body });
    const ids = must(made, 201).json.reservations.map(({ reservationId }) => reservationId);
    const read = await Promise.all(ids.map((id) => service.reservations<Shared>('GET', `/${id}`)));
    const [first, second] = read.map(({ json }) => json) as [Shared, Shared];
    t.equal(first.sharer!.guestId, second.guestInfo.guestId, 'one profile');
    t.equal(second.sharer!.guestId, first.guestInfo.guestId);
  });

  await group.test('two guests pay the halves of a room, and each has an invoice', async (t) => {
    const sharer = stranger();
    const { property, guest, call, route, pay, folio } = await open(service, { sharer });
    t.same(must(await route(HALF), 200).json.routing, [HALF]);
    const offer = async (window = '') => must(await call<Invoice>('GET', `/invoice${window}`), 200).json;
    t.match(await offer(), { status: 'PRO_FORMA', totalAmount: 55, issuedTo: { name: `Bo ${guest.lastName}` } });
    t.match(await offer('?window=SHARER'), {
      status: 'PRO_FORMA',
      totalAmount: 55,
      balanceDue: 55,
      issuedTo: { name: `Bo ${sharer.lastName}` },
    });
    must(await call('POST', '/checkin', { identificationVerified: true }), 200);
    const water = { description: 'Water', unitAmount: 4.5, window: 'SHARER' };
    must(await call('POST', '/folio/postings', water), 201);
    t.match(must(await pay({ window: 'GUEST' }), 201).json, { amount: 55 });
    const refused = await call('POST', '/checkout', {});
    isProblem(t, refused, 422, { code: 'SHARER_OWES' });
    t.match(refused.text, '59.50');
    isProblem(t, await pay({ window: 'SHARER', amount: 59.51 }), 400, { pointers: ['/amount'] });
    t.match(must(await pay({ window: 'SHARER' }), 201).json, { amount: 59.5 });
    must(await call('POST', '/checkout', {}), 200);
    const { windows } = await folio();
    t.match(windows, [
      { window: 'GUEST', total: 55, paid: 55, balance: 0 },
      { window: 'SHARER', total: 59.5, paid: 59.5, balance: 0 },
    ]);
    const night = `ROOM-${property.day(0)}`;
    t.ok(windows[0]!.postings.some(({ postingId }) => postingId === night));
    t.ok(windows[1]!.postings.some(({ postingId }) => postingId === `${night}/SHARER`));
    const seen = await call('GET', '/invoice?window=SHARER', undefined, { role: 'VIEWER' });
    t.notOk(must(seen, 200).text.includes('Water'), 'typed text is shortened for a VIEWER');
    t.match(seen.text, 'W***');
    const own = await offer('?window=SHARER');
    const rest = await offer();
    t.match(rest, { status: 'ISSUED', totalAmount: 55, paidAmount: 55, balanceDue: 0 });
    t.match(own, { status: 'ISSUED', totalAmount: 59.5, paidAmount: 59.5, balanceDue: 0 });
    t.match(rest.documents, [
      { number: rest.invoiceNumber, totalAmount: 55, window: undefined },
      { number: own.invoiceNumber, totalAmount: 59.5, window: 'SHARER' },
    ]);
    const list = `${service.dev.reservationUrl}/api/v1/invoices?propertyId=${property.propertyId}`;
    const { items } = must(await service.call<{ items: Json[] }>('GET', list), 200).json;
    t.same(
      items.map(({ number, totalAmount }) => [number, totalAmount]),
      [
        [rest.invoiceNumber, 55],
        [own.invoiceNumber, 59.5],
      ],
      'one sequence',
    );
    await auditIsClean(t, property);
  });

  await group.test('a penalty is of who has booked, and the sharer has everything back', async (t) => {
    const sharer = stranger();
    const { property, call, route, pay, folio } = await open(service, { sharer });
    const refused = await route(HALF, { kind: 'PENALTY', window: 'SHARER' });
    isProblem(t, refused, 400, { pointers: ['/rules/1/window'] });
    must(await route(HALF), 200);
    const onFile = await pay({ window: 'SHARER', method: 'CARD_ON_FILE' });
    isProblem(t, onFile, 422, { code: 'PAYMENT_METHOD_REQUIRED' });
    for (const window of ['GUEST', 'SHARER']) must(await pay({ window }), 201);
    // Before check-in time, when this may run, only a manager marks one.
    must(await call('POST', '/no-show', { reason: 'Missed the train' }, { role: 'MANAGER' }), 200);
    t.match((await folio()).windows, [
      { window: 'GUEST', total: 55, paid: 55, balance: 0 },
      { window: 'SHARER', total: 0, paid: 0, balance: 0 },
    ]);
    const { documents } = must(await call<Invoice>('GET', '/invoice'), 200).json;
    t.match(documents, [{ totalAmount: 55, window: undefined }]);
    t.equal(documents.length, 1);
    isProblem(t, await call('GET', '/invoice?window=SHARER'), 404, { code: 'INVOICE_NOT_FOUND' });
    await auditIsClean(t, property);
  });

  await group.test('bad input is named, and nothing is stored', async (t) => {
    const { guest, property, call, read, name, route, pay } = await open(service);
    const before = (await read()).text;
    isProblem(t, await route(HALF), 400, { pointers: ['/rules/0/window'] });
    isProblem(t, await pay({ window: 'SHARER' }), 400, { pointers: ['/window'] });
    isProblem(t, await call('GET', '/invoice?window=SHARER'), 400, { parameters: ['window'] });
    isProblem(t, await call('GET', '/invoice?window=GUEST'), 400, { parameters: ['window'] });
    const same = { ...guest, email: guest.email.toUpperCase(), firstName: 'Other' };
    isProblem(t, await name(same), 400, { pointers: ['/modifications/sharer'] });
    isProblem(t, await name({ ...stranger(), email: '' }), 400, { pointers: ['/modifications/sharer/email'] });
    isProblem(t, await name({ firstName: 'Bo' }), 400, { pointers: ['/modifications/sharer/lastName'] });
    isProblem(t, await name({ ...stranger(), preferences: {} }), 400, {
      pointers: ['/modifications/sharer/preferences'],
    });
    const forOne = await property.book({ more: { sharer: stranger() }, stay: { adults: 1 } });
    isProblem(t, forOne, 400, { pointers: ['/sharer'] });
    t.equal((await read()).text, before);

    const sharer = stranger();
    must(await name(sharer), 200);
    for (const percent of [0, 100, 50.5, -1])
      isProblem(t, await route({ ...HALF, percent }), 400, { pointers: ['/rules/0/percent'] });
    isProblem(t, await route({ ...HALF, window: 'GUEST' }), 400, { pointers: ['/rules/0/percent'] });
    isProblem(t, await route(HALF, { kind: 'ROOM', window: 'GUEST' }), 400, { pointers: ['/rules/1/kind'] });
    must(await route({ kind: 'ROOM', window: 'SHARER' }), 200);
    must(await pay({ window: 'SHARER' }), 201);
    const paid = (await read()).text;
    isProblem(t, await name(null), 409, { code: 'INVALID_STATE' });
    isProblem(t, await name(stranger()), 409, { code: 'INVALID_STATE' });
    const alone = { modifications: { stayDetails: { adults: 1 } }, modifiedBy: 'desk', reason: 'asked' };
    isProblem(t, await call('PUT', '', alone), 400, { pointers: ['/modifications/sharer'] });
    t.equal((await read()).text, paid);
  });

  await group.test('a sharer is exported without the other guest, and erased beside that guest', async (t) => {
    const sharer = stranger();
    const { guest, call, read, route, pay, reservationId } = await open(service, { sharer });
    const { guestId } = (await read()).json.sharer!;
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const body = { modifications: { specialRequests: [`a cot for ${sharer.lastName}`, 'quiet'] }, reason: 'asked' };
    const change = () => service.reservations('PUT', `/${reservationId}`, { body, ...key });
    must(await change(), 200);
    must(await call('POST', '/checkin', { identificationVerified: true }), 200);
    must(await route(HALF), 200);
    const film = { description: 'Secret film', unitAmount: 5, window: 'SHARER' };
    must(await call('POST', '/folio/postings', film), 201);
    isProblem(t, await guests('DELETE', `/${guestId}`), 409, { code: 'GUEST_IN_USE' });
    for (const window of ['GUEST', 'SHARER']) must(await pay({ window }), 201);
    must(await call('POST', '/checkout', {}), 200);
    const exported = must(await guests('GET', `/${guestId}/export`), 200);
    t.match(exported.json, {
      reservations: [],
      sharedStays: [{ reservationId, folio: { window: 'SHARER', total: 60 }, invoices: [{ totalAmount: 60 }] }],
    });
    t.notOk(exported.text.includes(guest.lastName), 'nothing of the other guest');
    const { guestId: bookedBy } = (await read()).json.guestInfo;
    type Exported = { reservations: { charges: Json[]; financial: { paymentDetails: Json[] } }[] };
    const other = must(await guests<Exported>('GET', `/${bookedBy}/export`), 200);
    for (const text of [sharer.email, 'Secret film']) t.notOk(other.text.includes(text), 'nor the other way round');
    const [{ charges, financial }] = other.json.reservations as [Exported['reservations'][0]];
    t.same(charges, []);
    t.match(financial.paymentDetails, [{ amount: 55 }]);
    t.equal(financial.paymentDetails.length, 1);
    must(await guests('DELETE', `/${guestId}`), 200);
    const after = await read();
    t.match(after.json, { guestInfo: { lastName: guest.lastName }, sharer: { guestId, lastName: '', email: '' } });
    const repeated = must(await change(), 200);
    for (const { text } of [after, repeated]) t.notOk(text.includes(sharer.lastName), 'nobody is named');
    t.match((await read()).json, { specialRequests: ['guest', 'quiet'] });
    const kept = must(await call<Invoice>('GET', '/invoice?window=SHARER'), 200).json;
    t.match(kept.issuedTo, { name: `Bo ${sharer.lastName}` }, 'tax law wants it');
    const listed = await service.reservations<{ items: Json[] }>('GET', `?email=${sharer.email}`);
    t.same(must(listed, 200).json.items, []);
  });
}
