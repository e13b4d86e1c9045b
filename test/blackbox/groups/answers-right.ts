import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { isProblem, problemOf } from '../problems.ts';
import { BlackboxProperty, must, propertyBody } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Page } from '../shapes.ts';

type Conflicts = { items: { propertyId: string; reservationIds: string[] }[]; seq?: number };
type Left = { feedback: { loyaltyPoints: number } };

/** Answers that were wrong once, each as somebody outside sees it. */
export async function answersRight(group: Test, service: Service): Promise<void> {
  const room = (property: BlackboxProperty, roomNumber: string, options: CallOptions = {}) =>
    service.tenants('POST', `/properties/${property.propertyId}/rooms`, {
      body: { roomNumber, roomType: 'DLX', floor: 1 },
      ...options,
    });
  const step = <T>(id: string, name: string, body: object) =>
    service.reservations<T>('POST', `/${id}/${name}`, { body });

  await group.test('a list of rooms comes in pages', async (t) => {
    const property = await BlackboxProperty.open(service, { pricedNights: 0 });
    const numbers = ['101', '102', '103', '104', '105'];
    for (const number of numbers.toReversed()) must(await room(property, number), 201);
    const rooms = `/properties/${property.propertyId}/rooms`;
    const found: string[] = [];
    for (let query = '?limit=2'; query !== '';) {
      const page = must(await service.tenants<Page<{ roomNumber: string }>>('GET', `${rooms}${query}`), 200);
      t.ok(page.json.items.length <= 2);
      found.push(...page.json.items.map(({ roomNumber }) => roomNumber));
      const { nextCursor } = page.json;
      t.equal(page.headers.link !== undefined, Boolean(nextCursor));
      query = nextCursor ? `?limit=2&cursor=${encodeURIComponent(nextCursor)}` : '';
    }
    t.same(found, numbers);
    for (const limit of ['0', '201', 'x'])
      isProblem(t, await service.tenants('GET', `${rooms}?limit=${limit}`), 400, { parameters: ['limit'] });
    isProblem(t, await service.tenants('GET', `${rooms}?cursor=x`), 400, { parameters: ['cursor'] });
  });

  await group.test('conflicts of rooms are those of all properties where none is named', async (t) => {
    const one = await BlackboxProperty.open(service);
    const other = await BlackboxProperty.open(service);
    // Two are sold, and there is one room to put them in.
    for (const property of [one, other]) {
      must(await room(property, '101'), 201);
      for (const nights of [1, 2]) await property.booked({ from: 2, nights });
    }
    const url = `${service.dev.reservationUrl}/api/v1/admin/room-assignments/conflicts`;
    const read = async (query = '') => must(await service.call<Conflicts>('GET', url + query), 200).json;
    const all = await read();
    t.notOk('seq' in all);
    for (const { propertyId } of [one, other]) {
      const expected = [{ propertyId, reason: 'NO_ROOM_LEFT', reservationIds: [/./] }];
      t.match(
        all.items.filter((item) => item.propertyId === propertyId),
        expected,
      );
      t.match(await read(`?propertyId=${propertyId}`), { items: expected, seq: Number });
    }
    isProblem(t, await service.call('GET', `${url}?propertyId=nowhere`), 404, { code: 'PROPERTY_NOT_FOUND' });
  });

  await group.test('a guest does not arrive in the future', async (t) => {
    const property = await BlackboxProperty.open(service);
    must(await room(property, '101'), 201);
    const { reservationId } = await property.booked({ from: 0 });
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const arrive = (checkInTime: string) =>
      step(reservationId, 'checkin', { checkInTime, identificationVerified: true });
    isProblem(t, await arrive(at(10)), 400, { code: 'VALIDATION_FAILED', pointers: ['/checkInTime'] });
    must(await arrive(at(2)), 200);
  });

  await group.test('who is no member gets no points', async (t) => {
    const property = await BlackboxProperty.open(service);
    must(await room(property, '101'), 201);
    const guest = { firstName: 'Ada', lastName: 'Points', email: `points-${randomUUID().slice(0, 8)}@example.com` };
    const { reservationId } = await property.booked({ from: 0, nights: 1, guest });
    must(await step(reservationId, 'checkin', { identificationVerified: true }), 200);
    const left = must(await step<Left>(reservationId, 'checkout', {}), 200);
    t.match((await property.read(reservationId)).json, { guestInfo: { loyaltyMember: false } });
    t.equal(left.json.feedback.loyaltyPoints, 0);
  });

  await group.test('an analysis is made anew when rates have changed', async (t) => {
    const property = await BlackboxProperty.open(service, { pricedNights: 40 });
    const read = async () => {
      const answer = await service.rates<{ optimization: object }>(
        'GET',
        `/analysis?propertyId=${property.propertyId}`,
      );
      return must(answer, 200);
    };
    const first = await read();
    t.match(first.json, { performance: { averageRate: null } }, 'nothing was sold: there is no average');
    t.same((await read()).json, first.json);
    must(await property.price('DLX', 0, 40, 250), 200);
    const second = await read();
    t.equal(second.headers.age, '0');
    t.notSame(second.json, first.json);
    const other = {
      propertyId: property.propertyId,
      code: 'SAVER',
      name: 'Saver',
      parentCode: 'BAR',
      adjustmentPercent: -10,
    };
    must(await service.rates('POST', '/plans', { body: other }), 201);
    t.ok((await read()).headers['x-property-seq']! > second.headers['x-property-seq']!);
  });

  await group.test(
    'tenants differ by more than case, and none is called like a member of every object',
    async (t) => {
      const found = (tenantId: string) =>
        service.call('POST', `${service.dev.reservationUrl}/ops/tenants`, {
          body: { tenantId, name: 'Another', ownerUser: { subject: 'demo-owner' } },
          authorization: `Bearer ${service.dev.operatorToken}`,
          tenantHeader: null,
        });
      for (const tenantId of ['DEMO', 'Demo', 'constructor', 'valueof', '__proto__', 'a_b', '-a'])
        isProblem(t, await found(tenantId), 400, { code: 'VALIDATION_FAILED', pointers: ['/tenantId'] });
      isProblem(t, await found('demo'), 409, { code: 'ALREADY_EXISTS' });
      for (const tenant of ['DEMO', 'constructor', '__proto__']) {
        const answer = await service.reservations('GET', '', { tenantHeader: tenant });
        t.ok([400, 403].includes(answer.status), `${tenant}: ${answer.status}`);
        t.equal(problemOf(answer).retryable, false);
      }
    },
  );

  await group.test('a property and its types may have the name of a member of every object', async (t) => {
    const propertyId = 'constructor';
    must(await service.tenants('POST', '/properties', { body: propertyBody(propertyId) }), 201);
    const type = { roomType: 'toString', name: 'Odd', maxAdults: 2, totalRooms: 2 };
    must(await service.tenants('POST', `/properties/${propertyId}/room-types`, { body: type }), 201);
    const property = await BlackboxProperty.open(service);
    const quote = `/current?propertyId=${propertyId}&checkIn=${property.day(3)}&checkOut=${property.day(4)}`;
    t.match(must(await service.rates('GET', quote), 200).json, { rates: Array });
    const query = `?property_id=${propertyId}&start_date=${property.day(3)}&end_date=${property.day(3)}`;
    const cells = must(await service.tenants<Page<object>>('GET', `/availability${query}`), 200).json.items;
    t.match(cells, [{ roomType: 'toString', totalRooms: 2, availableRooms: 2 }]);
    isProblem(t, await service.tenants('GET', '/properties/valueof'), 404, { code: 'PROPERTY_NOT_FOUND' });
    isProblem(t, await service.tenants('GET', `/properties/${propertyId}/room-types/valueOf`), 404);
  });
}
