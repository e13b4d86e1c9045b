import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Cancelled, Modified, Reservation } from '../shapes.ts';

/** Changing and cancelling reservations, and the versions that guard both (docs/reference/reservations.md#change). */
export async function changes(group: Test, service: Service): Promise<void> {
  const modify = (id: string, modifications: Record<string, unknown>, options: CallOptions = {}, query = '') =>
    service.reservations<Modified>('PUT', `/${id}${query}`, { body: { modifications, reason: 'plans' }, ...options });
  const cancel = (id: string, body?: unknown, options: CallOptions = {}) =>
    service.reservations<Cancelled>('DELETE', `/${id}`, { body, ...options });

  await group.test('new dates take the new nights and give back the old ones, in one step', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ from: 30, nights: 3 });
    const moved = await modify(reservationId, {
      stayDetails: { checkIn: property.day(32), checkOut: property.day(36) },
    });
    t.equal(moved.status, 200, moved.text.slice(0, 300));
    t.match(moved.json, {
      reservationId,
      modificationId: /./,
      changes: {
        checkIn: { from: property.day(30), to: property.day(32) },
        checkOut: { from: property.day(33), to: property.day(36) },
        nights: { from: 3, to: 4 },
        totalAmount: { from: 300, to: 400 },
      },
      additionalPayment: { amount: 100, paymentRequired: true, dueDate: /^\d{4}-/ },
    });
    t.notOk('roomType' in moved.json.changes, 'what stays is no change');
    t.same(await property.left(29, 8), [3, 3, 3, 2, 2, 2, 2, 3]);
    t.match((await property.read(reservationId)).json.stayDetails, { checkIn: property.day(32), nights: 4 });
    await addsUp(t, property, 28, 12);
  });
  await group.test('when one new night is sold out nothing changes', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 1, STD: 1 } });
    const mine = await property.booked({ from: 30, nights: 2 });
    await property.booked({ from: 34, nights: 1 });
    const before = await property.left(28, 10);
    const refused = await modify(mine.reservationId, { stayDetails: { checkOut: property.day(36) } });
    isProblem(t, refused, 409, { code: 'ROOM_NOT_AVAILABLE' });
    t.same(await property.left(28, 10), before);
    t.match((await property.read(mine.reservationId)).json.stayDetails, { checkOut: property.day(32), nights: 2 });
    const other = await modify(mine.reservationId, { stayDetails: { roomType: 'STD', checkOut: property.day(36) } });
    t.equal(other.status, 200);
    t.same(await property.left(30, 2), [1, 1], 'the old type is free again');
    await addsUp(t, property, 28, 10);
  });
  await group.test('nights already booked keep their price, new ones take that of today', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ from: 30, nights: 2 });
    must(await property.price('DLX', 0, 120, 250), 200);
    const longer = await modify(reservationId, { stayDetails: { nights: 3 } });
    t.match(longer.json.changes, { checkOut: { to: property.day(33) }, totalAmount: { from: 200, to: 450 } });
  });
  await group.test('a non-refundable stay gives up no night, and a change says what each night costs', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ from: 30, nights: 4, stay: { rateCode: 'NRF' } });
    const { json } = await property.read(reservationId);
    t.match(json, { terms: { change: 'NOT_ALLOWED', cancellation: { freeUntilHours: null } } });
    for (const stayDetails of [{ nights: 1 }, { checkIn: property.day(60), checkOut: property.day(64) }])
      isProblem(t, await modify(reservationId, { stayDetails }), 422, { code: 'TERMS_FORBID_CHANGE' });
    const longer = must(await modify(reservationId, { stayDetails: { nights: 5 } }), 200).json;
    t.same(
      longer.breakdown.map(({ roomRate, previousRate }) => [roomRate, previousRate]),
      [...Array.from({ length: 4 }, () => [90, 90]), [90, null]],
    );
    const tooDear = await modify(reservationId, { stayDetails: { nights: 6, maxTotal: 500 } });
    isProblem(t, tooDear, 409, { code: 'PRICE_CHANGED' });
    t.match((await cancel(reservationId)).json, {
      cancellationPolicy: { penaltyAmount: 360 },
      refund: { refundAmount: 0 },
    });
  });
  await group.test('a dry run answers the same and stores nothing', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked();
    const before = await property.read(reservationId);
    const preview = await modify(reservationId, { stayDetails: { nights: 5 } }, {}, '?dryRun=true');
    t.match(preview.json, { changes: { nights: { from: 2, to: 5 }, totalAmount: { to: 500 } } });
    const after = await property.read(reservationId);
    t.equal(after.text, before.text);
    t.equal(after.headers.etag, before.headers.etag);
    t.same(await property.left(30, 5), [2, 2, 3, 3, 3]);
  });
  await group.test('contact data, requests and guests change without touching the rooms', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked();
    const wanted = { guestInfo: { phone: '+351 1234' }, specialRequests: ['a cot'], stayDetails: { children: 1 } };
    const done = await modify(reservationId, wanted);
    t.match(done.json.changes, { phone: { to: '+351 1234' }, specialRequests: {}, children: { from: 0, to: 1 } });
    const { json } = await property.read(reservationId);
    t.match(json, { guestInfo: { phone: '+351 1234' }, specialRequests: ['a cot'], stayDetails: { children: 1 } });
    t.same(await property.left(30, 2), [2, 2]);
  });
  await group.test('a modification with wrong fields is refused with all of them', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked();
    const wrong = { stayDetails: { adults: 0, checkIn: '2027-02-31' }, guestInfo: { email: 'x' }, odd: 1 };
    const under = ['stayDetails/adults', 'stayDetails/checkIn', 'guestInfo/email', 'odd'];
    isProblem(t, await modify(reservationId, wrong), 400, {
      pointers: under.map((field) => `/modifications/${field}`),
    });
    const past = await modify(reservationId, { stayDetails: { checkIn: property.day(-2) } });
    isProblem(t, past, 400, { code: 'VALIDATION_FAILED' });
  });
  await group.test('a version that is out of date changes nothing', (t) => versions(t, service, modify, cancel));
  await group.test('a free cancellation gives back everything', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ from: 30 });
    const done = await cancel(reservationId, {
      reason: 'GUEST_REQUEST',
      cancelledBy: 'guest',
      refundRequested: true,
    });
    t.match(done.json, {
      cancellationId: /./,
      status: 'CANCELLED',
      cancellationPolicy: { policyName: 'STANDARD', penaltyAmount: 0, refundEligible: true },
      refund: { refundAmount: 200, refundMethod: 'ORIGINAL_PAYMENT_METHOD', refundId: /./ },
    });
    t.same(await property.left(30, 2), [3, 3]);
    isProblem(t, await cancel(reservationId), 409, { code: 'INVALID_STATE' });
    isProblem(t, await modify(reservationId, { specialRequests: [] }), 409, { code: 'INVALID_STATE' });
    t.match((await property.read(reservationId)).json, { status: 'CANCELLED' });
    await addsUp(t, property, 28, 6);
  });
  await group.test(
    'a late cancellation costs the first night, and without a requested refund there is none',
    async (t) => {
      const property = await BlackboxProperty.open(service, { policies: { taxPercent: 10 } });
      const late = await property.booked({ from: 1, nights: 2 });
      t.match((await cancel(late.reservationId)).json, {
        cancellationPolicy: { penaltyAmount: 110 },
        refund: { refundAmount: 110 },
      });
      const waived = await property.booked({ from: 30 });
      const done = await cancel(waived.reservationId, { refundRequested: false });
      t.match(done.json.refund, { refundAmount: 0, refundId: null });
      const wrong = { reason: 'BORED', refundRequested: 'yes', surprise: 1 };
      const other = await property.booked();
      isProblem(t, await cancel(other.reservationId, wrong), 400, {
        pointers: ['/reason', '/refundRequested', '/surprise'],
      });
    },
  );
}

async function versions(
  t: Test,
  service: Service,
  modify: (
    id: string,
    what: Record<string, unknown>,
    options?: CallOptions,
  ) => ReturnType<typeof service.reservations>,
  cancel: (id: string, body?: unknown, options?: CallOptions) => ReturnType<typeof service.reservations>,
): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const created = await service.reservations<Reservation>('POST', '', { body: property.wish() });
  const { reservationId } = created.json;
  const etag = created.headers.etag ?? '';
  t.match(etag, /^"[^"]+"$/, 'a strong tag');
  t.equal(created.headers.location, `/api/v1/reservations/${reservationId}`);
  t.equal((await property.read(reservationId)).headers.etag, etag);
  const matching = (value: string) => ({ headers: { 'if-match': value } });
  const first = await modify(reservationId, { specialRequests: ['one'] }, matching(etag));
  t.equal(first.status, 200);
  const next = first.headers.etag ?? '';
  t.not(next, etag);
  const stale = await modify(reservationId, { specialRequests: ['two'] }, matching(etag));
  isProblem(t, stale, 412, { code: 'STALE_VERSION' });
  isProblem(t, await cancel(reservationId, undefined, matching(etag)), 412, { code: 'STALE_VERSION' });
  t.match((await property.read(reservationId)).json, { status: 'CONFIRMED', specialRequests: ['one'] });
  t.equal((await cancel(reservationId, undefined, matching(next))).status, 200);
}
