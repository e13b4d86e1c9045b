import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { advanceClock, BlackboxProperty, must, serviceClock, someone } from '../property.ts';
import type { Service } from '../service.ts';

type Json = Record<string, unknown>;
type Unmet = { kind: string; value?: string; reason: string; text: string };
type Wishing = { stayDetails: { roomNumber: string }; roomWishes: Json[]; unmetWishes: Unmet[] };
type Conflicts = { items: Json[] };

const ACCESSIBLE = { kind: 'ACCESSIBLE', required: true };
const VIEW = { kind: 'FEATURE', value: 'VIEW', weight: 20 };

/** DLX 101, accessible 102 with a door to 103, and 104 with a view; on request 105 and 106 with a door between them. */
async function hotel(service: Service, isLarge = false): Promise<BlackboxProperty> {
  const property = await BlackboxProperty.open(service, { rooms: { DLX: isLarge ? 6 : 4 } });
  const room = async (roomNumber: string, more: Json = {}) =>
    must(
      await service.tenants('POST', `/properties/${property.propertyId}/rooms`, {
        body: { roomNumber, roomType: 'DLX', floor: 1, ...more },
      }),
      201,
    );
  await room('101');
  await room('102', { accessible: true });
  await room('103', { connectsTo: ['102'] });
  await room('104', { features: ['VIEW'] });
  if (!isLarge) return property;
  await room('105');
  await room('106', { connectsTo: ['105'] });
  return property;
}

/** What a stay wishes of its room (docs/reference/bookings.md#room-wishes). */
export async function roomWishes(group: Test, service: Service): Promise<void> {
  const api = `${service.dev.reservationUrl}/api/v1`;
  const assign = (id: string, roomNumber: string) =>
    service.call<Json & { unmetWishes: Unmet[] }>('POST', `${api}/admin/reservations/${id}/assign-room`, {
      body: { roomNumber },
      role: 'ADMIN',
    });
  const wishing = (property: BlackboxProperty, wishes: Json[], more: Json = {}) =>
    property.booked({ from: 3, more: { roomWishes: wishes, ...more } });
  const read = async (property: BlackboxProperty, { reservationId }: { reservationId: string }): Promise<Wishing> =>
    (await property.read(reservationId)).json as unknown as Wishing;

  await group.test('accessible rooms and doors are set up, on both sides', async (t) => {
    const property = await hotel(service);
    const path = `/properties/${property.propertyId}/rooms`;
    const room = async (number: string): Promise<unknown> => (await service.tenants('GET', `${path}/${number}`)).json;
    t.match(await room('102'), { accessible: true, connectsTo: ['103'] });
    t.match(await room('104'), { accessible: false, connectsTo: [] });
    const put = (number: string, more: Json) =>
      service.tenants('PUT', `${path}/${number}`, { body: { roomType: 'DLX', floor: 2, ...more } });
    t.match(must(await put('102', {}), 200).json, { floor: 2, accessible: true, connectsTo: ['103'] });
    isProblem(t, await put('101', { connectsTo: ['101'] }), 400, { pointers: ['/connectsTo/0'] });
    isProblem(t, await put('101', { connectsTo: ['103', '999'] }), 400, { pointers: ['/connectsTo/1'] });
    must(await put('101', { connectsTo: ['103'] }), 200);
    t.match(await room('103'), { connectsTo: ['101', '102'] });
    must(await service.tenants('DELETE', `${path}/103`), 200);
    t.match(await room('102'), { connectsTo: [] });
    must(await service.tenants('POST', `${path}/103/restore`), 200);
    t.match(await room('102'), { connectsTo: ['103'] });
  });

  await group.test('wishes are kept with the reservation, changed, and checked', async (t) => {
    const property = await hotel(service);
    const floor = { kind: 'FLOOR', value: '2' };
    const one = await wishing(property, [ACCESSIBLE, floor]);
    const whole = [
      { kind: 'ACCESSIBLE', weight: 10, required: true },
      { ...floor, weight: 10, required: false },
    ];
    t.same((await read(property, one)).roomWishes, whole);
    const change = (wishes: Json[]) =>
      service.reservations<{ changes: Json }>('PUT', `/${one.reservationId}`, {
        body: { modifications: { roomWishes: wishes } },
      });
    t.match(must(await change([VIEW]), 200).json.changes, { roomWishes: { to: [VIEW] } });
    t.same((await read(property, one)).roomWishes, [{ ...VIEW, required: false }]);
    must(await change([]), 200);
    t.same((await read(property, one)).roomWishes, []);
    const wrong: [Json[], string][] = [
      [[{ kind: 'FLOOR' }], '/modifications/roomWishes/0/value'],
      [[{ kind: 'FLOOR', value: 'TOP' }], '/modifications/roomWishes/0/value'],
      [[{ kind: 'ACCESSIBLE', value: 'yes' }], '/modifications/roomWishes/0/value'],
      [[{ kind: 'CONNECTING', required: true }], '/modifications/roomWishes/0/required'],
      [[{ ...VIEW, weight: 101 }], '/modifications/roomWishes/0/weight'],
      [[VIEW, VIEW], '/modifications/roomWishes/1/kind'],
    ];
    for (const [wishes, pointer] of wrong) isProblem(t, await change(wishes), 400, { pointers: [pointer] });
    const many = Array.from({ length: 11 }, (_, index) => ({ kind: 'FEATURE', value: `${index}` }));
    isProblem(t, await change(many), 400);
    const rooms = [
      { roomType: 'DLX', adults: 1, roomWishes: [VIEW] },
      { roomType: 'DLX', adults: 1 },
    ];
    const stayDetails = { checkIn: property.day(8), checkOut: property.day(9) };
    const body = { propertyId: property.propertyId, guestInfo: someone(), stayDetails, rooms };
    const paymentDetails = { method: 'CREDIT_CARD', cardToken: 'tok_visa' };
    const made = must(
      await service.bookings<{ reservations: { reservationId: string }[] }>('POST', '', {
        body: { ...body, paymentDetails },
      }),
      201,
    );
    const [first, second] = made.json.reservations;
    t.match((await read(property, first!)).roomWishes, [VIEW]);
    t.same((await read(property, second!)).roomWishes, []);
  });

  await group.test('a room by hand meets what is required, and the answer says what it does not meet', async (t) => {
    const property = await hotel(service);
    const { reservationId } = await wishing(property, [ACCESSIBLE, VIEW, { kind: 'FEATURE', value: 'BATH' }]);
    isProblem(t, await assign(reservationId, '104'), 422, { code: 'ROOM_UNSUITABLE' });
    const { json } = must(await assign(reservationId, '102'), 200);
    t.match(json.unmetWishes, [
      { kind: 'FEATURE', value: 'VIEW', reason: 'TAKEN' },
      { kind: 'FEATURE', value: 'BATH', reason: 'NO_SUCH_ROOM', text: /No room/ },
    ]);
    t.same((await read(property, { reservationId })).unmetWishes, json.unmetWishes);
    const other = await wishing(property, [ACCESSIBLE]);
    const conflicts = `${api}/admin/room-assignments/conflicts?propertyId=${property.propertyId}`;
    t.match(must(await service.call<Conflicts>('GET', conflicts, { role: 'ADMIN' }), 200).json.items, [
      { reason: 'NO_ACCESSIBLE_ROOM', roomType: 'DLX', date: property.day(3), reservationIds: [other.reservationId] },
    ]);
  });

  await group.test('a guest who needs an accessible room is not let into another', async (t) => {
    const property = await hotel(service);
    const status = (number: string, to: string) =>
      service.tenants('PUT', `/properties/${property.propertyId}/rooms/${number}/status`, { body: { status: to } });
    must(await status('102', 'DIRTY'), 200);
    const needs = await property.booked({ from: 0, more: { roomWishes: [ACCESSIBLE] } });
    const view = await property.booked({ from: 0, more: { roomWishes: [VIEW] } });
    const checkIn = ({ reservationId }: { reservationId: string }) =>
      service.reservations<{ roomDetails: Json }>('POST', `/${reservationId}/checkin`, {
        body: { identificationVerified: true },
      });
    isProblem(t, await checkIn(needs), 409, { code: 'NO_ROOM_READY' });
    t.match(must(await checkIn(view), 200).json.roomDetails, { roomNumber: '104' });
    must(await status('102', 'CLEAN'), 200);
    t.match(must(await checkIn(needs), 200).json.roomDetails, { roomNumber: '102' });
  });
}

/** Assignment by the clock, with wishes (docs/concepts/rooms.md#assignment). */
export async function wishesAssigned(group: Test, service: Service): Promise<void> {
  await group.test('the assignment of the day before meets wishes, and says why it does not', async (t) => {
    const property = await hotel(service, true);
    const wish = (wishes: Json[], more: Json = {}) =>
      property.booked({ from: 4, more: { roomWishes: wishes }, ...more });
    const needs = await wish([ACCESSIBLE]);
    const view = await wish([VIEW]);
    const long = await wish([{ ...VIEW, weight: 19 }], { nights: 5 });
    const pair = { roomType: 'DLX', adults: 2, roomWishes: [{ kind: 'CONNECTING' }] };
    const body = {
      propertyId: property.propertyId,
      guestInfo: someone(),
      stayDetails: { checkIn: property.day(4), checkOut: property.day(6) },
      rooms: [pair, pair],
      paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' },
    };
    const family = must(
      await service.bookings<{ reservations: { reservationId: string }[] }>('POST', '', { body }),
      201,
    ).json.reservations;
    const leak = {
      roomNumber: '104',
      from: property.day(7),
      to: property.day(8),
      kind: 'OUT_OF_ORDER',
      reason: 'leak',
    };
    must(await service.tenants('POST', `/properties/${property.propertyId}/maintenances`, { body: leak }), 201);
    const at = Date.parse(`${property.day(3)}T14:01:00Z`);
    const by = (at - Date.parse((await serviceClock(service)).now)) / 1_000;
    must(await advanceClock(service, Math.ceil(by)), 200);
    const now = async ({ reservationId }: { reservationId: string }): Promise<Wishing> =>
      (await property.read(reservationId)).json as unknown as Wishing;
    t.match(await now(needs), { stayDetails: { roomNumber: '102' }, unmetWishes: [] });
    t.match(await now(view), { stayDetails: { roomNumber: '104' }, unmetWishes: [] });
    const theirs = await Promise.all(family.map(now));
    t.same(new Set(theirs.map(({ stayDetails }) => stayDetails.roomNumber)), new Set(['105', '106']));
    t.same(
      theirs.flatMap(({ unmetWishes }) => unmetWishes),
      [],
    );
    const closed = await now(long);
    t.match(closed.stayDetails.roomNumber, /101|103/);
    t.match(closed.unmetWishes, [{ kind: 'FEATURE', value: 'VIEW', reason: 'CLOSED', text: /out of order/ }]);
  });
}
