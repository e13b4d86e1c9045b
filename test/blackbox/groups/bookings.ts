import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import type { Answer } from '../http.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, someone, untilDecided, type Wish } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Reservation } from '../shapes.ts';
import { until } from '../waiting.ts';

type Booking = { bookingId: string; totalAmount: number; paidAmount: number; reservations: Reservation[] };

const RUSH = 64;

/** Several rooms, all of them or none (docs/reference/bookings.md#several-rooms). */
export async function bookings(group: Test, service: Service): Promise<void> {
  const book = (
    property: BlackboxProperty,
    rooms: readonly object[],
    { card = 'tok_visa', ...more }: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<Answer<Booking>> =>
    service.bookings<Booking>('POST', '', {
      body: {
        propertyId: property.propertyId,
        guestInfo: someone(),
        stayDetails: { checkIn: property.day(30), checkOut: property.day(32) },
        rooms,
        ...(card === null ? {} : { paymentDetails: { method: 'CREDIT_CARD', cardToken: card } }),
        ...more,
      },
      ...options,
    });
  const STD = { roomType: 'STD', adults: 2 };
  const DLX = { roomType: 'DLX', adults: 2 };

  await group.test('rooms of two types are booked and paid together, and each is a reservation', async (t) => {
    const property = await BlackboxProperty.open(service);
    const sam = { firstName: 'Sam', lastName: 'King', email: 'sam@example.com' };
    const booked = await book(property, [
      STD,
      { ...DLX, childAges: [4], ratePlan: 'NRF' },
      { ...STD, guestInfo: sam },
    ]);
    const { json } = must(booked, 201);
    t.match(json, {
      totalAmount: 580,
      paidAmount: 580,
      reservations: [
        { status: 'CONFIRMED', stayDetails: { roomType: 'STD' }, financial: { totalAmount: 200, balanceDue: 0 } },
        { status: 'CONFIRMED', stayDetails: { roomType: 'DLX', children: 1 }, financial: { totalAmount: 180 } },
        { guestInfo: { firstName: 'Sam' }, financial: { totalAmount: 200, paidAmount: 200 } },
      ],
    });
    t.equal(booked.headers['location'], `/api/v1/bookings/${json.bookingId}`);
    t.equal(new Set(json.reservations.map(({ confirmationNumber }) => confirmationNumber)).size, 3);
    const [first, second] = json.reservations as [Reservation, Reservation];
    t.equal(first.guestInfo.guestId, second.guestInfo.guestId, 'one guest has one profile');
    const read = must(await service.bookings<Booking>('GET', `/${json.bookingId}`), 200);
    t.match(read.json, { bookingId: json.bookingId, totalAmount: 580, paidAmount: 580 });
    t.same(
      read.json.reservations.map(({ reservationId }) => reservationId),
      json.reservations.map(({ reservationId }) => reservationId),
    );
    const seen = must(await service.bookings('GET', `/${json.bookingId}`, { role: 'VIEWER' }), 200);
    t.notOk(seen.text.includes(sam.email), 'contact data is masked');
    const linked = must(
      await service.reservations<{ items: Reservation[] }>('GET', `?bookingId=${json.bookingId}`),
      200,
    );
    t.equal(linked.json.items.length, 3);
    t.match((await property.read(second.reservationId)).json, { bookingId: json.bookingId });
    await addsUp(t, property, 28, 6);
  });

  await group.test('a split stay is two room types, one after the other', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { STD: 1, DLX: 1 } });
    const parts = [
      { ...STD, checkOut: property.day(31) },
      { ...DLX, checkIn: property.day(31) },
    ];
    const { json } = must(await book(property, parts), 201);
    t.match(json, {
      totalAmount: 200,
      reservations: [{ stayDetails: { nights: 1 } }, { stayDetails: { nights: 1 } }],
    });
    t.same(
      [await property.left(30, 2), await property.left(30, 2, 'STD')],
      [
        [1, 0],
        [0, 1],
      ],
    );
    isProblem(t, await book(property, [{ ...STD, checkIn: property.day(33) }]), 400, {
      pointers: ['/rooms/0/checkOut'],
    });
  });

  await group.test('one room of a paid booking is cancelled, and its part goes back', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservations } = must(await book(property, [STD, DLX]), 201).json;
    const { reservationId } = reservations[1]!;
    must(await service.reservations('DELETE', `/${reservationId}`), 200);
    const refunded = await until('the refund', 10_000, async () => {
      const { financial } = (await property.read(reservationId)).json;
      const { paymentDetails = [] } = financial;
      return paymentDetails.find(({ type, status }) => type === 'REFUND' && status === 'COMPLETED');
    });
    t.match(refunded, { amount: 200 });
    t.match((await property.read(reservations[0]!.reservationId)).json, { status: 'CONFIRMED' });
  });

  await group.test('a declined card, a room that is not there and a price too high book none', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { STD: 3, DLX: 1 } });
    isProblem(t, await book(property, [STD, DLX], { card: 'tok_declined' }), 422, { code: 'PAYMENT_DECLINED' });
    const gone = await book(property, [STD, DLX, DLX]);
    isProblem(t, gone, 409, { code: 'ROOM_NOT_AVAILABLE' });
    t.match(JSON.parse(gone.text), { room: 2 });
    isProblem(t, await book(property, [STD, DLX, DLX], { card: null }), 409, { code: 'ROOM_NOT_AVAILABLE' });
    const stayDetails = { checkIn: property.day(30), checkOut: property.day(32), maxTotal: 399.99 };
    isProblem(t, await book(property, [STD, DLX], { stayDetails }), 409, { code: 'PRICE_CHANGED' });
    t.same(await property.reservations(), []);
    t.same(
      [await property.left(30, 2), await property.left(30, 2, 'STD')],
      [
        [1, 1],
        [3, 3],
      ],
    );
    const { json } = must(await book(property, [STD, DLX, STD, STD], { card: null }), 201);
    t.match(json, { paidAmount: 0, reservations: Array.from({ length: 4 }, () => ({ status: 'PENDING' })) });
    t.same(
      [await property.left(30, 2), await property.left(30, 2, 'STD')],
      [
        [0, 0],
        [0, 0],
      ],
    );
    await addsUp(t, property, 28, 6);
  });

  await group.test(
    'a request that is repeated books once, also when its answer was lost at the provider',
    async (t) => {
      const property = await BlackboxProperty.open(service);
      const body = {
        propertyId: property.propertyId,
        guestInfo: someone(),
        stayDetails: { checkIn: property.day(30), checkOut: property.day(31) },
        rooms: [STD, STD],
        paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_timeout' },
      };
      const options = { body, headers: { 'idempotency-key': randomUUID() } };
      const lost = await service.bookings('POST', '', options);
      t.equal(lost.status, 503, lost.text);
      const { json } = must(await untilDecided(() => service.bookings<Booking>('POST', '', options)), 201);
      const again = must(await service.bookings<Booking>('POST', '', options), 201);
      t.same(again.json, json);
      t.equal((await property.reservations()).length, 2);
      t.equal(json.paidAmount, 200);
    },
  );

  await group.test(`of ${RUSH} who want three of the last ten rooms at once, three get them`, async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { STD: 10 }, policies: { maxHeldPercent: 100 } });
    const answers = await Promise.all(
      Array.from({ length: RUSH }, () => untilDecided(() => book(property, [STD, STD, STD]))),
    );
    const sold = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    t.equal(sold.length, 3);
    t.equal(sold.length + refused.length, RUSH, 'nobody got another answer');
    t.same(await property.left(30, 2, 'STD'), [1, 1]);
    t.equal((await property.reservations()).length, 9);
    await addsUp(t, property, 28, 6);
  });

  await group.test('a channel that repeats a request under its own id gets the first reservation', async (t) => {
    const property = await BlackboxProperty.open(service);
    const externalId = `B-${randomUUID()}`;
    const guestInfo = someone();
    const ask = (wish: Wish = {}) =>
      property.book({ guest: guestInfo, more: { source: { channel: 'OTA', externalId } }, ...wish });
    const first = must(await ask(), 201);
    const { reservationId } = first.json;
    const second = must(await ask(), 200);
    t.match(second.json, { reservationId, confirmationNumber: first.json.confirmationNumber });
    t.equal(second.headers['idempotency-replayed'], 'true');
    const other = await ask({ nights: 3 });
    isProblem(t, other, 409, { code: 'ALREADY_EXISTS' });
    t.match(JSON.parse(other.text), { reservationId });
    isProblem(t, await ask({ guest: someone() }), 409, { code: 'ALREADY_EXISTS' });
    must(await ask({ more: { source: { channel: 'CORPORATE', externalId } } }), 201);
    const body = { modifications: { stayDetails: { nights: 3 } } };
    must(await service.reservations('PUT', `/${reservationId}`, { body }), 200);
    t.match(must(await ask(), 200).json, { reservationId, stayDetails: { nights: 3 } });
    const found = await service.reservations<{ items: Reservation[] }>(
      'GET',
      `?externalId=${externalId}&channel=OTA`,
    );
    t.match(must(found, 200).json.items, [{ reservationId, source: { externalId } }]);
    t.equal((await property.reservations()).length, 2);
  });

  await group.test('of many requests of a channel under one id at once, one books', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 20 } });
    const source = { channel: 'OTA', externalId: `B-${randomUUID()}` };
    const guestInfo = someone();
    for (const card of ['tok_visa', null]) {
      const more = { source: { ...source, externalId: `${source.externalId} ${String(card)}` } };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          until('an answer', 20_000, async () => {
            const answer = await property.book({ guest: guestInfo, card, more });
            return answer.status < 300 ? answer : undefined;
          }),
        ),
      );
      t.equal(answers.filter(({ status }) => status === 201).length, 1);
      t.equal(new Set(answers.map(({ json }) => json.reservationId)).size, 1);
    }
    t.equal((await property.reservations()).length, 2);
    await addsUp(t, property, 28, 6);
  });

  await group.test('the id of a booking of several rooms is that of its first one', async (t) => {
    const property = await BlackboxProperty.open(service);
    const source = { channel: 'OTA', externalId: `B-${randomUUID()}` };
    const guestInfo = someone();
    const first = must(await book(property, [STD, DLX], { source, guestInfo }), 201).json;
    const again = must(await book(property, [STD, DLX], { source, guestInfo }), 200).json;
    t.equal(again.bookingId, first.bookingId);
    t.equal(again.reservations.length, 2);
    const clash = { code: 'ALREADY_EXISTS' };
    for (const others of [[STD], [STD, STD], [STD, DLX, DLX], [STD, { ...DLX, guestInfo: someone() }]])
      isProblem(t, await book(property, others, { source, guestInfo }), 409, clash);
    isProblem(t, await property.book({ roomType: 'STD', guest: guestInfo, more: { source } }), 409, clash);
    const alone = { channel: 'OTA', externalId: `B-${randomUUID()}` };
    must(await property.book({ roomType: 'STD', guest: guestInfo, more: { source: alone } }), 201);
    isProblem(t, await book(property, [STD], { source: alone, guestInfo }), 409, clash);
    const long = { channel: 'OTA', externalId: 'x'.repeat(99) };
    isProblem(t, await book(property, [STD, STD], { source: long }), 400, { pointers: ['/source/externalId'] });
    t.equal((await property.reservations()).length, 3);
  });

  await group.test('who walks in needs no address, everybody else does', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { email: _, ...guestInfo } = someone();
    const walkIn = (channel: string) =>
      service.reservations<Reservation>('POST', '', {
        body: { ...property.wish(), guestInfo, source: { channel } },
      });
    isProblem(t, await walkIn('DIRECT'), 400, { pointers: ['/guestInfo/email'] });
    const one = must(await walkIn('WALKIN'), 201).json;
    const two = must(await walkIn('WALKIN'), 201).json;
    t.not(one.guestInfo.guestId, two.guestInfo.guestId, 'nobody knows whether they are the same');
    const body = { modifications: { specialRequests: ['A quiet room'] } };
    must(await service.reservations('PUT', `/${one.reservationId}`, { body }), 200);
    t.match((await property.read(one.reservationId)).json, {
      guestInfo: { lastName: guestInfo.lastName, email: '' },
    });
    must(await service.reservations('DELETE', `/${two.reservationId}`), 200);
    const rooms = await book(property, [STD], { guestInfo, source: { channel: 'WALKIN' } });
    must(rooms, 201);
    isProblem(t, await book(property, [STD], { guestInfo }), 400, { pointers: ['/guestInfo/email'] });
    const family = ['Ann', 'Bob'].map((firstName) => ({ ...STD, guestInfo: { ...guestInfo, firstName } }));
    const { reservations } = must(
      await book(property, family, { guestInfo, source: { channel: 'WALKIN' } }),
      201,
    ).json;
    t.equal(new Set(reservations.map((each) => each.guestInfo.guestId)).size, 2);
    await until('the erasure', 20_000, async () => {
      const path = `${service.dev.reservationUrl}/api/v1/guests/${two.guestInfo.guestId}`;
      must(await service.call('DELETE', path, { role: 'ADMIN' }), 200);
      return (await property.read(two.reservationId)).text.includes(guestInfo.lastName) ? undefined : true;
    });
  });

  await group.test('a MANAGER changes the rate code of a reservation', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked();
    const change = (rateCode: string, role: 'STAFF' | 'MANAGER') =>
      service.reservations('PUT', `/${reservationId}`, {
        body: { modifications: { stayDetails: { rateCode } } },
        role,
      });
    isProblem(t, await change('FLEX', 'STAFF'), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await change('NOPE', 'MANAGER'), 422, { code: 'UNKNOWN_RATE_CODE' });
    const { json } = must(await change('FLEX', 'MANAGER'), 200);
    t.match(json, { changes: { rateCode: { from: 'BAR', to: 'FLEX' }, totalAmount: { from: 200, to: 220 } } });
    t.match((await property.read(reservationId)).json, {
      stayDetails: { rateCode: 'FLEX' },
      terms: { policyName: 'FLEXIBLE' },
    });
    await addsUp(t, property, 28, 6);
  });

  await group.test('what is wrong in a booking is named', async (t) => {
    const property = await BlackboxProperty.open(service);
    const wrong = async (rooms: readonly object[], pointers: string[]) =>
      isProblem(t, await book(property, rooms), 400, { pointers });
    await wrong([], ['/rooms']);
    await wrong(
      Array.from({ length: 10 }, () => STD),
      ['/rooms'],
    );
    await wrong([STD, { roomType: 'DLX', adults: 0 }], ['/rooms/1/adults']);
    await wrong([{ ...STD, childAges: [18] }], ['/rooms/0/childAges/0']);
    await wrong([{ ...STD, children: 2, childAges: [5] }], ['/rooms/0/childAges']);
    isProblem(t, await book(property, [STD, { ...DLX, roomType: 'NOPE' }]), 422, { code: 'UNKNOWN_ROOM_TYPE' });
    isProblem(t, await book(property, [STD, { ...DLX, adults: 9 }]), 422, { code: 'OCCUPANCY_EXCEEDED' });
    isProblem(t, await service.bookings('GET', `/${randomUUID()}`), 404, { code: 'RESERVATION_NOT_FOUND' });
    isProblem(t, await service.bookings('GET', '/none'), 404);
    isProblem(t, await book(property, [STD], {}, { role: 'VIEWER' }), 403, { code: 'ROLE_TOO_LOW' });
  });
}
