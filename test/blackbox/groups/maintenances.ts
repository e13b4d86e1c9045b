import type { Test } from 'tap';

import { auditIsClean } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';
import type { Audit } from '../shapes.ts';

type Json = Record<string, unknown>;
type Stored = Json & { maintenanceId: string; oversold: { roomType: string; date: string; shortfall: number }[] };
type Conflicts = { items: { reason: string; roomNumber?: string; reservationIds: string[] }[] };

/** Rooms that cannot be sold (docs/reference/set-up.md#maintenances). */
export async function maintenances(group: Test, service: Service): Promise<void> {
  const hotel = async (): Promise<BlackboxProperty> => {
    const property = await BlackboxProperty.open(service);
    for (const roomNumber of ['101', '102', '103']) {
      const body = { roomNumber, roomType: 'DLX', floor: 1 };
      must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body }), 201);
    }
    return property;
  };
  const call = <T = Stored>(
    property: BlackboxProperty,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    id = '',
    body?: Json,
  ) =>
    service.tenants<T>(method, `/properties/${property.propertyId}/maintenances${id}`, {
      ...(body && { body }),
      role: 'STAFF',
    });
  const leak = (property: BlackboxProperty, changed: Json = {}): Json => ({
    roomNumber: '101',
    from: property.day(10),
    to: property.day(12),
    kind: 'OUT_OF_ORDER',
    reason: 'a leak',
    ...changed,
  });
  const conflicts = async ({ propertyId }: BlackboxProperty): Promise<Conflicts['items']> => {
    const url = `${service.dev.reservationUrl}/api/v1/admin/room-assignments/conflicts?propertyId=${propertyId}`;
    return must(await service.call<Conflicts>('GET', url, { role: 'ADMIN' }), 200).json.items;
  };

  await group.test('a room out of order is not sold on its nights, wherever a client looks', async (t) => {
    const property = await hotel();
    const made = must(await call(property, 'POST', '', leak(property)), 201);
    t.match(made.json, {
      ...leak(property),
      maintenanceId: String,
      oversold: [],
      createdAt: /Z$/,
    });
    t.match(made.headers['location'], new RegExp(`/maintenances/${made.json.maintenanceId}$`));
    t.same(await property.left(9, 5), [3, 2, 2, 2, 3]);
    t.match(await property.cells(10, 1, 'DLX'), [{ totalRooms: 3, blockedRooms: 1, availableRooms: 2 }]);
    const quoted = await property.quoted(9, 2);
    t.same(
      quoted.dailyRates.map(({ availability }) => availability),
      [3, 2],
    );
    t.match((await call(property, 'GET', `/${made.json.maintenanceId}`)).json, leak(property));
    const listed = await call<{ items: Json[] }>(property, 'GET', '?roomNumber=101&kind=OUT_OF_ORDER');
    t.match(listed.json.items, [leak(property)]);
    t.same((await call<{ items: Json[] }>(property, 'GET', '?roomNumber=102')).json.items, []);
    await auditIsClean(t, property);
  });

  await group.test('changing, ending and the state of a room move what is sold', async (t) => {
    const property = await hotel();
    const { maintenanceId } = must(await call(property, 'POST', '', leak(property)), 201).json;
    must(await call(property, 'PUT', `/${maintenanceId}`, leak(property, { from: property.day(11), to: null })), 400);
    const open = leak(property, { from: property.day(11) });
    delete open['to'];
    t.match(must(await call(property, 'PUT', `/${maintenanceId}`, open), 200).json, { to: null });
    t.same(await property.left(10, 3), [3, 2, 2]);
    t.same(must(await call<Json>(property, 'DELETE', `/${maintenanceId}`), 200).json, {
      id: maintenanceId,
      status: 'REMOVED',
    });
    t.same(await property.left(10, 3), [3, 3, 3]);
    isProblem(t, await call(property, 'GET', `/${maintenanceId}`), 404, { code: 'MAINTENANCE_NOT_FOUND' });
    const state = (status: string) =>
      service.tenants('PUT', `/properties/${property.propertyId}/rooms/102/status`, {
        body: { status, notes: 'no heating' },
        role: 'STAFF',
      });
    must(await state('OUT_OF_ORDER'), 200);
    t.same(await property.left(0, 2), [2, 2]);
    const { items } = (await call<{ items: Json[] }>(property, 'GET')).json;
    t.match(items, [{ roomNumber: '102', from: property.day(0), to: null, reason: 'no heating' }]);
    must(await state('CLEAN'), 200);
    t.same(await property.left(0, 2), [3, 3]);
    await auditIsClean(t, property);
  });

  await group.test('what falls short is listed and never sold, and a stay in the room is a conflict', async (t) => {
    const property = await hotel();
    const stays = [await property.booked({ from: 10, nights: 1 })];
    for (let n = 0; n < 2; n++) stays.push(await property.booked({ from: 10, nights: 1 }));
    const assign = `${service.dev.reservationUrl}/api/v1/reservations/${stays[0]!.reservationId}/room`;
    must(await service.call('PUT', assign, { body: { roomNumber: '101' } }), 200);
    const { oversold } = must(await call(property, 'POST', '', leak(property)), 201).json;
    t.same(oversold, [{ roomType: 'DLX', date: property.day(10), shortfall: 1 }]);
    t.same(await property.left(10, 2), [0, 2]);
    const url = `${service.dev.reservationUrl}/api/v1/admin/audit/${property.propertyId}`;
    t.match(must(await service.call<Audit>('GET', url), 200).json, { violations: [], oversold });
    t.match(
      (await conflicts(property)).find(({ reason }) => reason === 'OUT_OF_ORDER'),
      { roomNumber: '101', reservationIds: [stays[0]!.reservationId] },
    );
    const other = await property.booked({ from: 11, nights: 1 });
    const url101 = `${service.dev.reservationUrl}/api/v1/reservations/${other.reservationId}/room`;
    isProblem(t, await service.call('PUT', url101, { body: { roomNumber: '101' } }), 409, {
      code: 'ROOM_OUT_OF_ORDER',
    });
  });

  await group.test('what cannot be is refused with the reason, and nothing changes', async (t) => {
    const property = await hotel();
    const { maintenanceId } = must(await call(property, 'POST', '', leak(property)), 201).json;
    const { reservationId } = await property.booked({ from: 0, nights: 2 });
    const body = { identificationVerified: true, keyCards: 1 };
    must(await service.reservations('POST', `/${reservationId}/checkin`, { body }), 200);
    const { stayDetails } = (await property.read(reservationId)).json;
    const roomNumber = (stayDetails as unknown as { roomNumber: string }).roomNumber;
    const refused = (changed: Json) => call(property, 'POST', '', leak(property, changed));
    const code = (name: string) => ({ code: name });
    isProblem(
      t,
      await refused({ from: property.day(1), to: property.day(3), roomNumber }),
      409,
      code('ROOM_OCCUPIED'),
    );
    isProblem(t, await refused({ from: property.day(12) }), 409, code('MAINTENANCE_OVERLAPS'));
    isProblem(t, await refused({ roomNumber: '999' }), 404, code('ROOM_NOT_FOUND'));
    isProblem(t, await refused({ to: property.day(9) }), 400, { pointers: ['/to'] });
    isProblem(t, await refused({ from: property.day(-1), to: property.day(3) }), 400, { pointers: ['/from'] });
    isProblem(t, await refused({ kind: 'BROKEN' }), 400, { pointers: ['/kind'] });
    isProblem(t, await refused({ reason: '' }), 400, { pointers: ['/reason'] });
    isProblem(t, await refused({ rooms: 3 }), 400);
    isProblem(
      t,
      await call(property, 'PUT', `/${reservationId}`, leak(property)),
      404,
      code('MAINTENANCE_NOT_FOUND'),
    );
    isProblem(t, await call(property, 'DELETE', '/nothing'), 404);
    isProblem(t, await call(property, 'GET', '/nothing'), 404, code('MAINTENANCE_NOT_FOUND'));
    t.same(
      (await call<{ items: Json[] }>(property, 'GET')).json.items.map((one) => one['maintenanceId']),
      [maintenanceId],
    );
    t.same(await property.left(10, 1), [2]);
  });
}
