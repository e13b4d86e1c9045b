import type { Test } from 'tap';

import { CHANNEL_PROTOCOLS, ChannelWorld } from '../channel-world.ts';
import { place } from '../hold.ts';
import { isProblem } from '../problems.ts';
import { must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import { withDatabase } from '../tenants.ts';
import { until } from '../waiting.ts';

type Json = Record<string, unknown>;

/** When the clocks of Berlin change, as the last Sundays of March and October are. */
function clockChanges(from: number, count: number): number[] {
  const days = Array.from({ length: count }, (_, n) => from + n);
  return days.filter((day) => {
    const date = new Date(day * 86_400_000);
    return date.getUTCDay() === 0 && date.getUTCDate() > 24 && [2, 9].includes(date.getUTCMonth());
  });
}

/** What happens at a property that a channel sells (docs/reference/channels.md#what-is-sent). */
export async function channelOperations(group: Test, service: Service): Promise<void> {
  const world = await ChannelWorld.synced(group, service, 'generic-json', {
    property: { timezone: 'Europe/Berlin', pricedNights: 500 },
  });
  const { property } = world;
  const put = (externalId: string, body: Json) =>
    world.call<Json>('PUT', `/${world.channelId}/bookings/${externalId}`, { body });
  const sale = (from: number, nights: number, more: Json = {}): Json => ({
    externalRoom: 'TWIN',
    externalRate: 'BEST',
    checkIn: property.day(from),
    checkOut: property.day(from + nights),
    adults: 2,
    total: 100 * nights,
    collectedBy: 'CHANNEL',
    guest: { firstName: 'Ada', lastName: 'Booker', email: 'ada@example.com' },
    ...more,
  });
  const at = (reservationId: unknown, step: string, body: Json = {}, options: CallOptions = {}) =>
    service.reservations<Json>('POST', `/${String(reservationId)}${step}`, { body, ...options });
  const tasks = async (): Promise<[string, string | null][]> => {
    const url = `${service.dev.reservationUrl}/api/v1/admin/desk-tasks?propertyId=${property.propertyId}`;
    const { json } = must(await service.call<{ items: Json[] }>('GET', url, { role: 'STAFF' }), 200);
    return json.items.map(({ kind, reservationId }) => [String(kind), reservationId as string | null]);
  };
  const rooms = (line: string, from: number, nights: number) =>
    Array.from({ length: nights }, (_, n) => world.has(line, from + n).availability);

  await group.test('nights on which the clocks change are nights as any other', async (t) => {
    const changes = clockChanges(property.firstDay, 490).filter((day) => day > property.firstDay + 2);
    t.ok(changes.length > 0, `${changes.length} changes`);
    for (const [index, day] of changes.entries()) {
      const n = day - property.firstDay;
      const rate = 210 + index;
      await world.after(async () => {
        await world.priced(['TWN', n - 1, n, rate]);
        must(await put(`DST-${n}`, sale(n - 1, 2)), 201);
      });
      t.same(rooms('TWIN/BEST', n - 2, 4), [8, 7, 7, 8]);
      const rates = [n - 2, n - 1, n, n + 1].map((night) => world.has('TWIN/BEST', night).rate);
      t.same(rates, [10_000, rate * 100, rate * 100, 10_000]);
    }
  });

  await group.test('a rate is that of two persons, also where the price follows the party', async (t) => {
    const { propertyId } = property;
    const occupancyPricing = [{ included: 1, extraAdult: 35, single: -10 }];
    await world.after(async () => {
      const plans = `/plans?propertyId=${propertyId}`;
      const { items } = must(await service.rates<{ items: Json[] }>('GET', plans), 200).json;
      const bb = items.find(({ code }) => code === 'BB')!;
      const path = `/plans/${String(bb['id'])}`;
      must(await service.rates('DELETE', path, { role: 'MANAGER' }), 200);
      const plan = { propertyId, code: 'BB', name: 'By party', occupancyPricing };
      must(await service.rates('POST', '/plans', { body: plan }), 201);
    });
    const quoted = must(await property.quote(30, 1, '&rateCode=BB'), 200).json as unknown as { rates: Json[] };
    const quote = quoted.rates.find(({ roomType }) => roomType === 'TWN');
    t.equal(world.has('TWIN/BB', 30).rate, Number(quote?.['totalRate']) * 100, JSON.stringify(quote));
    t.equal(world.has('TWIN/BEST', 30).rate, 10_000, 'the other plan is as it was');
  });

  await group.test('the same number in another currency is another rate', async (t) => {
    for (const protocol of CHANNEL_PROTOCOLS) {
      const dollars = await ChannelWorld.synced(t, service, protocol, { property: { pricedNights: 20 } });
      const { channel } = dollars;
      channel.options.currency = 'USD';
      const body = { name: 'A hotel', propertyType: 'HOTEL', metadata: { currency: 'USD', timezone: 'UTC' } };
      const path = `/properties/${dollars.property.propertyId}`;
      const messages = await dollars.after(async () => must(await service.tenants('PUT', path, { body }), 200));
      t.match(messages, [{ members: ['rate'], nights: 80 }], 'all that have a price, and nothing else');
      t.same(channel.violations, []);
      t.match(await dollars.state(), { rejected: 0, queued: 0 });
    }
  });

  await group.test('holds and blocks of groups take rooms from the channel, and give them back', async (t) => {
    const days = { roomType: 'DBL', checkIn: property.day(60), checkOut: property.day(62) };
    let holdId = '';
    await world.after(
      async () => void (holdId = must(await place(property, { ...days, rooms: 2 }), 201).json.holdId),
    );
    t.same(rooms('DOUBLE/BEST', 59, 4), [5, 3, 3, 5]);
    await world.after(async () => must(await service.reservations('DELETE', `/holds/${holdId}`), 200));
    t.same(rooms('DOUBLE/BEST', 59, 4), [5, 5, 5, 5]);
    const blocks = [60, 61].map((n) => ({ roomType: 'DBL', date: property.day(n), rooms: 3, rate: 80 }));
    const body = { propertyId: property.propertyId, name: 'Rowers', cutoffDate: property.day(50), blocks };
    const as = { role: 'MANAGER' } as const;
    let groupId = '';
    await world.after(async () => {
      const made = await service.reservations<{ groupId: string }>('POST', '/groups', { body, ...as });
      groupId = must(made, 201).json.groupId;
    });
    t.same(rooms('DOUBLE/BB', 59, 4), [5, 2, 2, 5]);
    await world.after(async () => must(await service.reservations('DELETE', `/groups/${groupId}`, as), 200));
    t.same(rooms('DOUBLE/BB', 59, 4), [5, 5, 5, 5]);
  });

  await group.test('after check-in the channel has to ask the hotel, and the desk has a task', async (t) => {
    const room = { roomNumber: '101', roomType: 'TWN', floor: 1 };
    must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body: room }), 201);
    const { reservationId } = must(await put('IN-1', sale(0, 2)), 201).json;
    must(await at(reservationId, '/checkin', { identificationVerified: true }), 200);
    for (const body of [sale(0, 3), { status: 'CANCELLED' }])
      isProblem(t, await put('IN-1', body), 409, { code: 'INVALID_STATE' });
    t.same(await tasks(), [['CHANNEL_BOOKING', reservationId]]);
    t.match(must(await put('IN-1', sale(0, 2)), 200).json, { status: 'CHECKED_IN', changed: false });
    const longer = { stayDetails: { checkOut: property.day(3) } };
    must(
      await service.reservations('PUT', `/${String(reservationId)}`, {
        body: { modifications: longer, reason: 'stays on' },
      }),
      200,
    );
    t.same(await tasks(), [], 'the desk has seen to it');
  });

  await group.test('what the channel has collected is on its account, and on the invoice', async (t) => {
    const { reservationId } = must(await put('PAID-1', sale(0, 1, { total: 120 })), 201).json;
    const room = { roomNumber: '201', roomType: 'TWN', floor: 2 };
    must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body: room }), 201);
    must(await at(reservationId, '/checkin', { identificationVerified: true }), 200);
    const { finalBill } = must(await at(reservationId, '/checkout'), 200).json as { finalBill: Json };
    t.match(finalBill, { totalAmount: 120, balanceDue: 0 }, JSON.stringify(finalBill));
    const invoice = must(await service.reservations<Json>('GET', `/${String(reservationId)}/invoice`), 200).json;
    t.match(invoice, { status: 'ISSUED', totalAmount: 120 }, JSON.stringify(invoice).slice(0, 1_500));
    isProblem(t, await put('PAID-1', { status: 'CANCELLED' }), 409, { code: 'INVALID_STATE' });
    t.same(await tasks(), [['CHANNEL_BOOKING', reservationId]]);
  });

  await group.test('a guest who is walked is not booked again by what his channel repeats', async (t) => {
    for (let n = 0; n < 5; n += 1) await property.booked({ from: 0, nights: 1, roomType: 'DBL' });
    const body = sale(0, 1, { externalRoom: 'DOUBLE' });
    const { reservationId } = must(await put('WALK-1', body), 201).json;
    t.match(await tasks(), [['CHANNEL_BOOKING'], ['OVERBOOKED', reservationId]]);
    const crown = { to: 'The Crown', compensation: 20, reason: 'Overbooked by a channel' };
    must(await at(reservationId, '/walk', crown, { role: 'MANAGER' }), 200);
    t.match(await tasks(), [['CHANNEL_BOOKING']]);
    t.match(must(await put('WALK-1', body), 200).json, { status: 'CANCELLED', changed: false });
    t.match(must(await put('WALK-1', { status: 'CANCELLED' }), 200).json, { status: 'CANCELLED', changed: false });
    t.same(await property.left(0, 1, 'DBL'), [0]);
  });

  await group.test('a suspended tenant loses nothing that its channels have sold', async (t) => {
    const become = (status: string) =>
      withDatabase(service, (client) =>
        client.query('update tenants set status = $1 where tenant_id = $2', [status, 'demo']),
      );
    // Of a night without a price nothing is sold either way.
    const sells = (may: boolean) =>
      until(`sales are ${may ? '' : 'not '}allowed`, 60_000, async () => {
        const { status } = await property.book({ from: 505, nights: 1, roomType: 'TWN' });
        return (status === 403) !== may ? true : undefined;
      });
    await become('SUSPENDED');
    try {
      await sells(false);
      t.match(await put('SUSP-1', sale(91, 1)), { status: 201, json: { status: 'CONFIRMED' } });
      t.match(await put('SUSP-1', sale(91, 2)), { status: 200, json: { changed: true } });
      t.match(await put('SUSP-1', { status: 'CANCELLED' }), { status: 200, json: { status: 'CANCELLED' } });
    } finally {
      await become('ACTIVE');
    }
    await sells(true);
  });
}
