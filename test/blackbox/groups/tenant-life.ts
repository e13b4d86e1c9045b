import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import type { Answer } from '../http.ts';
import { arrival, openWs } from '../live-client.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, propertyBody, WEEK } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Page } from '../shapes.ts';
import { until } from '../waiting.ts';

/**
 * A change of a role or a status holds within 30 s
 * (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
const HOLDS_MS = 30_000;

type Notified = { entity: string; entityId: string; action: string };
type User = { userId: string; subject: string };
type Tenant = { tenantId: string; name: string; status: string; config: object; effectiveConfig: object };

/** Tenants, users, their roles, channel mappings, and what was deleted (docs/reference/set-up.md#tenant). */
export async function tenantLife(group: Test, service: Service): Promise<void> {
  await roles(group, service);
  await statuses(group, service);
  await configs(group, service);
  await channels(group, service);
  await comingBack(group, service);
}

/** Below `/api/v1/tenants/demo`, as its owner. */
const owner =
  (service: Service, tenant = 'demo') =>
  <T = unknown>(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer<T>> =>
    service.tenants<T>(method, path, { role: 'OWNER', tenant, body, ...options });

/** Below `/ops/tenants`, as the operator. */
const operator =
  (service: Service) =>
  <T = unknown>(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer<T>> =>
    service.call<T>(method, `${service.dev.reservationUrl}/ops/tenants${path}`, {
      authorization: `Bearer ${service.dev.operatorToken}`,
      tenantHeader: null,
      body,
      ...options,
    });

async function roles(group: Test, service: Service): Promise<void> {
  const demo = owner(service);
  // A user of another tenant who is not in this one yet.
  const stranger: CallOptions = { authorization: `Bearer ${service.token('rival', 'VIEWER')}` };
  const asks = (method = 'GET', path = '/properties', options = stranger) => service.tenants(method, path, options);
  const within = (what: string, status: number, ask = () => asks()) =>
    until(what, HOLDS_MS, async () => ((await ask()).status === status ? true : undefined));

  await group.test('a stranger is made known, gets a role, another one, and none', async (t) => {
    isProblem(t, await asks(), 403, { code: 'TENANT_FORBIDDEN' });
    const headers = { 'idempotency-key': randomUUID() };
    const body = { subject: 'rival-viewer', name: 'Rune', email: 'rune@example.com' };
    const made = must(await demo<User>('POST', '/users', body, { headers }), 201);
    const { userId } = made.json;
    t.equal(made.headers.location, `/api/v1/tenants/demo/users/${userId}`);
    const again = await demo('POST', '/users', body, { headers });
    t.match(again, { status: 201, headers: { 'idempotency-replayed': 'true' }, json: made.json });
    isProblem(t, await demo('POST', '/users', body), 409, { code: 'ALREADY_EXISTS' });
    isProblem(t, await asks(), 403, { code: 'TENANT_FORBIDDEN' });
    t.match(await demo('POST', '/associations', { userId, role: 'STAFF' }), {
      status: 201,
      headers: { location: `/api/v1/tenants/demo/associations/${userId}` },
      json: { associationId: userId, userId, role: 'STAFF' },
    });
    await within('the role holds', 200);
    const property = await BlackboxProperty.open(service);
    t.equal((await property.book({}, stranger)).status, 201, 'STAFF may book');
    const socket = await openWs(service.dev.liveUrl);
    socket.send({ t: 'auth', token: service.token('rival', 'VIEWER'), tenantId: 'demo' });
    await arrival(socket, 'ready', (one) => one.t === 'ready' && one.role === 'STAFF');
    must(await demo('PUT', `/associations/${userId}`, { role: 'VIEWER' }), 200);
    await within('he may look only', 403, () => property.book({}, stranger));
    t.equal((await asks()).status, 200);
    await arrival(socket, 'the other role', (one) => one.t === 'ready' && one.role === 'VIEWER');
    t.equal((await demo('DELETE', `/associations/${userId}`)).status, 200);
    await within('he may nothing', 403);
    t.equal(await socket.closed, 4403, 'and his socket is closed');
    isProblem(t, await demo('GET', `/associations/${userId}`), 404, { code: 'ASSOCIATION_NOT_FOUND' });
    t.match(await demo('POST', `/associations/${userId}/restore`), { status: 200, json: { role: 'VIEWER' } });
    await within('he is back', 200);
    must(await demo('DELETE', `/users/${userId}`), 200);
    await within('without a user no role', 403);
    isProblem(t, await demo('GET', `/users/${userId}`), 404, { code: 'USER_NOT_FOUND' });
    isProblem(t, await demo('GET', `/associations/${userId}`), 404, { code: 'ASSOCIATION_NOT_FOUND' });
    const { items: associations } = must(
      await demo<Page<{ userId: string }>>('GET', '/associations?limit=200'),
      200,
    ).json;
    t.notOk(
      associations.some((one) => one.userId === userId),
      'what he might do is not listed either',
    );
    must(await demo('POST', `/users/${userId}/restore`), 200);
    await within('he is back again', 200);
    must(await demo('DELETE', `/users/${userId}`), 200);
    const trail = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?limit=200`;
    const { items } = must(await service.call<Page<Notified>>('GET', trail), 200).json;
    t.same(
      items.filter((one) => one.entityId === userId).map(({ entity, action }) => `${entity} ${action}`),
      [
        'user REMOVED',
        'user RESTORED',
        'user REMOVED',
        'association RESTORED',
        'association REMOVED',
        'association CHANGED',
        'association CREATED',
        'user CREATED',
      ],
      'each write once, newest first',
    );
  });

  await group.test('only an owner sees users and roles, and only those of the tenant', async (t) => {
    for (const path of ['', '/users', '/associations'])
      isProblem(t, await service.tenants('GET', path, { role: 'ADMIN' }), 403, { code: 'ROLE_TOO_LOW' });
    const { items } = must(await owner(service, 'rival')<Page<User>>('GET', '/users?limit=200'), 200).json;
    const { userId } = items.find(({ subject }) => subject === 'rival-staff')!;
    for (const path of [`/users/${userId}`, `/associations/${userId}`]) {
      isProblem(t, await demo('GET', path), 404);
      isProblem(t, await demo('DELETE', path), 404);
    }
    isProblem(t, await demo('POST', '/associations', { userId, role: 'STAFF' }), 422, { code: 'UNKNOWN_USER' });
    isProblem(t, await service.call('GET', `${service.dev.reservationUrl}/api/v1/tenants/rival/users`), 403, {
      code: 'TENANT_FORBIDDEN',
    });
    const page = must(await demo<Page<User>>('GET', '/users?limit=2'), 200);
    t.match(page.headers.link, /rel="next"/);
    const next = must(
      await demo<Page<User>>('GET', `/users?limit=2&cursor=${encodeURIComponent(page.json.nextCursor ?? '')}`),
      200,
    );
    t.notOk(next.json.items.some((one) => page.json.items.some(({ userId: known }) => known === one.userId)));
  });

  await group.test('the last owner stays, and what is wrong is named', async (t) => {
    const { items } = must(await demo<Page<User>>('GET', '/users?limit=200'), 200).json;
    const { userId } = items.find(({ subject }) => subject === 'demo-owner')!;
    isProblem(t, await demo('DELETE', `/associations/${userId}`), 409, { code: 'INVALID_STATE' });
    isProblem(t, await demo('PUT', `/associations/${userId}`, { role: 'ADMIN' }), 409, { code: 'INVALID_STATE' });
    isProblem(t, await demo('DELETE', `/users/${userId}`), 409, { code: 'INVALID_STATE' });
    isProblem(t, await demo('POST', `/associations/${userId}/restore`), 409, { code: 'INVALID_STATE' });
    isProblem(t, await demo('POST', '/users', { subject: '', email: 'nobody', shoe: 1 }), 400, {
      pointers: ['/subject', '/email', '/shoe'],
    });
    isProblem(t, await demo('POST', '/associations', { userId: 'x', role: 'KING' }), 400, {
      pointers: ['/userId', '/role'],
    });
    isProblem(t, await demo('PUT', '', { name: 'Demo', status: 'CANCELLED' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await demo('PUT', '', { name: 'Demo', tenantId: 'rival' }), 400, { pointers: ['/tenantId'] });
  });
}

async function statuses(group: Test, service: Service): Promise<void> {
  const ops = operator(service);
  await group.test('only an operator makes tenants', async (t) => {
    const as = { authorization: `Bearer ${service.token('demo', 'OWNER')}` };
    isProblem(t, await ops('GET', '', undefined, as), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await ops('GET', '', undefined, { authorization: null }), 401);
    isProblem(t, await ops('POST', '', { tenantId: 'a b', name: '' }), 400, {
      pointers: ['/tenantId', '/name', '/ownerUser'],
    });
    isProblem(t, await ops('POST', '', { tenantId: 'demo', name: 'X', ownerUser: { subject: 'x' } }), 409, {
      code: 'ALREADY_EXISTS',
    });
    isProblem(t, await ops('PUT', '/nobody/status', { status: 'ACTIVE' }), 404, { code: 'TENANT_NOT_FOUND' });
    const { items } = must(await ops<Page<Tenant>>('GET', '?limit=200'), 200).json;
    t.match(
      items.filter(({ tenantId }) => ['demo', 'rival'].includes(tenantId)).map((one) => Object.keys(one).sort()),
      [1, 2].map(() => ['createdAt', 'name', 'status', 'tenantId', 'type', 'updatedAt']),
      'nothing of their data',
    );
  });

  await group.test('what a tenant of each status may do', async (t) => {
    const tenant = `life-${randomUUID().slice(0, 8)}`;
    const ownerUser = { subject: 'demo-owner', email: 'olivia@example.com' };
    const made = await ops('POST', '', { tenantId: tenant, name: 'A life', status: 'TRIAL', ownerUser });
    t.match(made, { status: 201, headers: { location: `/api/v1/tenants/${tenant}` }, json: { status: 'TRIAL' } });
    const found = await ops<{ items: { tenantId: string }[] }>('GET', `?q=${tenant.slice(1).toUpperCase()}`);
    t.same(
      found.json.items.map(({ tenantId }) => tenantId),
      [tenant],
      'a part of its id finds it, and no other',
    );
    const as = (role: 'OWNER' | 'ADMIN'): CallOptions => ({
      tenant,
      authorization: `Bearer ${service.token('demo', role)}`,
    });
    const mine = (method: string, path: string, body?: unknown, role: 'OWNER' | 'ADMIN' = 'OWNER') =>
      service.tenants<User>(method, path, { ...as(role), body });
    const { userId } = must(await mine('POST', '/users', { subject: 'demo-admin' }), 201).json;
    must(await mine('POST', '/associations', { userId, role: 'ADMIN' }), 201);
    const propertyId = 'inn';
    must(await mine('POST', '/properties', propertyBody(propertyId)), 201);
    const type = { roomType: 'DLX', name: 'Deluxe', maxAdults: 2, totalRooms: 5 };
    must(await mine('POST', `/properties/${propertyId}/room-types`, type), 201);
    const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);
    const rates = (rate: number) =>
      service.rates('PUT', '/base', {
        ...as('OWNER'),
        body: {
          propertyId,
          roomType: 'DLX',
          effectiveDate: day(2),
          endDate: day(20),
          rates: WEEK.map((dayOfWeek) => ({ dayOfWeek, rate })),
        },
      });
    must(await rates(100), 200);
    const book = () =>
      service.reservations<{ reservationId: string }>('POST', '', {
        ...as('OWNER'),
        body: {
          propertyId,
          guestInfo: { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' },
          stayDetails: { checkIn: day(5), checkOut: day(7), adults: 1, roomType: 'DLX' },
          paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' },
        },
      });
    const one = must(await book(), 201).json;
    const two = must(await book(), 201).json;
    const cancel = ({ reservationId }: { reservationId: string }) =>
      service.reservations('DELETE', `/${reservationId}`, as('OWNER'));
    const become = async (status: string) => {
      t.match(await ops('PUT', `/${tenant}/status`, { status }), { status: 200, json: { status } });
      // Written here, it holds here at once; 30 s are for other nodes.
      const idle = status === 'INACTIVE' || status === 'CANCELLED';
      await until(`${tenant} is ${status}`, HOLDS_MS, async () => {
        const { status: answered } = await mine('GET', '/properties', undefined, 'ADMIN');
        return answered === (idle ? 403 : 200) ? true : undefined;
      });
    };
    const notActive = (answer: Answer<unknown>) => isProblem(t, answer, 403, { code: 'TENANT_NOT_ACTIVE' });

    await become('SUSPENDED');
    for (const answer of [
      await book(),
      await rates(90),
      await mine('POST', '/properties', propertyBody('second')),
      await mine('PUT', '', { name: 'Another' }),
      await mine('POST', '/users', { subject: 'demo-staff' }),
      await mine('POST', `/properties/${propertyId}/channel-mappings`, {}),
    ])
      notActive(answer);
    t.equal((await mine('GET', '')).status, 200, 'reads go on');
    t.equal((await cancel(one)).status, 200, 'so does daily operation');
    t.equal((await mine('DELETE', `/associations/${userId}`)).status, 200, 'and rights are taken away');
    must(await ops('PUT', `/${tenant}/status`, { status: 'ACTIVE' }), 200);
    must(await mine('POST', `/associations/${userId}/restore`), 200);

    const socket = await openWs(service.dev.liveUrl);
    socket.send({ t: 'auth', token: service.token('demo', 'OWNER'), tenantId: tenant });
    await arrival(socket, 'ready', (frame) => frame.t === 'ready');
    await become('INACTIVE');
    notActive(await mine('GET', '/properties', undefined, 'ADMIN'));
    notActive(await cancel(two));
    notActive(await mine('DELETE', `/users/${userId}`));
    t.match(await mine('GET', ''), { status: 200, json: { status: 'INACTIVE' } });
    t.equal((await mine('GET', `/properties/${propertyId}`)).status, 200, 'its owner reads');
    t.equal(await socket.closed, 4403, 'sockets are closed, its own too');
    await become('CANCELLED');
    t.equal((await mine('GET', '/properties')).status, 200);
    await become('ACTIVE');
    t.equal((await cancel(two)).status, 200);
  });
}

async function configs(group: Test, service: Service): Promise<void> {
  await group.test('properties follow their tenant where they have no settings of their own', async (t) => {
    const tenant = `config-${randomUUID().slice(0, 8)}`;
    const ownerUser = { subject: 'demo-owner' };
    const config = { policies: { freeCancellationHours: 72, feePerNight: 2.5 } };
    const made = { tenantId: tenant, name: 'C', config, ownerUser };
    must(await operator(service)('POST', '', made), 201);
    const authorization = `Bearer ${service.token('demo', 'OWNER')}`;
    const mine = <T = Tenant>(method: string, path: string, body?: unknown) =>
      service.tenants<T>(method, path, { tenant, authorization, body });
    t.match((await mine('GET', '')).json, {
      config,
      effectiveConfig: { analysisCacheSeconds: 3_600, policies: { freeCancellationHours: 72, depositPercent: 100 } },
    });
    must(await mine('POST', '/properties', propertyBody('plain')), 201);
    must(await mine('POST', '/properties', propertyBody('own', { freeCancellationHours: 24, taxPercent: 5 })), 201);
    type Shown = { metadata: { policies: Record<string, number> } };
    const property = async (id: string) => {
      const { json, headers } = must(await mine<Shown>('GET', `/properties/${id}`), 200);
      const policies: Record<string, number> = json.metadata.policies;
      return { ...policies, seq: Number(headers['x-property-seq']) } as Record<string, number> & { seq: number };
    };
    const plain = await property('plain');
    const own = await property('own');
    t.match(plain, { freeCancellationHours: 72, feePerNight: 2.5, modificationDeadlineHours: 24 });
    t.match(own, { freeCancellationHours: 24, feePerNight: 2.5, taxPercent: 5 });
    const changed = {
      name: 'C',
      config: { policies: { freeCancellationHours: 96, feePerNight: 2.5, taxPercent: 5 } },
    };
    must(await mine('PUT', '', changed), 200);
    const followed = await until('the property follows', 60_000, async () => {
      const found = await property('plain');
      return found['freeCancellationHours'] === 96 ? found : undefined;
    });
    t.match(followed, { taxPercent: 5, seq: plain.seq + 1 });
    t.same(await property('own'), own, 'nothing is written of a property without changes');
    const wrong = { config: { policies: { holdDurationSeconds: 1, cancellationPolicies: [] }, cache: 1 } };
    isProblem(t, await mine('PUT', '', wrong), 400, {
      pointers: [
        '/name',
        '/config/policies/holdDurationSeconds',
        '/config/policies/cancellationPolicies',
        '/config/cache',
      ],
    });
  });
}

async function channels(group: Test, service: Service): Promise<void> {
  await group.test('a channel sells a room type as a room of its own', async (t) => {
    const property = await BlackboxProperty.open(service);
    const path = `/properties/${property.propertyId}/channel-mappings`;
    const body = {
      roomType: 'DLX',
      channelName: 'Example Travel',
      channelCode: 'EXT',
      externalRoomId: '4711',
      mappingConfig: { rateMapping: { BAR: 'STD1' }, rateSyncEnabled: true, minRate: 50, maxRate: 199.5 },
    };
    const made = must(await service.tenants<{ mappingId: string }>('POST', path, { body }), 201);
    const one = `${path}/${made.json.mappingId}`;
    t.equal(made.headers.location, `/api/v1/tenants/demo${one}`);
    t.match((await service.tenants('GET', one)).json, body);
    t.match((await service.tenants('GET', path)).json, { items: [body], nextCursor: null });
    isProblem(t, await service.tenants('POST', path, { body }), 409, { code: 'ALREADY_EXISTS' });
    const nowhere = { ...body, roomType: 'NONE', externalRoomId: '1' };
    isProblem(t, await service.tenants('POST', path, { body: nowhere }), 422, { code: 'UNKNOWN_ROOM_TYPE' });
    const reversed = { ...body, mappingConfig: { minRate: 2, maxRate: 1 } };
    isProblem(t, await service.tenants('PUT', one, { body: reversed }), 400, {
      pointers: ['/mappingConfig/maxRate'],
    });
    isProblem(t, await service.tenants('GET', path, { role: 'MANAGER' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await service.tenants('GET', one, { tenant: 'rival' }), 404, { code: 'PROPERTY_NOT_FOUND' });
    const moved = { ...body, roomType: 'STD', mappingConfig: {} };
    t.match((await service.tenants('PUT', one, { body: moved })).json, { roomType: 'STD', mappingConfig: {} });
    t.match(await service.tenants('DELETE', one), { status: 200 });
    isProblem(t, await service.tenants('GET', one), 404, { code: 'CHANNEL_MAPPING_NOT_FOUND' });
    const second = must(await service.tenants<{ mappingId: string }>('POST', path, { body }), 201);
    isProblem(t, await service.tenants('POST', `${one}/restore`), 409, { code: 'ALREADY_EXISTS' });
    must(await service.tenants('DELETE', `${path}/${second.json.mappingId}`), 200);
    t.match(await service.tenants('POST', `${one}/restore`), { status: 200, json: { roomType: 'STD' } });
  });
}

async function comingBack(group: Test, service: Service): Promise<void> {
  await group.test('a property that was deleted comes back as it was', async (t) => {
    const property = await BlackboxProperty.open(service);
    const path = `/properties/${property.propertyId}`;
    const before = await service.tenants('GET', path);
    const cells = await property.cells(0, 40);
    isProblem(t, await service.tenants('POST', `${path}/restore`), 409, { code: 'INVALID_STATE' });
    must(await service.tenants('DELETE', path), 200);
    isProblem(t, await service.tenants('GET', path), 404, { code: 'PROPERTY_NOT_FOUND' });
    isProblem(t, await service.tenants('POST', `${path}/restore`, { role: 'MANAGER' }), 403);
    const headers = { 'idempotency-key': randomUUID() };
    const back = await service.tenants('POST', `${path}/restore`, { headers });
    t.match(back, { status: 200, json: { propertyId: property.propertyId } });
    t.match(await service.tenants('POST', `${path}/restore`, { headers }), {
      status: 200,
      headers: { 'idempotency-replayed': 'true' },
    });
    const after = (await service.tenants<object>('GET', path)).json;
    t.same({ ...after, updatedAt: '' }, { ...(before.json as object), updatedAt: '' });
    t.same(await property.cells(0, 40), cells);
    t.match(await property.quoted(), { bookable: true });
    t.equal((await property.book()).status, 201);
    isProblem(t, await service.tenants('POST', '/properties/never-there/restore'), 404, {
      code: 'PROPERTY_NOT_FOUND',
    });
    const audit = await service.call(
      'GET',
      `${service.dev.reservationUrl}/api/v1/admin/audit/${property.propertyId}`,
    );
    t.match(audit.json, { violations: [], oversold: [] });
  });

  await group.test(
    'the code of a deleted property is free for another one, and then it cannot come back',
    async (t) => {
      const id = randomUUID().slice(0, 8);
      const body = (propertyId: string) => ({ ...propertyBody(propertyId), propertyCode: `CODE-${id}` });
      const first = `first-${id}`;
      const second = `second-${id}`;
      must(await service.tenants('POST', '/properties', { body: body(first) }), 201);
      const taken = () => service.tenants('POST', '/properties', { body: body(second) });
      isProblem(t, await taken(), 409, { code: 'ALREADY_EXISTS' });
      must(await service.tenants('DELETE', `/properties/${first}`), 200);
      must(await taken(), 201);
      const restore = () => service.tenants('POST', `/properties/${first}/restore`);
      isProblem(t, await restore(), 409, { code: 'ALREADY_EXISTS' });
      must(await service.tenants('DELETE', `/properties/${second}`), 200);
      t.match(await restore(), { status: 200, json: { propertyCode: `CODE-${id}` } });
    },
  );

  await group.test('a room type comes back with its rooms, a room with its type', async (t) => {
    const property = await BlackboxProperty.open(service);
    const path = `/properties/${property.propertyId}`;
    for (const roomNumber of ['301', '302'])
      must(await service.tenants('POST', `${path}/rooms`, { body: { roomNumber, roomType: 'DLX', floor: 3 } }), 201);
    must(await service.tenants('DELETE', `${path}/rooms/301`), 200);
    isProblem(t, await service.tenants('GET', `${path}/rooms/301`), 404, { code: 'ROOM_NOT_FOUND' });
    t.match(await service.tenants('POST', `${path}/rooms/301/restore`), { status: 200, json: { floor: 3 } });
    isProblem(t, await service.tenants('POST', `${path}/rooms/301/restore`), 409, { code: 'INVALID_STATE' });
    isProblem(t, await service.tenants('POST', `${path}/rooms/999/restore`), 404, { code: 'ROOM_NOT_FOUND' });
    for (const roomNumber of ['301', '302'])
      must(await service.tenants('DELETE', `${path}/rooms/${roomNumber}`), 200);
    must(await service.tenants('DELETE', `${path}/room-types/DLX`), 200);
    isProblem(t, await service.tenants('POST', `${path}/rooms/301/restore`), 422, { code: 'UNKNOWN_ROOM_TYPE' });
    t.match(await service.tenants('POST', `${path}/room-types/DLX/restore`), {
      status: 200,
      json: { roomType: 'DLX', totalRooms: 3, maxGuests: 4 },
    });
    t.match(await service.tenants('GET', `${path}/rooms/302`), { status: 200, json: { roomType: 'DLX' } });
    t.same(await property.left(30, 2), [3, 3]);
    const { json } = must(await property.quote(), 200);
    t.match(json.unavailable, [{ roomType: 'DLX', code: 'NO_RATE' }]);
    must(await property.price('DLX', 0, 40, 120), 200);
    t.equal((await property.book()).status, 201);
  });
}
