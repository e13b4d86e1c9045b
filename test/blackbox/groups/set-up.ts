import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, propertyBody } from '../property.ts';
import type { Service } from '../service.ts';
import type { Page } from '../shapes.ts';

/** Properties, room types, rooms, inventory (docs/reference/set-up.md#property). */
export async function setUp(group: Test, service: Service): Promise<void> {
  await group.test('a property is made, read, listed, changed and removed', async (t) => {
    const propertyId = `made-${randomUUID().slice(0, 8)}`;
    const path = `/properties/${propertyId}`;
    const made = await service.tenants('POST', '/properties', { body: propertyBody(propertyId, { taxPercent: 6 }) });
    t.equal(made.status, 201);
    t.equal(made.headers.location, `/api/v1/tenants/demo/properties/${propertyId}`);
    const read = await service.tenants('GET', path);
    const defaults = { horizonNights: 730, holdDurationSeconds: 900, freeCancellationHours: 48, nightAuditHour: 3 };
    t.match(read.json, {
      propertyId,
      metadata: {
        currency: 'EUR',
        checkInTime: '15:00',
        checkOutTime: '11:00',
        policies: { taxPercent: 6, ...defaults },
      },
    });
    isProblem(t, await service.tenants('POST', '/properties', { body: propertyBody(propertyId) }), 409);
    const roomType = { roomType: 'STD', name: 'Standard', maxAdults: 2, totalRooms: 4 };
    must(await service.tenants('POST', `${path}/room-types`, { body: roomType }), 201);
    const listed = must(await service.tenants<Page<{ propertyId: string }>>('GET', '/properties?limit=200'), 200);
    const shown = listed.json.items.find((one) => one.propertyId === propertyId);
    const rooms = { metadata: { totalRooms: 4 } };
    t.match(shown, rooms, 'with the rooms of its types');
    t.match((await service.tenants('GET', path)).json, rooms);
    const renamed = await service.tenants('PUT', path, {
      body: { ...propertyBody(propertyId), name: 'Another name' },
    });
    t.match(renamed, { status: 200, json: { name: 'Another name', ...rooms } });
    t.equal((await service.tenants('DELETE', path)).status < 300, true);
    isProblem(t, await service.tenants('GET', path), 404, { code: 'PROPERTY_NOT_FOUND' });
    t.match((await service.tenants('POST', `${path}/restore`)).json, { propertyId, ...rooms });
  });
  await group.test('a property with unfinished reservations is not removed', async (t) => {
    const property = await BlackboxProperty.open(service);
    await property.booked();
    isProblem(t, await service.tenants('DELETE', `/properties/${property.propertyId}`), 409, {
      code: 'PROPERTY_IN_USE',
    });
    t.same(await property.left(30, 2), [2, 2]);
  });
  await group.test('room types and rooms are made, read and changed', async (t) => {
    const property = await BlackboxProperty.open(service);
    const path = `/properties/${property.propertyId}`;
    t.match((await service.tenants('GET', `${path}/room-types/DLX`)).json, {
      roomType: 'DLX',
      totalRooms: 3,
      maxGuests: 4,
    });
    const twice = { roomType: 'DLX', name: 'Again', maxAdults: 2, maxChildren: 0, maxGuests: 2, totalRooms: 1 };
    isProblem(t, await service.tenants('POST', `${path}/room-types`, { body: twice }), 409);
    const room = { roomNumber: '101', roomType: 'DLX', floor: 1, status: 'AVAILABLE', features: ['sea view'] };
    t.equal((await service.tenants('POST', `${path}/rooms`, { body: room })).status, 201);
    t.match((await service.tenants('GET', `${path}/rooms/101`)).json, room);
    isProblem(t, await service.tenants('POST', `${path}/rooms`, { body: room }), 409);
    const nowhere = { ...room, roomNumber: '102', roomType: 'NOPE' };
    isProblem(t, await service.tenants('POST', `${path}/rooms`, { body: nowhere }), 422, {
      code: 'UNKNOWN_ROOM_TYPE',
    });
    const body = { status: 'OUT_OF_ORDER', notes: 'a leak' };
    const broken = await service.tenants('PUT', `${path}/rooms/101/status`, { body, role: 'STAFF' });
    t.match(broken, { status: 200, json: { roomNumber: '101', status: 'OUT_OF_ORDER' } });
    isProblem(t, await service.tenants('GET', `${path}/rooms/999`), 404);
  });
  await group.test('availability says what there is, and a quote says the same', async (t) => {
    const property = await BlackboxProperty.open(service);
    await property.booked();
    const [cell] = await property.cells(30, 1, 'DLX');
    t.match(cell, {
      propertyId: property.propertyId,
      totalRooms: 3,
      bookedRooms: 1,
      heldRooms: 0,
      blockedRooms: 0,
      availableRooms: 2,
      status: /^(OPEN|LIMITED)$/,
    });
    t.equal((await property.quoted()).dailyRates[0]?.availability, 2);
    t.equal((await property.cells(0, 366)).length, 2 * 366);
  });
  await group.test(
    'capacity cut below what is sold is accepted, shows 0 and sells nothing until the gap is closed',
    async (t) => {
      const property = await BlackboxProperty.open(service, { rooms: { DLX: 3 } });
      const first = await property.booked();
      await property.booked();
      const put = (more: Record<string, unknown>) =>
        service.tenants('PUT', `/properties/${property.propertyId}/inventory`, {
          body: { roomType: 'DLX', startDate: property.day(30), endDate: property.day(31), ...more },
        });
      t.equal((await put({ totalRooms: 1 })).status, 200);
      t.match(await property.cells(30, 1, 'DLX'), [{ totalRooms: 1, bookedRooms: 2, availableRooms: 0 }]);
      isProblem(t, await property.book(), 409, { code: 'ROOM_NOT_AVAILABLE' });
      const url = `${service.dev.reservationUrl}/api/v1/admin/audit/${property.propertyId}`;
      const audit = must(await service.call<{ oversold: unknown[]; violations: unknown[] }>('GET', url), 200).json;
      t.ok(audit.oversold.length > 0, 'the gap is reported');
      t.same(audit.violations, []);
      const metric = `${service.dev.reservationUrl}/actuator/metrics/actor.invariant.violations`;
      t.match((await service.call('GET', metric)).json, { measurements: [{ statistic: 'COUNT', value: 0 }] });
      await service.reservations('DELETE', `/${first.reservationId}`);
      isProblem(t, await property.book(), 409, { code: 'ROOM_NOT_AVAILABLE' });
      t.equal((await put({ totalRooms: 2 })).status, 200);
      t.equal((await property.book()).status, 201);
      t.same(await property.left(30, 3), [0, 0, 3]);
    },
  );
  await group.test('blocked rooms are not sold, and an overbooking limit sells above the rooms', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 2 } });
    const put = (more: Record<string, unknown>) =>
      service.tenants('PUT', `/properties/${property.propertyId}/inventory`, {
        body: { roomType: 'DLX', startDate: property.day(30), endDate: property.day(31), ...more },
      });
    t.equal((await put({ blockedRooms: 1 })).status, 200);
    t.match(await property.cells(30, 1, 'DLX'), [{ totalRooms: 2, blockedRooms: 1, availableRooms: 1 }]);
    await property.booked();
    isProblem(t, await property.book(), 409, { code: 'ROOM_NOT_AVAILABLE' });
    t.equal((await put({ blockedRooms: 0, overbookingLimit: 1 })).status, 200);
    t.same(await property.left(30, 2), [2, 2]);
    isProblem(t, await put({ endDate: property.day(29) }), 400);
    isProblem(t, await put({}), 400);
    isProblem(t, await put({ totalRooms: -1 }), 400, { pointers: ['/totalRooms'] });
    await addsUpWithoutLimit(t, property);
  });
}

/** Nights without an overbooking limit still add up after all that. */
function addsUpWithoutLimit(t: Test, property: BlackboxProperty): Promise<void> {
  return addsUp(t, property, 32, 4);
}
