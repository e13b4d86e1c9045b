import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { advanceClock, BlackboxProperty, must, serviceClock } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';

type Json = Record<string, unknown>;
type Conflicts = { items: { reason: string; date: string; reservationIds: string[] }[] };
type AssignedAll = { assigned: { reservationId: string; roomNumber: string }[]; unassigned: Json[]; until: string };
type Invoice = {
  totalAmount: number;
  items: { amount: number; taxes: number }[];
  receiptUrl: string;
  status: string;
};
type Left = { payment: { receiptUrl: string } | null };

/** Who has which room, and the papers of a stay (docs/concepts/rooms.md#rooms). */
export async function rooms(group: Test, service: Service): Promise<void> {
  const hotel = async (numbers = ['101', '102', '103'], more: Json = {}): Promise<BlackboxProperty> => {
    const property = await BlackboxProperty.open(service, { policies: { taxPercent: 10, ...more } });
    for (const [index, roomNumber] of numbers.entries())
      must(
        await service.tenants('POST', `/properties/${property.propertyId}/rooms`, {
          body: { roomNumber, roomType: 'DLX', floor: index + 1 },
        }),
        201,
      );
    return property;
  };
  const assign = (id: string, roomNumber: string, role: 'ADMIN' | 'STAFF' = 'ADMIN') =>
    service.call<Json>(
      role === 'ADMIN' ? 'POST' : 'PUT',
      role === 'ADMIN'
        ? `${service.dev.reservationUrl}/api/v1/admin/reservations/${id}/assign-room`
        : `${service.dev.reservationUrl}/api/v1/reservations/${id}/room`,
      { body: { roomNumber }, role },
    );
  const admin = <T>(path: string) =>
    service.call<T>('GET', `${service.dev.reservationUrl}/api/v1/admin${path}`, { role: 'ADMIN' });
  const status = (property: BlackboxProperty, roomNumber: string) =>
    admin<Json>(`/rooms/${roomNumber}/status?propertyId=${property.propertyId}`);
  const conflicts = async (property: BlackboxProperty): Promise<Conflicts['items']> =>
    must(await admin<Conflicts>(`/room-assignments/conflicts?propertyId=${property.propertyId}`), 200).json.items;

  await group.test('a room is assigned by hand, reserved, and shown', async (t) => {
    const property = await hotel();
    const one = await property.booked({ from: 3 });
    const other = await property.booked({ from: 4 });
    t.match(must(await assign(one.reservationId, '101'), 200).json, {
      reservationId: one.reservationId,
      roomNumber: '101',
      roomType: 'DLX',
      upgraded: false,
      previousRoomNumber: null,
    });
    const read = (await property.read(one.reservationId)).json as unknown as { stayDetails: Json };
    t.match(read.stayDetails, { roomNumber: '101', assignedAt: String });
    isProblem(t, await assign(other.reservationId, '101'), 409, { code: 'ROOM_TAKEN' });
    isProblem(t, await assign(other.reservationId, '999'), 404, { code: 'ROOM_NOT_FOUND' });
    isProblem(t, await assign(other.reservationId, ''), 400);
    t.equal((await assign(other.reservationId, '102', 'STAFF')).status, 200);
    t.match(must(await assign(one.reservationId, '103'), 200).json, { previousRoomNumber: '101' });
    t.match(must(await status(property, '103'), 200).json, {
      propertyId: property.propertyId,
      roomNumber: '103',
      roomType: 'DLX',
      status: 'AVAILABLE',
      nextArrival: property.day(3),
    });
    t.notOk((await status(property, '101')).json.nextArrival);
    isProblem(t, await status(property, '777'), 404);
    isProblem(t, await admin('/rooms/101/status'), 400, { parameters: ['propertyId'] });
    isProblem(
      t,
      await service.call(
        'POST',
        `${service.dev.reservationUrl}/api/v1/admin/reservations/${one.reservationId}/assign-room`,
        { body: { roomNumber: '101' }, role: 'MANAGER' },
      ),
      403,
    );
    await addsUp(t, property, 2, 8);
  });
  await group.test('all arrivals get a room at once, after it was said who would get which', async (t) => {
    const property = await hotel(undefined, { autoAssign: false });
    const wishes = [1, 2, 3, 0].map((from) => ({ from, nights: 2 }));
    const [tomorrow, later, last, today] = await Promise.all(wishes.map((wish) => property.booked(wish)));
    const path = `/properties/${property.propertyId}/room-assignments`;
    const run = (query: string, body: Json, options: CallOptions = {}) =>
      service.tenants<AssignedAll>('POST', `${path}${query}`, { role: 'STAFF', body, ...options });
    const ids = ({ json }: { json: AssignedAll }) => json.assigned.map((one) => one.reservationId).sort();
    const until = property.day(2);
    const plan = must(await run('?dryRun=true', { until }), 200);
    t.same(ids(plan), [tomorrow, later, today].map((one) => one!.reservationId).sort());
    t.match((await property.read(today!.reservationId)).json, { stayDetails: { roomNumber: 'TBA' } }, 'only asked');
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const done = must(await run('', { until }, options), 200);
    t.same(done.json, plan.json, 'as it was said');
    t.match(done.json, { until, unassigned: [] });
    t.same(ids(must(await run('', { until }, options), 200)), ids(done), 'a repeat answers the same stays');
    const again = { headers: { 'idempotency-key': randomUUID() } };
    for (let n = 0; n < 2; n++) t.same(ids(must(await run('', { until }, again), 200)), [], 'nobody is left');
    t.match((await property.read(last!.reservationId)).json, { stayDetails: { roomNumber: 'TBA' } });
    for (const n of [-1, 31]) isProblem(t, await run('', { until: property.day(n) }), 400, { pointers: ['/until'] });
    await addsUp(t, property, 0, 8);
  });
  await group.test('what cannot hold is reported as a conflict', async (t) => {
    const property = await hotel(['101']);
    const first = await property.booked({ from: 0, nights: 2 });
    const second = await property.booked({ from: 1, nights: 1 });
    must(await assign(first.reservationId, '101'), 200);
    t.match(await conflicts(property), [
      { reason: 'NO_ROOM_LEFT', date: property.day(1), reservationIds: [second.reservationId] },
    ]);
    const out = `/properties/${property.propertyId}/rooms/101/status`;
    must(
      await service.tenants('PUT', out, { body: { status: 'OUT_OF_ORDER', notes: 'a leak' }, role: 'STAFF' }),
      200,
    );
    t.match((await conflicts(property)).map(({ reason }) => reason).sort(), ['NO_ROOM_LEFT', 'OUT_OF_ORDER']);
    isProblem(t, await assign(second.reservationId, '101'), 409, { code: 'ROOM_OUT_OF_ORDER' });
  });
  await group.test('a stay from arrival to receipt: verification, history, invoice, housekeeping', async (t) => {
    const property = await hotel(['101']);
    const { reservationId } = await property.booked({ from: 0, nights: 1 });
    const paper = <T = Json>(path: string) => service.reservations<T>('GET', `/${reservationId}/${path}`);
    t.match((await paper('guest-verification')).json, { status: 'NOT_VERIFIED', verifiedAt: null });
    t.match((await paper('invoice')).json, { status: 'PRO_FORMA', totalAmount: 110, balanceDue: 0 });
    const body = { identificationVerified: true, keyCards: 1, staffMember: 'Eve' };
    must(await service.reservations('POST', `/${reservationId}/checkin`, { body }), 200);
    t.match((await paper('guest-verification')).json, { status: 'VERIFIED', verifiedBy: 'Eve' });
    t.match((await status(property, '101')).json, { status: 'OCCUPIED', reservationId });
    const bill = { finalCharges: [{ description: 'Minibar <b>', amount: 7.5 }], staffMember: 'Bob' };
    const left = must(await service.reservations<Left>('POST', `/${reservationId}/checkout`, { body: bill }), 200);
    t.match((await paper('guest-verification')).json, { status: 'EXPIRED' });
    const { json: invoice } = await paper<Invoice>('invoice');
    t.match(invoice, { status: 'ISSUED', invoiceNumber: /^INV-/, balanceDue: 0 });
    const sum = invoice.items.reduce((all, { amount, taxes }) => all + amount + taxes, 0);
    t.equal(Math.round(sum * 100), Math.round(invoice.totalAmount * 100));
    t.match((await paper('history')).json, {
      items: [{ event: 'CREATED' }, {}, {}],
      statusHistory: [
        { oldStatus: null, newStatus: 'CONFIRMED' },
        { newStatus: 'CHECKED_IN', changedBy: 'Eve' },
        { newStatus: 'CHECKED_OUT', changedBy: 'Bob' },
      ],
    });
    const receipt = await fetch(`${service.dev.reservationUrl}${left.json.payment!.receiptUrl}`);
    const html = await receipt.text();
    t.equal(receipt.status, 200);
    t.match(html, /Receipt: INV-/);
    t.match(html, 'Minibar &lt;b&gt;');
    t.match(html, /EUR\s117\.50/);
    const forged = await fetch(`${service.dev.reservationUrl}/receipts/k.demo~${reservationId}.00000000000000000000`);
    t.equal(forged.status, 404);
    const tasks = `/properties/${property.propertyId}/housekeeping-tasks`;
    t.match(must(await service.tenants('GET', tasks, { role: 'STAFF' }), 200).json, {
      items: [{ roomNumber: '101', status: 'PENDING' }],
    });
    const clean = { body: { status: 'CLEAN' }, role: 'STAFF' as const };
    must(await service.tenants('PUT', `/properties/${property.propertyId}/rooms/101/status`, clean), 200);
    t.same(
      (must(await service.tenants('GET', tasks, { role: 'STAFF' }), 200).json as { items: unknown[] }).items,
      [],
    );
    await addsUp(t, property, 0, 4);
  });
}

/**
 * Assignment by the clock (docs/concepts/rooms.md#assignment): once for each property, at its own hour of the day
 * before arrival.
 */
export async function assignment(group: Test, service: Service): Promise<void> {
  await group.test('at 14:00 the day before, arrivals get their rooms, members and long stays first', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 3, STD: 1 } });
    for (const [number, roomType] of [
      ['201', 'DLX'],
      ['202', 'DLX'],
      ['101', 'STD'],
    ] as const)
      must(
        await service.tenants('POST', `/properties/${property.propertyId}/rooms`, {
          body: { roomNumber: number, roomType, floor: 1 },
        }),
        201,
      );
    const short = await property.booked({ from: 4, nights: 1 });
    const long = await property.booked({ from: 4, nights: 3 });
    const third = await property.booked({ from: 4, nights: 2 });
    const later = await property.booked({ from: 6 });
    const goTo = async (instant: number) => {
      const by = (instant - Date.parse((await serviceClock(service)).now)) / 1_000;
      must(await advanceClock(service, Math.ceil(by)), 200);
    };
    const roomOf = async ({ reservationId }: { reservationId: string }): Promise<unknown> =>
      ((await property.read(reservationId)).json as unknown as { stayDetails: Json }).stayDetails.roomNumber;
    await goTo(Date.parse(`${property.day(3)}T13:30:00Z`));
    t.same(await Promise.all([short, long, third].map(roomOf)), ['TBA', 'TBA', 'TBA']);
    await goTo(Date.parse(`${property.day(3)}T14:01:00Z`));
    const given = await Promise.all([short, long, third, later].map(roomOf));
    t.equal(given[0], 'TBA', 'the shortest stay of three for two rooms');
    const jobs = service.output.split('\n').filter((line) => line.includes('a daily job has failed'));
    t.same(new Set([given[1], given[2]]), new Set(['201', '202']), jobs.join('\n'));
    t.equal(given[3], 'TBA', 'not its day yet');
    const metric = `${service.dev.reservationUrl}/actuator/metrics/room.assignment.queue.size`;
    t.match((await service.call('GET', metric)).json, { measurements: [{ value: 0 }] });
    await addsUp(t, property, 3, 6);
  });
}
