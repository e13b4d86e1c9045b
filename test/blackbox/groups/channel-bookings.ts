import type { Test } from 'tap';

import type { Sale, SaleAnswer } from '../../services/fake-channel/own-sales.ts';
import { channelToken, ChannelWorld } from '../channel-world.ts';
import { isProblem } from '../problems.ts';
import { must } from '../property.ts';
import type { CallOptions, Role, Service } from '../service.ts';
import type { Page } from '../shapes.ts';
import { until } from '../waiting.ts';

type Task = { kind: string; reservationId: string };

/** What a channel sells (docs/reference/channels.md#bookings), step by step as the certification lists do. */
export async function channelBookings(group: Test, service: Service): Promise<void> {
  const world = await ChannelWorld.synced(group, service, 'generic-json', { property: { pricedNights: 120 } });
  const { property, channel } = world;
  const { sales } = channel;
  const sale = (from: number, nights: number, more: Partial<Sale> = {}): Sale => ({
    externalRoom: 'TWIN',
    externalRate: 'BEST',
    checkIn: property.day(from),
    checkOut: property.day(from + nights),
    collectedBy: 'CHANNEL',
    total: 100 * nights,
    ...more,
  });
  const idOf = ({ json }: SaleAnswer): string => String(json.reservationId);
  const put = (externalId: string, body: unknown, options: CallOptions = {}) =>
    world.call<Record<string, unknown>>('PUT', `/${world.channelId}/bookings/${externalId}`, { body, ...options });

  await group.test('a booking is made once, however often it is sent', async (t) => {
    const first = await sales.sell(sale(10, 2, { externalId: 'A-1' }));
    t.match(first, { status: 201, json: { externalId: 'A-1', status: 'CONFIRMED', overbooked: [], changed: true } });
    const again = await sales.send('A-1');
    t.match(again, { status: 200, json: { reservationId: idOf(first), changed: false } });
    const { json } = must(await property.read(idOf(first)), 200);
    t.match(json, {
      status: 'CONFIRMED',
      source: { channel: 'OTA', medium: 'FAKE', externalId: 'A-1', collectedBy: 'CHANNEL' },
      financial: { totalAmount: 200 },
    });
    t.same(await property.left(10, 3, 'TWN'), [7, 7, 8]);
    await until('the channel has it back', 20_000, () =>
      world.has('TWIN/BB', 11).availability === 7 ? true : undefined,
    );
  });

  await group.test('the same id at the same moment is one reservation', async (t) => {
    const body = { status: 'BOOKED', adults: 2, ...sale(14, 1), guest: { firstName: 'Eve', lastName: 'Racer' } };
    const answers = await Promise.all(Array.from({ length: 6 }, () => put('RACE', body)));
    t.equal(answers.filter(({ status }) => status === 201).length, 1);
    t.same(
      answers.filter(({ status }) => status !== 201 && status !== 200),
      [],
    );
    t.equal(new Set(answers.map(({ json }) => json.reservationId)).size, 1);
    t.same(await property.left(14, 1, 'TWN'), [7]);
  });

  await group.test('a change has another body and the same reservation', async (t) => {
    const first = await sales.sell(sale(20, 2));
    const id = String(first.json.externalId);
    const moved = await sales.change(id, sale(21, 3, { externalRoom: 'DOUBLE', externalRate: 'BB', total: 410 }));
    t.match(moved, {
      status: 200,
      json: { reservationId: idOf(first), roomType: 'DBL', ratePlan: 'BB', changed: true },
    });
    t.match(must(await property.read(idOf(first)), 200).json, {
      stayDetails: { checkIn: property.day(21), checkOut: property.day(24), roomType: 'DBL' },
      financial: { totalAmount: 410 },
    });
    t.same(await property.left(20, 3, 'TWN'), [8, 8, 8]);
    t.same(await property.left(20, 5, 'DBL'), [5, 4, 4, 4, 5]);
    const cancelled = await sales.cancel(id);
    t.match(cancelled, { status: 200, json: { reservationId: idOf(first), status: 'CANCELLED', changed: true } });
    t.match(await sales.send(id), { status: 200, json: { status: 'CANCELLED', changed: false } });
    t.same(await property.left(20, 5, 'DBL'), [5, 5, 5, 5, 5]);
  });

  await group.test('what was said before what is known changes nothing', async (t) => {
    const id = 'LATE-1';
    const at = (minute: number) => `2026-01-01T10:0${minute}:00Z`;
    const first = await sales.sell(sale(30, 2, { externalId: id, updatedAt: at(2) }));
    t.equal(first.status, 201);
    t.match(await sales.change(id, sale(31, 2, { updatedAt: at(1) })), { status: 200, json: { changed: false } });
    t.match(must(await property.read(idOf(first)), 200).json, { stayDetails: { checkIn: property.day(30) } });
    t.match(await sales.change(id, sale(31, 2, { updatedAt: at(3) })), { status: 200, json: { changed: true } });
  });

  await group.test('a sold-out night is taken as an overbooking, with a task, and sells nothing more', async (t) => {
    for (let n = 0; n < 5; n += 1) await property.booked({ from: 50, nights: 1, roomType: 'DBL' });
    const over = await sales.sell(sale(49, 2, { externalRoom: 'DOUBLE' }));
    t.match(over, { status: 201, json: { status: 'CONFIRMED', overbooked: [property.day(50)] } });
    t.same(await property.left(49, 2, 'DBL'), [4, 0]);
    t.equal((await property.book({ from: 50, nights: 1, roomType: 'DBL' })).status, 409);
    const tasks = async (): Promise<Task[]> => {
      const url = `${service.dev.reservationUrl}/api/v1/admin/desk-tasks?propertyId=${property.propertyId}`;
      return must(await service.call<Page<Task>>('GET', url, { role: 'STAFF' }), 200).json.items;
    };
    t.match(await tasks(), [{ kind: 'OVERBOOKED', reservationId: idOf(over) }]);
    const night = { roomType: 'DBL', startDate: property.day(50), endDate: property.day(50) };
    const limited = async (overbookingLimit: number): Promise<Task[]> => {
      const body = { ...night, overbookingLimit };
      must(await service.tenants('PUT', `/properties/${property.propertyId}/inventory`, { body }), 200);
      return tasks();
    };
    t.same(await limited(1), [], 'the night may be overbooked by one');
    t.match(await limited(0), [{ kind: 'OVERBOOKED', reservationId: idOf(over) }]);
    await sales.cancel(String(over.json.externalId));
    t.same(await property.left(49, 2, 'DBL'), [5, 0]);
    t.same(await tasks(), []);
  });

  await group.test('what cannot be a booking is refused member by member', async (t) => {
    const guest = { firstName: 'Ada', lastName: 'Wrong' };
    const body = { adults: 2, ...sale(60, 1), guest };
    const refused: [object, number, string][] = [
      [{ ...body, externalRoom: 'NONE' }, 400, 'externalRoom'],
      [{ ...body, externalRate: 'NONE' }, 400, 'externalRate'],
      [{ ...body, checkOut: body.checkIn }, 400, 'checkOut'],
      [{ ...body, currency: 'USD' }, 400, 'currency'],
      [{ ...body, guest: undefined }, 400, 'guest'],
      [{ ...body, seats: 2 }, 400, 'seats'],
      [{ ...body, total: undefined, nights: [{ date: property.day(61), rate: 1 }] }, 400, 'nights'],
    ];
    for (const [index, [wrong, status, pointer]] of refused.entries()) {
      const answer = await put(`WRONG-${index}`, wrong);
      t.equal(answer.status, status, answer.text.slice(0, 300));
      t.ok(answer.text.includes(pointer), `${pointer}: ${answer.text.slice(0, 300)}`);
    }
    t.equal((await put('X', body, { role: 'STAFF' })).status, 403);
    const other = `${service.dev.reservationUrl}/api/v1/channels/${crypto.randomUUID()}/bookings/X`;
    t.equal((await service.call('PUT', other, { body })).status, 404);
    t.same(await property.left(60, 1, 'TWN'), [8]);
  });

  await group.test('a token of a channel opens nothing else', (t) => tokensOfChannels(t, world));

  await group.test('the property adds up, and so does the channel', async (t) => {
    await world.quiet();
    t.same(
      Array.from({ length: 70 }, (_, night) => world.has('TWIN/BEST', night).availability),
      await property.left(0, 70, 'TWN'),
    );
    t.same(channel.violations, []);
  });
}

/** What the tokens of docs/reference/channels.md#tokens open, and what they do not. */
async function tokensOfChannels(t: Test, { service, channelId, property }: ChannelWorld): Promise<void> {
  const base = service.dev.reservationUrl;
  const path = `${base}/api/v1/channels`;
  const as = async (method: string, url: string, role: Role = 'STAFF', more: CallOptions = {}) =>
    service.call(method, url, { authorization: `Bearer ${await channelToken(service, role)}`, ...more });
  t.match(await as('GET', `${path}/${channelId}`), { status: 200, json: { channelId } });
  t.match(await as('GET', `${path}/${channelId}/status`), { status: 200, json: { channelId } });
  const refused: [string, string, object?][] = [
    ['GET', path],
    ['DELETE', `${path}/${channelId}`],
    ['PUT', `${path}/${channelId}`, {}],
    ['POST', `${path}/${channelId}/sync`],
    ['GET', `${base}/api/v1/reservations?limit=1`],
    ['GET', `${base}/api/v1/admin/desk-tasks?propertyId=${property.propertyId}`],
    ['GET', `${service.dev.rateUrl}/api/v1/rates/current`],
    ['GET', `${base}/api/v1/nothing-here`],
  ];
  for (const [method, url, body] of refused)
    for (const role of ['STAFF', 'OWNER'] as const)
      isProblem(t, await as(method, url, role, body && { body }), 403, { code: 'CHANNEL_TOKEN' });
  isProblem(t, await as('POST', `${base}/mcp`, 'OWNER', { body: {} }), 403, { code: 'CHANNEL_TOKEN' });
  isProblem(t, await as('GET', `${path}/${channelId}`, 'VIEWER'), 403, { code: 'ROLE_TOO_LOW' });
  const rival = await as('GET', `${path}/${channelId}`, 'STAFF', { tenantHeader: 'rival' });
  isProblem(t, rival, 403, { code: 'TENANT_FORBIDDEN' });
}
