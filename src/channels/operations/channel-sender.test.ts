import t, { type Test } from 'tap';

import { SealedText } from '../../kernel/operations/sealed-text.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { SubscriptionChanges } from '../../subscriptions/operations/subscription-changes.ts';
import type { CursorPage } from '../../subscriptions/ports.ts';
import { Scene } from '../../testing/actors/scene.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { bookCommand, cancelCommand, DAY, PROPERTY_ID } from '../../testing/property-world.ts';
import { CHANNEL_PROTOCOLS } from '../partners/protocols.ts';
import type { ChannelLinkAnswer, ChannelLinkRequest } from '../ports.ts';
import { databaseChannels } from '../storage/channels.ts';
import { ChannelSender } from './channel-sender.ts';
import { createChannel } from './connect-channels.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const channels = databaseChannels(database);
const { tenantId } = PROPERTY_ID;
const by = { tenantId, subject: 'olivia', requestId: 'r-1' };
await admin.query(`insert into tenants (tenant_id, name, type) values ($1, 'A tenant', 'CHAIN')`, [tenantId]);

const MAPPINGS = [{ roomType: 'STD', ratePlan: 'BAR', externalRoom: 'R1', externalRate: `P?1'\\$1` }];
type Value = { from: string; to: string; availability?: number; rate?: number; restrictions?: { closed: boolean } };

/** A channel of a property of its own, whose answers the test decides about. */
async function world(t: Test, more: object = {}) {
  const propertyId = `house-${crypto.randomUUID().slice(0, 8)}`;
  await admin.query(
    `insert into properties (tenant_id, property_id, name, property_type, metadata) values ($1, $2, 'A', 'HOTEL', '{}')`,
    [tenantId, propertyId],
  );
  await admin.query(`insert into property_actor (tenant_id, property_id, epoch, seq) values ($1, $2, 1, 5)`, [
    tenantId,
    propertyId,
  ]);
  await admin.query(
    `insert into room_types (tenant_id, property_id, room_type, name, total_rooms, max_adults, max_children, max_guests)
     values ($1, $2, 'STD', 'S', 3, 2, 0, 2)`,
    [tenantId, propertyId],
  );
  await admin.query(
    `insert into rates (tenant_id, id, property_id, code, name) values ($1, gen_random_uuid(), $2, 'BAR', 'Best')`,
    [tenantId, propertyId],
  );
  const scene = Scene.property();
  const asked: ChannelLinkRequest[] = [];
  const set = {
    now: Date.parse('2026-06-01T10:00:00Z'),
    draw: 0,
    answer: (): ChannelLinkAnswer | Promise<ChannelLinkAnswer> => ({ status: 200, body: '{}' }),
  };
  const services = {
    channels,
    channelLinks: {
      faultOf: () => undefined,
      async ask(request: ChannelLinkRequest) {
        asked.push(request);
        return request.method === 'GET' ? { status: 404, body: '' } : set.answer();
      },
      [Symbol.dispose]: () => undefined,
    },
    sealed: new SealedText([{ id: 'k', secret: Buffer.alloc(32, 1) }]),
    properties: { view: async () => scene.view },
    log: { warn: () => undefined },
    subscriptionChanges: new SubscriptionChanges(),
  };
  const body = {
    propertyId,
    channelCode: 'BEDS',
    name: 'Beds',
    adapter: 'generic-json' as const,
    url: 'https://c.example.com/x',
    authorization: 'Bearer 1',
    availabilitySync: true,
    rateSyncEnabled: true,
    stopSellOnFailure: false,
    mappings: MAPPINGS,
    ...more,
  };
  const { result: channel } = await createChannel(services, by, body);
  const { channelId } = channel;
  const sender = new ChannelSender({
    services: services as never,
    adapters: CHANNEL_PROTOCOLS,
    realTime: () => set.now,
    draw: () => set.draw,
    now: () => set.now,
  });
  const cursor = { of: { tenantId, propertyId, subscriptionId: channelId }, epoch: 1, seq: 5, part: 0 };
  const page: CursorPage = {
    cursor: { ...cursor, snapshot: true, attempts: 0 },
    newest: 5,
    generation: 1,
    rows: [],
  };
  const values = (): Value[][] =>
    asked
      .filter(({ method }) => method === 'POST')
      .map(({ body: text }) => (JSON.parse(text) as { values: Value[] }).values);
  const send = () => sender.send(page, () => true);
  const state = async () => (await channels.get(tenantId, channelId))!;
  t.teardown(() => channels.remove(by, channelId));
  return { scene, asked, set, services, sender, send, values, state, channelId, propertyId, page };
}

t.test('everything at first, then what has changed, under its header and with one id a message', async (t) => {
  const { send, values, scene, asked, state } = await world(t);
  t.match(await send(), { snapshot: true, failure: undefined });
  t.match(asked[0], { headers: { authorization: 'Bearer 1' }, method: 'POST' });
  t.equal(asked.length, 1);
  await send();
  t.equal(asked.length, 1, 'nothing is sent that the channel has');
  scene.accept(bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 7 } }));
  scene.accept(bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 6 } }));
  await send();
  t.match(values()[1], [
    { from: '2026-06-06', to: '2026-06-06', availability: 1 },
    { from: '2026-06-07', to: '2026-06-07', availability: 2 },
  ]);
  t.match((await state()).progress, { rejected: 0, atRisk: 0, drift: 0 });
});

t.test('a failure keeps what the channel has not, and the newest values are sent once', async (t) => {
  const { send, values, scene, set, state } = await world(t);
  await send();
  scene.accept(bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 6 } }));
  set.answer = () => ({ why: 'it cannot be reached (ECONNREFUSED)' });
  t.match(await send(), { to: { seq: 5 }, failure: { why: /cannot be reached/ } });
  t.match((await state()).progress, { atRisk: 1, lastError: /cannot be reached/ });
  scene.accept(bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 6 } }));
  set.answer = () => ({ status: 503, body: '', retryAfterMs: 9_000 });
  t.match(await send(), { failure: { retryAfterMs: 9_000 } });
  set.answer = () => ({ status: 200, body: '' });
  t.match(await send(), { failure: undefined, snapshot: true });
  t.match(values().at(-1), [{ availability: 1 }]);
  t.equal(values().at(-1)!.length, 1);
  t.match((await state()).progress, { atRisk: 0 });
});

t.test('what was not answered is sent again as it is then, also when it is as before', async (t) => {
  const { send, values, scene, set, state } = await world(t);
  await send();
  const command = bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 6 } });
  scene.accept(command);
  set.answer = () => ({ why: 'it did not answer within 20 s' });
  t.match(await send(), { failure: { why: /20 s/ } });
  t.match((await state()).progress, { rejected: 0, lastError: /20 s/ });
  scene.accept(cancelCommand(command.booking.reservationId));
  set.answer = () => ({ status: 200, body: '' });
  await send();
  t.match(values().at(-1), [{ from: '2026-06-06', to: '2026-06-06', availability: 3 }]);
  await send();
  t.equal(values().length, 3, 'and then not again');
});

t.test('what was sent by a process that ended meanwhile is sent again as it is then', async (t) => {
  const { send, values, scene, set } = await world(t);
  await send();
  const command = bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 6 } });
  scene.accept(command);
  set.answer = () => {
    throw new Error('killed');
  };
  await t.rejects(send(), { message: 'killed' });
  t.equal(values().length, 2, 'the channel has it, and nobody knows');
  scene.accept(cancelCommand(command.booking.reservationId));
  set.answer = () => ({ status: 200, body: '' });
  await send();
  t.match(values()[2], [{ from: '2026-06-06', to: '2026-06-06', availability: 3 }]);
});

t.test('what was not taken is listed, and the others are taken', async (t) => {
  const { send, values, scene, set, state } = await world(t);
  await send();
  for (const day of [5, 8]) scene.accept(bookCommand({ stay: { checkIn: DAY + day, checkOut: DAY + day + 1 } }));
  set.answer = () => ({ status: 200, body: '{"rejected":[{"index":1,"reason":"no such night"}]}' });
  t.match(await send(), { failure: undefined, snapshot: true });
  t.match((await state()).progress, { rejected: 1, lastError: /^it did not take 1 values/ });
  set.answer = () => ({ status: 200, body: '{}' });
  await send();
  t.equal(values().length, 2, 'not again at once');
  set.now += 300_000;
  await send();
  t.match(values()[2], [{ from: '2026-06-09', availability: 2 }]);
  t.match((await state()).progress, { rejected: 0 });
});

t.test('after 5 s out of reach nights that may be oversold are closed first, and then true again', async (t) => {
  const { send, values, scene, set } = await world(t, { stopSellOnFailure: true });
  await send();
  scene.accept(bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 6 } }));
  set.answer = () => ({ why: 'it did not answer within 20 s' });
  const real = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => real() + ahead;
  t.teardown(() => (performance.now = real));
  await send();
  ahead = 5_000;
  set.answer = () => ({ status: 200, body: '' });
  t.match(await send(), { failure: undefined });
  const [, , stopped, after] = values();
  t.match(stopped, [{ from: '2026-06-06', to: '2026-06-06', availability: 0, restrictions: { closed: true } }]);
  t.equal(stopped!.length, 1);
  t.match(after, [{ from: '2026-06-06', availability: 2, restrictions: { closed: false } }]);
});

t.test('a pace is followed and stored, and a cursor of another node records nothing', async (t) => {
  const { send, scene, asked, sender, page, set, channelId } = await world(t);
  let paused = 0;
  for (let n = 0; n < 12 && paused <= 1_000; n++) {
    scene.accept({ type: 'SET_INVENTORY', roomType: 'STD', start: DAY, end: DAY, totalRooms: 3 + (n % 2) + 1 });
    paused = (await send()).pauseMs ?? 0;
  }
  t.equal(asked.length, 4);
  t.equal(paused, 3_750);
  scene.accept({ type: 'SET_INVENTORY', roomType: 'STD', start: DAY, end: DAY, totalRooms: 8 });
  t.match(await send(), { pauseMs: 3_750, snapshot: undefined });
  set.draw = 0.5;
  t.match(await send(), { pauseMs: 4_219 }, 'channels that were set off together drift apart');
  set.draw = 0;
  set.now += 3_750;
  t.match(await send(), { pauseMs: 3_750, snapshot: true });
  t.equal(asked.length, 5);
  set.now += 60_000;
  scene.accept({ type: 'SET_INVENTORY', roomType: 'STD', start: DAY, end: DAY, totalRooms: 9 });
  const lost = { ...page, cursor: { ...page.cursor, epoch: 0 } };
  t.match(await sender.send(lost, () => true), { pauseMs: 0 });
  const { known } = (await channels.target(tenantId, channelId))!;
  t.not(known[0]!.taken.get(DAY)?.availability, 9);
});

t.test('a request counts before it is answered: asking for everything again is no way around the pace', async (t) => {
  const { send, set, channelId } = await world(t);
  set.answer = async () => {
    await channels.sendAll(by, channelId);
    return { status: 200, body: '{}' };
  };
  t.match(await send(), { pauseMs: 0 });
  t.equal((await channels.target(tenantId, channelId))!.pace.free, 3);
});

t.test('a channel that is down over the night audit is still known to have too many rooms', async (t) => {
  const { send, values, scene, set, state, channelId } = await world(t);
  await send();
  scene.accept(bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 6 } }));
  set.answer = () => ({ status: 503, body: '' });
  await admin.query(`update channels set audited_day = '2026-05-31' where id = $1`, [channelId]);
  for (const _ of [1, 2]) t.match(await send(), { failure: {} });
  t.match((await state()).progress, { atRisk: 1, drift: undefined });
  set.answer = () => ({ status: 200, body: '' });
  set.now += 60_000;
  t.match(await send(), { snapshot: true });
  const all = values().at(-1)!;
  t.match(
    [all[0], all.at(-1)],
    [{ from: '2026-06-01', availability: 3, rate: 100 }, { to: values()[0]!.at(-1)!.to }],
  );
  t.match((await state()).progress, { atRisk: 0 });
  const count = values().length;
  await send();
  t.equal(values().length, count, 'it is sent once');
});

t.test('a room type that is removed is closed at the channel', async (t) => {
  const { send, values, scene } = await world(t);
  await send();
  scene.accept({ type: 'REMOVE_ROOM_TYPE', roomType: 'STD' });
  t.match(await send(), { snapshot: true });
  const [first] = values()[0]!;
  const last = values()[0]!.at(-1)!;
  t.match(values()[1], [{ from: first!.from, to: last.to, availability: 0, restrictions: { closed: true } }]);
  await send();
  t.equal(values().length, 2);
});

t.test('a property that is deleted is closed at its channels', async (t) => {
  const { send, values, services } = await world(t);
  await send();
  services.properties.view = async () => {
    throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
  };
  t.match(await send(), { to: { seq: 5 }, snapshot: true });
  const { to } = values()[0]!.at(-1)!;
  t.match(values()[1], [{ from: '2026-06-01', to, availability: 0, restrictions: { closed: true } }]);
  t.match(await send(), { snapshot: true });
  t.equal(values().length, 2);
});

t.test('a room and rate of a channel belong to one line', async (t) => {
  const mappings = [MAPPINGS[0]!, { ...MAPPINGS[0]!, ratePlan: 'NRF' }];
  await t.rejects(world(t, { mappings }), {
    code: 'VALIDATION_FAILED',
    details: { errors: [{ pointer: '/mappings/1/externalRate', code: 'DUPLICATE' }] },
  });
});

t.test('rooms of a channel that change their types, or a plan its code, are not closed', async (t) => {
  const { send, values, services, set, channelId, sender, state, page, propertyId, scene } = await world(t);
  await admin.query(
    `insert into room_types (tenant_id, property_id, room_type, name, total_rooms, max_adults, max_children, max_guests)
     values ($1, $2, 'DLX', 'D', 3, 2, 0, 2)`,
    [tenantId, propertyId],
  );
  await send();
  const { progress: _, createdAt: _c, changedAt: _h, isAuthorized: _i, ...settings } = await state();
  const resend = async (epoch: number, mappings: typeof MAPPINGS): Promise<Value[][]> => {
    await services.channels.change(by, channelId, { ...settings, mappings });
    set.now += 60_000;
    const before = values().length;
    await sender.send({ ...page, cursor: { ...page.cursor, epoch } }, () => true);
    return values().slice(before);
  };
  const swapped = [{ ...MAPPINGS[0]!, roomType: 'DLX' }];
  set.answer = () => ({ why: 'it did not answer within 20 s' });
  await resend(2, swapped);
  set.answer = () => ({ status: 200, body: '' });
  scene.accept(bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 6 } }));
  const [back = [], ...more] = await resend(3, MAPPINGS);
  t.same(more, []);
  t.notOk(back.some(({ from, restrictions }) => from < '2026-07-01' && restrictions?.closed));
  t.match(back[0], { from: '2026-06-01', availability: 3 }, 'all of it: the channel may have that of the other');
  const [other = []] = await resend(4, swapped);
  t.ok(
    other.length > 0 && other.every(({ availability }) => availability !== 0),
    'the last word is not that it is closed',
  );
});

t.test('what is to be sent again may be sold until it is', async (t) => {
  const { send, values, scene, set, services, channelId, state, sender, page } = await world(t);
  await send();
  await services.channels.sendAll(by, channelId);
  scene.accept(bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 6 } }));
  set.answer = () => ({ why: 'it cannot be reached (ECONNREFUSED)' });
  const later = { ...page, cursor: { ...page.cursor, epoch: 2 } };
  await sender.send(later, () => true);
  t.match((await state()).progress, { atRisk: 1 });
  set.answer = () => ({ status: 200, body: '' });
  await sender.send(later, () => true);
  t.ok(values().at(-1)!.length > 1, 'all of it');
  t.match((await state()).progress, { atRisk: 0 });
});

t.test('a line that is mapped no more is closed and forgotten; 410 pauses', async (t) => {
  const { send, values, services, set, channelId, sender, state, page } = await world(t);
  await send();
  const { progress: _, createdAt: _c, changedAt: _h, isAuthorized: _i, ...settings } = await state();
  const mappings = [{ ...MAPPINGS[0]!, externalRoom: 'R2' }];
  await services.channels.change(by, channelId, { ...settings, mappings });
  set.now += 60_000;
  const changed = { ...page, cursor: { ...page.cursor, epoch: 2 } };
  await sender.send(changed, () => true);
  const closed = values()[1]!.filter(({ restrictions }) => restrictions?.closed);
  t.match(closed, [{ externalRoom: 'R1', availability: 0 }]);
  const { known } = (await channels.target(tenantId, channelId))!;
  t.same(
    known.map(({ externalRoom }) => externalRoom),
    ['R2'],
  );
  await services.channels.sendAll(by, channelId);
  set.answer = () => ({ status: 410, body: '' });
  const gone = await sender.send({ ...page, cursor: { ...page.cursor, epoch: 3 } }, () => true);
  t.match(gone, { failure: { isGone: true } });
  await sender.giveUp(page.cursor.of, 'GONE', 'it answers 410');
  t.match(await state(), { status: 'PAUSED', pausedBecause: 'GONE' });
});
