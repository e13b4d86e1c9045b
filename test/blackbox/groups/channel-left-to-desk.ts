import type { Test } from 'tap';

import { ChannelWorld } from '../channel-world.ts';
import { isProblem } from '../problems.ts';
import { must } from '../property.ts';
import type { Service } from '../service.ts';
import type { Page } from '../shapes.ts';

type Task = { kind: string; reservationId: string | null; channel?: { externalId: string; reason: string } };
type Body = Record<string, unknown>;

const AT = '2026-01-01T10:00:00Z';
const LATER = '2026-01-01T10:05:00Z';

/** Messages out of order, for the past, or without a room: nothing of them is lost (docs/reference/channels.md#what-cannot-be-taken). */
export async function channelLeftToDesk(group: Test, service: Service): Promise<void> {
  const world = await ChannelWorld.synced(group, service, 'generic-json', { property: { pricedNights: 120 } });
  const { property } = world;
  const put = (externalId: string, body: Body) =>
    world.call<Body>('PUT', `/${world.channelId}/bookings/${externalId}`, { body });
  const sale = (from: number, nights: number, more: Body = {}): Body => ({
    externalRoom: 'TWIN',
    externalRate: 'BEST',
    checkIn: property.day(from),
    checkOut: property.day(from + nights),
    adults: 2,
    total: 100 * nights,
    guest: { firstName: 'Ada', lastName: 'Booker' },
    ...more,
  });
  const tasks = async (): Promise<[string, string | undefined, string | undefined][]> => {
    const url = `${service.dev.reservationUrl}/api/v1/admin/desk-tasks?propertyId=${property.propertyId}&limit=50`;
    const { items } = must(await service.call<Page<Task>>('GET', url, { role: 'STAFF' }), 200).json;
    return items.map(({ kind, channel }) => [kind, channel?.externalId, channel?.reason]);
  };

  await group.test('a cancellation that comes first is remembered', async (t) => {
    const cancelled = { status: 'CANCELLED', updatedAt: LATER };
    const first = await put('EARLY-1', cancelled);
    t.match(first, { status: 200, json: { reservationId: null, status: 'CANCELLED', total: null, changed: true } });
    t.match(await put('EARLY-1', cancelled), { status: 200, json: { changed: false } });
    const booking = await put('EARLY-1', sale(10, 2, { updatedAt: AT }));
    t.match(booking, { status: 200, json: { reservationId: null, status: 'CANCELLED', changed: false } });
    t.same(await property.left(10, 2, 'TWN'), [8, 8]);
    const newer = await put('EARLY-1', sale(10, 2, { updatedAt: '2026-01-01T10:06:00Z' }));
    t.match(newer, { status: 201, json: { status: 'CONFIRMED', changed: true } }, 'it was booked again');
    t.match(await put('EARLY-1', cancelled), { status: 200, json: { status: 'CONFIRMED', changed: false } });
    t.same(await tasks(), []);
  });

  await group.test('without times nobody knows which came first: the desk finds out', async (t) => {
    t.match(await put('EARLY-2', { status: 'CANCELLED' }), { status: 200, json: { changed: true } });
    const answer = await put('EARLY-2', sale(12, 1));
    isProblem(t, answer, 409, { code: 'INVALID_STATE' });
    t.match(answer.json, { deskTask: 'CHANNEL_BOOKING', detail: /desk of the property has a task/ });
    isProblem(t, await put('EARLY-2', sale(12, 1)), 409, { code: 'INVALID_STATE' });
    t.same(await tasks(), [['CHANNEL_BOOKING', 'EARLY-2', 'INVALID_STATE']], 'one task');
    t.match(await put('EARLY-2', { status: 'CANCELLED' }), { status: 200, json: { status: 'CANCELLED' } });
    t.same(await tasks(), [], 'it is cancelled after all');
  });

  await group.test('a booking and its cancellation at the same moment leave no room taken', async (t) => {
    for (let n = 0; n < 8; n += 1) {
      const id = `SAME-${n}`;
      const both = [put(id, sale(14, 1, { updatedAt: AT })), put(id, { status: 'CANCELLED', updatedAt: LATER })];
      const answers = await Promise.all(n % 2 === 0 ? both : both.toReversed());
      t.ok(
        answers.every(({ status }) => status < 300),
        answers.map(({ status, text }) => `${status} ${text.slice(0, 200)}`).join('\n'),
      );
    }
    t.same(await property.left(14, 1, 'TWN'), [8]);
  });

  await group.test(
    'a guest who has missed the arrival night is booked, and a stay that is over is a task',
    async (t) => {
      const late = await put('LATE-1', sale(-1, 2));
      t.match(late, { status: 201, json: { status: 'CONFIRMED', checkIn: property.day(-1), overbooked: [] } });
      t.same(await property.left(0, 1, 'TWN'), [7]);
      t.match(must(await property.read(String(late.json.reservationId)), 200).json, {
        financial: { totalAmount: 200 },
      });
      const shorter = sale(-1, 3, { guest: { firstName: 'Ada', lastName: 'Byron' } });
      t.match(await put('LATE-1', shorter), { status: 200, json: { changed: true, checkOut: property.day(2) } });
      isProblem(t, await put('OVER-1', sale(-1, 1)), 400, { pointers: ['/checkIn'] });
      isProblem(t, await put('FAR-1', sale(900, 1)), 400, { pointers: ['/checkOut'] });
      t.same(
        (await tasks()).filter(([kind]) => kind === 'CHANNEL_BOOKING'),
        [
          ['CHANNEL_BOOKING', 'FAR-1', 'BEYOND_HORIZON'],
          ['CHANNEL_BOOKING', 'OVER-1', 'IN_THE_PAST'],
        ],
      );
      t.match(await tasks(), [[], [], ['ARRIVAL_NOT_MARKED']], 'the late guest may arrive');
      for (const id of ['OVER-1', 'FAR-1']) must(await put(id, { status: 'CANCELLED' }), 200);
      must(await put('LATE-1', { status: 'CANCELLED' }), 200);
      t.same(await tasks(), []);
    },
  );

  await group.test('a booking whose room is mapped no more is changed and cancelled as before', async (t) => {
    const first = must(await put('GONE-1', sale(30, 2, { externalRoom: 'DOUBLE' })), 201).json;
    must(await put('GONE-2', sale(30, 2, { externalRoom: 'DOUBLE' })), 201);
    const mappings = [{ roomType: 'TWN', ratePlan: 'BAR', externalRoom: 'TWIN', externalRate: 'BEST' }];
    must(await world.call('PUT', `/${world.channelId}`, { body: { ...world.settings, mappings } }), 200);
    const moved = await put('GONE-1', sale(31, 2, { externalRoom: 'DOUBLE', total: 250 }));
    t.match(moved, { status: 200, json: { reservationId: first.reservationId, roomType: 'DBL', total: 250 } });
    t.same(await property.left(30, 3, 'DBL'), [4, 3, 4]);
    t.match(await put('GONE-2', { status: 'CANCELLED' }), { status: 200, json: { status: 'CANCELLED' } });
    const unknown = await put('GONE-3', sale(30, 1, { externalRoom: 'DOUBLE' }));
    isProblem(t, unknown, 400, { pointers: ['/externalRoom'] });
    t.match(unknown.json, { deskTask: 'CHANNEL_BOOKING', errors: [{ code: 'NOT_MAPPED' }] });
    isProblem(t, await put('GONE-1', sale(31, 2, { externalRoom: 'NONE' })), 400);
    t.same(await tasks(), [
      ['CHANNEL_BOOKING', 'GONE-1', 'NOT_MAPPED'],
      ['CHANNEL_BOOKING', 'GONE-3', 'NOT_MAPPED'],
    ]);
    must(await world.call('PUT', `/${world.channelId}`, { body: world.settings }), 200);
    must(await put('GONE-3', sale(30, 1, { externalRoom: 'DOUBLE' })), 201);
    must(await put('GONE-1', sale(31, 3, { externalRoom: 'DOUBLE' })), 200);
    t.same(await tasks(), [], 'what is taken after all is no task');
  });

  await group.test('the desk settles a task by its own booking, which the channel then changes', async (t) => {
    isProblem(t, await put('HAND-1', sale(40, 1, { externalRoom: 'NONE' })), 400);
    t.same(await tasks(), [['CHANNEL_BOOKING', 'HAND-1', 'NOT_MAPPED']]);
    const source = { channel: 'OTA', medium: 'FAKE', externalId: 'HAND-1' };
    const { reservationId } = await property.booked({ from: 40, nights: 1, roomType: 'DBL', more: { source } });
    t.same(await tasks(), []);
    const cancelled = await put('HAND-1', { status: 'CANCELLED' });
    t.match(cancelled, { status: 200, json: { reservationId, status: 'CANCELLED', changed: true } });
    t.same(await property.left(40, 1, 'DBL'), [5]);
  });

  await group.test('a fault of the message itself is its sender’s, and no task', async (t) => {
    isProblem(t, await put('BAD-1', sale(50, 1, { checkOut: property.day(50) })), 400);
    t.same(await tasks(), []);
  });

  await group.test('a sale in another currency, or for too many nights, has a guest who was confirmed', async (t) => {
    isProblem(t, await put('DOLLARS', sale(51, 1, { currency: 'USD' })), 400);
    isProblem(t, await put('LONG', sale(52, 91)), 400);
    t.same(await tasks(), [
      ['CHANNEL_BOOKING', 'LONG', 'TOO_MANY_NIGHTS'],
      ['CHANNEL_BOOKING', 'DOLLARS', 'OTHER_CURRENCY'],
    ]);
    for (const id of ['DOLLARS', 'LONG']) await put(id, { status: 'CANCELLED' });
    t.same(await tasks(), []);
  });
}
