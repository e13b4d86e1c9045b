import type { Test } from 'tap';

import { arrival, type Frame, gridAfter, type LiveClient, openWs, TRANSPORTS } from '../live-client.ts';
import { BlackboxProperty } from '../property.ts';
import type { Role, Service } from '../service.ts';
import { until } from '../waiting.ts';

const DAYS = 40;

/** The stream of a property: snapshot, then every change in order (docs/reference/live-protocol.md#live-protocol). */
export async function live(group: Test, service: Service): Promise<void> {
  for (const [name, open] of Object.entries(TRANSPORTS)) {
    await group.test(`over ${name} a dashboard at seq S shows what the database held at S`, async (t) => {
      const property = await BlackboxProperty.open(service, { rooms: { DLX: 30, STD: 5 } });
      const client = await open(service.dev.liveUrl);
      await arrival(client, 'hello', (one) => one.t === 'hello');
      follow(client, property, service, 'STAFF');
      await arrival(client, 'ready', (one) => one.t === 'ready' && one.role === 'STAFF');
      await arrival(client, 'snapshot', (one) => one.t === 'snapshot');
      await same(t, client, property);
      const booked = await Promise.all(
        Array.from({ length: 10 }, (_, index) => property.booked({ from: 10 + index })),
      );
      await service.reservations('DELETE', `/${booked[3]?.reservationId}`);
      await property.price('STD', 5, 3, 150);
      await same(t, client, property);
      t.ok(
        client.frames.some(({ t: kind }) => kind === 'delta'),
        'changes came as deltas',
      );
      client.close();
    });
  }
  await group.test('changes outside the window arrive as numbers without patches', async (t) => {
    const property = await BlackboxProperty.open(service);
    const client = await openWs(service.dev.liveUrl);
    follow(client, property, service, 'STAFF');
    const snapshot = await arrival(client, 'snapshot', (one) => one.t === 'snapshot');
    await property.booked({ from: DAYS + 20 });
    const { to } = await untilQuiet(client, property);
    t.ok((to ?? 0) > (snapshot.seq ?? 0));
    const patches = deltas(client).flatMap((one) => one.patches ?? []);
    t.notOk(patches.some((patch) => patch.topic === 'grid' && patch.date >= property.day(DAYS)));
    await same(t, client, property);
    client.close();
  });
  await group.test('who comes back with a position gets exactly what was missed, or a snapshot', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 30 } });
    const first = await openWs(service.dev.liveUrl);
    follow(first, property, service, 'STAFF');
    const { generation, seq = 0 } = await arrival(first, 'snapshot', (one) => one.t === 'snapshot');
    first.close();
    await property.booked({ from: 12 });
    await property.booked({ from: 14 });
    const again = await openWs(service.dev.liveUrl);
    follow(again, property, service, 'STAFF', { generation, seq });
    const answer = await arrival(again, 'what was missed', (one) => one.t === 'snapshot' || one.t === 'delta');
    if (answer.t === 'delta') t.equal(answer.from, seq + 1);
    await untilQuiet(again, property);
    const before = again.frames.length;
    again.send({ t: 'resync', propertyId: property.propertyId, generation, seq });
    const resync = await arrival(
      again,
      'an answer to resync',
      (one) => one.t === 'snapshot' || one.t === 'delta',
      before,
    );
    if (resync.t === 'delta') t.equal(resync.from, seq + 1);
    else t.equal(resync.propertyId, property.propertyId);
    const old = again.frames.length;
    again.send({ t: 'resync', propertyId: property.propertyId, generation: 999, seq: 1 });
    await arrival(again, 'a snapshot for another generation', (one) => one.t === 'snapshot', old);
    again.close();
  });
  await group.test('amounts are for MANAGER and above, names not for VIEWER', async (t) => {
    const property = await BlackboxProperty.open(service);
    const feeds: Record<string, Frame> = {};
    const { reservationId } = await property.booked({
      guest: { firstName: 'Grace', lastName: 'Hopperine' },
      from: 10,
    });
    for (const role of ['VIEWER', 'STAFF', 'MANAGER'] as const) {
      const client = await openWs(service.dev.liveUrl);
      follow(client, property, service, role);
      feeds[role] = await arrival(client, 'snapshot', (one) => one.t === 'snapshot');
      client.close();
    }
    const entry = (role: Role) => feeds[role]?.feed?.find((one) => one.reservationId === reservationId);
    t.notMatch(JSON.stringify(entry('VIEWER')), /Hopperine/);
    t.match(entry('STAFF')?.guestName, /Hopperine/);
    t.notOk('totalAmount' in (entry('STAFF') ?? {}));
    t.equal(entry('MANAGER')?.totalAmount, 200);
  });
  await group.test('a bad token, a foreign tenant and a foreign property are refused', (t) => refused(t, service));
  await group.test(
    'an unreadable or oversized frame ends the connection or is answered, never the service',
    async (t) => {
      const property = await BlackboxProperty.open(service);
      const client = await openWs(service.dev.liveUrl);
      client.send({ t: 'auth', token: service.token('demo', 'STAFF'), tenantId: 'demo' });
      await arrival(client, 'ready', (one) => one.t === 'ready');
      client.send({ t: 'dance' });
      client.sendRaw('{"t":');
      await arrival(client, 'an error', (one) => one.t === 'error');
      client.send({ t: 'ping' });
      await arrival(client, 'pong', (one) => one.t === 'pong');
      client.sendRaw(JSON.stringify({ t: 'ping', more: 'x'.repeat(70_000) }));
      t.equal(await client.closed, 1009);
      t.equal((await property.quote()).status, 200);
    },
  );
}

async function refused(t: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const nobody = await openWs(service.dev.liveUrl);
  nobody.send({ t: 'auth', token: 'nonsense', tenantId: 'demo' });
  t.equal(await nobody.closed, 4401);
  const stranger = await openWs(service.dev.liveUrl);
  stranger.send({ t: 'auth', token: service.token('rival', 'OWNER'), tenantId: 'demo' });
  t.equal(await stranger.closed, 4403);
  const rival = await openWs(service.dev.liveUrl);
  rival.send({ t: 'auth', token: service.token('rival', 'OWNER'), tenantId: 'rival' });
  rival.send({
    t: 'subscribe',
    propertyId: property.propertyId,
    topics: ['grid'],
    window: { start: property.day(0), days: 5 },
  });
  const answer = await arrival(rival, 'an error', (one) => one.t === 'error');
  t.equal(answer.problem?.code, 'PROPERTY_NOT_FOUND');
  t.notOk(rival.frames.some(({ t: kind }) => kind === 'snapshot'));
  rival.close();
  await t.rejects(
    openWs(service.dev.liveUrl, { origin: 'https://evil.example' }),
    'a page of somebody else may not connect',
  );
}

/** `subscribe` follows `auth` at once: frames are handled in the order sent. */
function follow(
  client: LiveClient,
  property: BlackboxProperty,
  service: Service,
  role: Role,
  from?: Record<string, unknown>,
): void {
  client.send({ t: 'auth', token: service.token('demo', role), tenantId: 'demo' });
  client.send({
    t: 'subscribe',
    propertyId: property.propertyId,
    topics: ['grid', 'feed', 'kpi', 'rooms'],
    window: { start: property.day(0), days: DAYS },
    ...(from ? { from } : {}),
  });
}

function deltas(client: LiveClient): Frame[] {
  return client.frames.filter(({ t: kind }) => kind === 'delta');
}

/** Waits until the client has seen the newest change of the property; nothing may be booking meanwhile. */
async function untilQuiet(client: LiveClient, property: BlackboxProperty): Promise<Frame> {
  const seq = Number((await property.quote()).headers['x-property-seq']);
  return arrival(client, `seq ${seq}`, (one) => (one.t === 'delta' ? one.to : one.seq) === seq);
}

/** The client's grid is what `GET /availability` and the quote say at the same `seq`. */
async function same(t: Test, client: LiveClient, property: BlackboxProperty): Promise<void> {
  await untilQuiet(client, property);
  const cells = await property.cells(0, DAYS);
  const seq = Number((await property.quote()).headers['x-property-seq']);
  await until('the client has caught up', 60_000, () =>
    gridAfter(client.frames, property.propertyId).seq === seq ? true : undefined,
  );
  const shown = gridAfter(client.frames, property.propertyId).cells;
  t.equal(shown.size, cells.length);
  for (const { propertyId: _, status: __, ...cell } of cells) {
    t.match(shown.get(`${cell.roomType} ${cell.date}`), cell, `${cell.roomType} ${cell.date}`);
  }
}
