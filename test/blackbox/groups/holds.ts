import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { auditIsClean } from '../audit.ts';
import { place, placed, readHold } from '../hold.ts';
import { isProblem, problemOf } from '../problems.ts';
import { BlackboxProperty, must, untilDecided } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Hold } from '../shapes.ts';
import { holdBounds } from './hold-bounds.ts';
import { bookingsOutOfHolds } from './holds-used.ts';

type Json = Record<string, unknown>;

const HOLD_MS = 900_000;
/** What clocks of the service and of this process may differ by, and what a request may take. */
const SLACK_MS = 60_000;

/** Holds over REST (docs/reference/reservations.md#holds). */
export async function holds(group: Test, service: Service): Promise<void> {
  await group.test('a hold sets rooms aside for 900 s at the price of the moment', async (t) => {
    const property = await BlackboxProperty.open(service, {
      price: 99.99,
      policies: { taxPercent: 7.5, feePerPersonNight: 1.25 },
    });
    const asked = Date.now();
    const answer = await place(property, { rooms: 2, checkOut: property.day(33) });
    const { json } = must(answer, 201);
    t.match(json, {
      propertyId: property.propertyId,
      roomType: 'DLX',
      rateCode: 'BAR',
      checkIn: property.day(30),
      checkOut: property.day(33),
      nights: 3,
      rooms: 2,
      remainingRooms: 2,
      status: 'ACTIVE',
      extended: false,
      adults: 1,
      children: 0,
      price: { totalRate: 299.97, taxes: 22.5, fees: 3.75, totalAmount: 326.22, currency: 'EUR' },
    });
    t.match(answer.text, /"totalRate":299\.97[,}]/);
    t.equal(answer.headers.location, `/api/v1/reservations/holds/${json.holdId}`);
    t.match(answer.headers['x-property-seq'], /^\d+$/);
    const life = Date.parse(json.expiresAt) - Date.parse(json.createdAt);
    t.equal(life, HOLD_MS);
    t.ok(Date.parse(json.createdAt) >= asked - SLACK_MS);
    const cell = { heldRooms: 2, bookedRooms: 0, availableRooms: 1 };
    t.match(await property.cells(30, 3, 'DLX'), [cell, cell, cell]);
    const read = await service.reservations<Hold>('GET', `/holds/${json.holdId}`, { role: 'VIEWER' });
    t.equal(read.status, 200);
    t.same(read.json, json);
    t.match(must(await place(property, { roomType: 'STD', rooms: undefined, adults: 3 }), 201).json, {
      rooms: 1,
      adults: 3,
      price: { fees: 7.5 },
    });
  });

  await group.test('a stay of which nobody says for how many is for one adult at every door', async (t) => {
    const property = await BlackboxProperty.open(service, { price: 100, policies: { feePerPersonNight: 1.25 } });
    const checkIn = property.day(30);
    const checkOut = property.day(32);
    const stay = `propertyId=${property.propertyId}&checkIn=${checkIn}&checkOut=${checkOut}&roomType=DLX`;
    const quoted = must(await service.rates<Json>('GET', `/current?${stay}`), 200).json;
    t.match(quoted, { rates: [{ fees: 2.5 }] });
    const search = { checkIn, checkOut, propertyIds: [property.propertyId], roomType: 'DLX' };
    t.match(must(await service.tenants<Json>('POST', '/availability/search', { body: search }), 200).json, {
      items: [{ fees: 2.5 }],
    });
    t.match(must(await place(property), 201).json, { adults: 1, price: { fees: 2.5 } });
    const booked = await property.book({ from: 30, nights: 2, stay: { adults: undefined } });
    t.match(must(booked, 201).json, { financial: { fees: 2.5 } });
  });

  await group.test('what a hold may not be', async (t) => {
    const property = await BlackboxProperty.open(service);
    const wrong = async (more: Json, ...pointers: string[]) =>
      isProblem(t, await place(property, more), 400, { code: 'VALIDATION_FAILED', pointers });
    for (const rooms of [0, 11, 1.5, '2', null]) await wrong({ rooms }, '/rooms');
    await wrong({ checkIn: property.day(-2) }, '/checkIn');
    await wrong({ checkOut: property.day(30) }, '/checkOut');
    await wrong({ checkOut: property.day(29) }, '/checkOut');
    await wrong({ checkOut: property.day(121) }, '/checkOut');
    await wrong({ checkIn: property.day(900), checkOut: property.day(902) }, '/checkOut');
    await wrong({ checkIn: '2031-02-30' }, '/checkIn');
    await wrong({ checkIn: undefined, roomType: undefined }, '/checkIn', '/roomType');
    await wrong({ adults: 0, children: -1 }, '/adults', '/children');
    await wrong({ guest: 'Ada' }, '/guest');
    isProblem(t, await place(property, { propertyId: 'nowhere' }), 404, { code: 'PROPERTY_NOT_FOUND' });
    isProblem(t, await place(property, { roomType: 'NONE' }), 422, { code: 'UNKNOWN_ROOM_TYPE' });
    isProblem(t, await place(property, { rateCode: 'NONE' }), 422, { code: 'UNKNOWN_RATE_CODE' });
    isProblem(t, await place(property, { adults: 4 }), 422, { code: 'OCCUPANCY_EXCEEDED' });
    isProblem(t, await place(property, { checkIn: property.day(130), checkOut: property.day(131) }), 422, {
      code: 'NO_RATE',
    });
    isProblem(t, await place(property, {}, { role: 'VIEWER' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await place(property, {}, { authorization: null }), 401);
    t.same(await property.left(30, 2), [3, 3], 'nothing was held');
  });

  await group.test('what is sold out or restricted refuses a hold as it refuses a booking', async (t) => {
    const property = await BlackboxProperty.open(service);
    must(await place(property, { rooms: 2 }), 201);
    const soldOut = await place(property, { rooms: 2 });
    isProblem(t, soldOut, 409, { code: 'ROOM_NOT_AVAILABLE' });
    t.match(problemOf(soldOut), { date: property.day(30), alternatives: [{ roomType: 'STD' }] });
    const restrict = (more: Json) =>
      service.rates('PUT', '/restrictions', {
        body: { propertyId: property.propertyId, startDate: property.day(30), endDate: property.day(33), ...more },
      });
    const refused = async (more: Json, code: string) => {
      must(await restrict(more), 200);
      const hold = await place(property, { roomType: 'STD' });
      const booking = await property.book({ roomType: 'STD' });
      isProblem(t, hold, 422, { code });
      isProblem(t, booking, 422, { code });
      t.match(problemOf(hold), { date: (problemOf(booking) as Json)['date'] });
    };
    await refused({ stopSell: true }, 'STOP_SELL');
    await refused({ stopSell: false, closedToArrival: true }, 'CLOSED_TO_ARRIVAL');
    await refused({ closedToArrival: false, closedToDeparture: true }, 'CLOSED_TO_DEPARTURE');
    await refused({ closedToDeparture: false, minStayArrival: 4 }, 'MIN_STAY');
  });

  await group.test('a hold is extended once, counted from now', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { holdId, expiresAt } = await placed(property);
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const extend = (options: CallOptions = {}) =>
      service.reservations<Hold>('POST', `/holds/${holdId}/extend`, options);
    const first = must(await extend(key), 200);
    t.match(first.json, { holdId, extended: true, status: 'ACTIVE', remainingRooms: 1 });
    t.ok(Date.parse(first.json.expiresAt) >= Date.parse(expiresAt));
    const again = await extend(key);
    t.equal(again.text, first.text);
    t.equal(again.headers['idempotency-replayed'], 'true');
    isProblem(t, await extend(), 409, { code: 'INVALID_STATE' });
    t.same((await readHold(service, holdId)).json, first.json);
    isProblem(t, await service.reservations('POST', `/holds/${randomUUID()}/extend`), 404, {
      code: 'HOLD_NOT_FOUND',
    });
    isProblem(t, await extend({ role: 'VIEWER' }), 403, { code: 'ROLE_TOO_LOW' });
  });

  await group.test('a hold that is released gives its rooms back at once', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { holdId } = await placed(property, { rooms: 3 });
    t.same(await property.left(30, 2), [0, 0]);
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const release = (options: CallOptions = {}) => service.reservations('DELETE', `/holds/${holdId}`, options);
    isProblem(t, await release({ role: 'VIEWER' }), 403);
    const gone = must(await release(key), 200);
    t.match(gone.json, { holdId, status: 'RELEASED', remainingRooms: 0 });
    t.same(await property.left(30, 2), [3, 3]);
    const again = await release(key);
    t.same([again.text, again.headers['idempotency-replayed']], [gone.text, 'true']);
    isProblem(t, await release(), 404, { code: 'HOLD_NOT_FOUND' });
    isProblem(t, await readHold(service, holdId), 404, { code: 'HOLD_NOT_FOUND' });
    isProblem(t, await property.book({ more: { holdId } }), 404, { code: 'HOLD_NOT_FOUND' });
    isProblem(t, await readHold(service, 'nonsense'), 404, { code: 'HOLD_NOT_FOUND' });
  });

  await group.test('another tenant has no such hold; a colleague may book out of it', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { holdId } = await placed(property);
    const rival = { tenant: 'rival' };
    isProblem(t, await readHold(service, holdId, rival), 404, { code: 'HOLD_NOT_FOUND' });
    for (const [method, path] of [
      ['POST', '/extend'],
      ['DELETE', ''],
    ] as const)
      isProblem(t, await service.reservations(method, `/holds/${holdId}${path}`, rival), 404, {
        code: 'HOLD_NOT_FOUND',
      });
    const more = { propertyId: 'rival-inn', holdId };
    const theirs = await property.book({ more, roomType: 'STD' }, rival);
    isProblem(t, theirs, 404, { code: 'HOLD_NOT_FOUND' });
    const other = await BlackboxProperty.open(service);
    isProblem(t, await other.book({ more: { holdId } }), 404, { code: 'HOLD_NOT_FOUND' });
    t.equal((await property.book({ more: { holdId } }, { role: 'MANAGER' })).status, 201);
  });

  await group.test('the same request again holds nothing more', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 1 } });
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const first = must(await place(property, {}, key), 201);
    const again = await place(property, {}, key);
    t.same([again.status, again.text], [201, first.text]);
    t.equal(again.headers['idempotency-replayed'], 'true');
    t.equal(again.headers.location, first.headers.location);
    isProblem(t, await place(property, { adults: 1 }, key), 422, { code: 'IDEMPOTENCY_MISMATCH' });
    isProblem(t, await place(property), 409, { code: 'ROOM_NOT_AVAILABLE' });
  });

  await group.test('of 200 who want to hold the last 5 rooms at once, 5 do', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 5 }, policies: { maxHeldPercent: 100 } });
    const answers = await Promise.all(Array.from({ length: 200 }, () => untilDecided(() => place(property))));
    const held = answers.filter(({ status }) => status === 201);
    t.equal(held.length, 5);
    t.equal(new Set(held.map(({ json }) => json.holdId)).size, 5);
    for (const answer of answers.filter(({ status }) => status !== 201).slice(0, 3))
      isProblem(t, answer, 409, { code: 'ROOM_NOT_AVAILABLE' });
    t.equal(answers.filter(({ status }) => status === 409).length, 195);
    t.match(await property.cells(30, 2, 'DLX'), [{ heldRooms: 5, availableRooms: 0 }, { heldRooms: 5 }]);
    await auditIsClean(t, property);
  });

  await bookingsOutOfHolds(group, service);
  await holdBounds(group, service);
}
