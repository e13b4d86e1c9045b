import type { Test } from 'tap';

import type { LoggedMessage } from '../../services/fake-channel.ts';
import { ChannelWorld, type ChannelProtocol } from '../channel-world.ts';
import { must } from '../property.ts';
import type { Service } from '../service.ts';

/** One row of the tables in docs/measurements/channels.md#certification: an event of a list, and what it took. */
export type CertificationRow = { event: string; protocol: ChannelProtocol; messages: number; values: number };

const CHANNEL_NIGHTS = 500;

/**
 * The published certification lists of channel managers, event by event: each is done at the property, and the
 * channel looks at what it is sent (docs/measurements/channels.md#certification).
 */
export async function channelCertification(
  group: Test,
  service: Service,
  protocol: ChannelProtocol,
  rows: CertificationRow[],
): Promise<void> {
  const note = (event: string, messages: readonly LoggedMessage[]): void => {
    const values = messages.reduce((sum, one) => sum + one.values, 0);
    rows.push({ event, protocol, messages: messages.length, values });
  };
  const membersOf = (messages: readonly LoggedMessage[]): string[] =>
    [...new Set(messages.flatMap(({ members }) => members))].sort();
  const clean = (t: Test, { channel }: ChannelWorld, messages: readonly LoggedMessage[]): void => {
    t.same(channel.violations, []);
    t.equal(
      messages.reduce((sum, one) => sum + one.unchanged, 0),
      0,
      'nothing that it has already',
    );
    t.same(
      messages.filter(({ outcome }) => outcome !== 'taken'),
      [],
    );
  };

  await group.test('full sync: 500 nights of every room and rate in at most two messages', async (t) => {
    const world = await ChannelWorld.open(t, service, protocol, { property: { pricedNights: 0 } });
    const { property, channel } = world;
    await world.quiet();
    const weekend = { dayOfWeek: 'SATURDAY', rate: 140 };
    const rates = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SUNDAY'].map((dayOfWeek) => ({
      dayOfWeek,
      rate: 100,
    }));
    for (const roomType of ['TWN', 'DBL']) {
      const body = {
        propertyId: property.propertyId,
        roomType,
        effectiveDate: property.day(0),
        endDate: property.day(499),
      };
      must(await service.rates('PUT', '/base', { body: { ...body, rates: [...rates, weekend] } }), 200);
    }
    await world.restricted(20, 22, { roomType: 'TWN', minStayArrival: 3 });
    await property.booked({ from: 40, nights: 3, roomType: 'TWN' });
    await world.quiet();
    channel.reset();
    const messages = await world.after(async () => must(await world.call('POST', `/${world.channelId}/sync`), 200));
    note('full sync of 500 nights, 2 rooms x 2 rates', messages);
    t.ok(messages.length <= 2, `${messages.length} messages`);
    t.same(channel.violations, []);
    const { availability, rate } = world.has('TWIN/BB', 41);
    t.match({ availability, isPriced: rate === 12_000 || rate === 16_000 }, { availability: 7, isPriced: true });
    for (const line of channel.options.lines)
      for (const night of [0, CHANNEL_NIGHTS - 1])
        t.hasProps(world.has(line, night), ['availability', 'rate', 'closed', 'minStay'], `${line} ${night}`);
    t.same(world.has('TWIN/BEST', CHANNEL_NIGHTS), {}, 'and no more');
    t.equal(world.has('TWIN/BEST', 21).minStay, 3);
  });

  const world = await ChannelWorld.synced(group, service, protocol);
  const event = (
    name: string,
    most: number,
    members: readonly string[],
    what: () => Promise<unknown>,
    check: (t: Test, messages: LoggedMessage[]) => unknown,
  ): Promise<unknown> =>
    group.test(name, async (t) => {
      const messages = await world.after(what);
      note(name, messages);
      t.ok(messages.length <= most, `${messages.length} messages, at most ${most}`);
      t.same(membersOf(messages), [...members].sort(), 'only members that changed');
      clean(t, world, messages);
      await check(t, messages);
    });
  const limits = ['closedToArrival', 'closedToDeparture', 'minStay', 'maxStay'];

  await event(
    'single date, single rate',
    1,
    ['rate'],
    () => world.priced(['TWN', 22, 22, 333]),
    (t, [message]) => {
      t.equal(world.has('TWIN/BEST', 22).rate, 33_300);
      t.equal(world.has('TWIN/BB', 22).rate, 35_300, 'the plan that follows');
      t.equal(message?.values, 2);
      t.equal(world.has('TWIN/BEST', 21).rate, 10_000);
    },
  );

  await event(
    'single dates, several rates',
    1,
    ['rate'],
    () => world.priced(['TWN', 21, 21, 333], ['DBL', 25, 25, 444], ['DBL', 29, 29, 436.23]),
    (t) => {
      t.equal(world.has('DOUBLE/BEST', 25).rate, 44_400);
      t.equal(world.has('DOUBLE/BB', 29).rate, 45_623);
    },
  );

  await event(
    'many dates, several rates',
    1,
    ['rate'],
    () => world.priced(['TWN', 31, 40, 241], ['DBL', 40, 46, 312.66]),
    (t, [message]) => {
      t.equal(world.has('TWIN/BEST', 40).rate, 24_100);
      t.equal(world.has('DOUBLE/BEST', 46).rate, 31_266);
      t.equal(message?.values, 4, 'nights in a row are one value');
    },
  );

  await event(
    'minimum stay',
    1,
    ['minStay'],
    () => world.restricted(23, 23, { roomType: 'TWN', rateCode: 'BAR', minStayArrival: 3 }),
    (t) => t.match([world.has('TWIN/BEST', 23), world.has('TWIN/BB', 23)], [{ minStay: 3 }, { minStay: 1 }]),
  );

  await event(
    'stop-sell of one rate',
    1,
    ['closed'],
    () => world.restricted(14, 14, { roomType: 'DBL', rateCode: 'BB', stopSell: true }),
    (t) => t.match([world.has('DOUBLE/BB', 14), world.has('DOUBLE/BEST', 14)], [{ closed: true }, { closed: false }]),
  );

  await event(
    'stop-sell of a room, and its end',
    2,
    ['closed'],
    async () => {
      await world.restricted(60, 62, { roomType: 'TWN', stopSell: true });
      await world.quiet();
      for (const line of ['TWIN/BEST', 'TWIN/BB']) group.match(world.has(line, 61), { closed: true });
      await world.restricted(60, 62, { roomType: 'TWN', stopSell: null });
    },
    (t) => t.match(world.has('TWIN/BEST', 61), { closed: false }),
  );

  await event(
    'several restrictions',
    1,
    limits,
    () =>
      world.restricted(70, 79, {
        roomType: 'TWN',
        rateCode: 'BAR',
        closedToArrival: true,
        closedToDeparture: true,
        minStayArrival: 2,
        maxStayArrival: 4,
      }),
    (t) =>
      t.match(world.has('TWIN/BEST', 79), { closedToArrival: true, closedToDeparture: true, minStay: 2, maxStay: 4 }),
  );

  await event(
    'restrictions end',
    1,
    limits,
    () =>
      world.restricted(70, 79, {
        roomType: 'TWN',
        rateCode: 'BAR',
        closedToArrival: null,
        closedToDeparture: null,
        minStayArrival: null,
        maxStayArrival: null,
      }),
    (t) =>
      t.match(world.has('TWIN/BEST', 79), {
        closedToArrival: false,
        minStay: 1,
        maxStay: world.has('TWIN/BB', 79).maxStay,
      }),
  );

  await event(
    'half a year of rates',
    1,
    ['rate'],
    () => world.priced(['TWN', 150, 330, 432], ['DBL', 150, 330, 342]),
    (t, [message]) => {
      t.match([world.has('TWIN/BEST', 330), world.has('DOUBLE/BB', 150)], [{ rate: 43_200 }, { rate: 36_200 }]);
      t.equal(message?.values, 4, 'one value for each line');
    },
  );

  await bookingEvents(group, world, event);
}

type Event = (
  name: string,
  most: number,
  members: readonly string[],
  what: () => Promise<unknown>,
  check: (t: Test, messages: LoggedMessage[]) => unknown,
) => Promise<unknown>;

/** Availability follows what guests and the desk do. */
async function bookingEvents(group: Test, world: ChannelWorld, event: Event): Promise<void> {
  const { property, service } = world;
  const rooms = (line: string, from: number, nights: number) =>
    Array.from({ length: nights }, (_, n) => world.has(line, from + n).availability);
  let booking = '';
  const stay = { from: 100, nights: 3, roomType: 'TWN' };

  await event(
    'availability after a booking',
    1,
    ['availability'],
    async () => void (booking = (await property.booked(stay)).reservationId),
    (t) => {
      t.same(rooms('TWIN/BEST', 99, 5), [8, 7, 7, 7, 8]);
      t.same(rooms('TWIN/BB', 99, 5), [8, 7, 7, 7, 8], 'all rates of the room');
    },
  );

  await event(
    'availability after a modification',
    1,
    ['availability'],
    async () => {
      const modifications = { stayDetails: { checkIn: property.day(102), checkOut: property.day(104) } };
      const body = { modifications, reason: 'other dates' };
      must(await service.reservations('PUT', `/${booking}`, { body }), 200);
    },
    (t) => t.same(rooms('TWIN/BEST', 99, 6), [8, 8, 8, 7, 7, 8]),
  );

  await event(
    'availability after a cancellation',
    1,
    ['availability'],
    async () => must(await service.reservations('DELETE', `/${booking}`, { body: { reason: 'GUEST_REQUEST' } }), 200),
    (t) => t.same(rooms('TWIN/BEST', 99, 6), [8, 8, 8, 8, 8, 8]),
  );

  await event(
    'availability of many dates',
    1,
    ['availability'],
    async () => {
      const body = { roomType: 'DBL', startDate: property.day(110), endDate: property.day(116), blockedRooms: 2 };
      must(await service.tenants('PUT', `/properties/${property.propertyId}/inventory`, { body }), 200);
    },
    (t, messages) => {
      t.same(rooms('DOUBLE/BEST', 109, 3), [5, 3, 3]);
      t.equal(messages[0]?.values, 2, 'one range for each rate');
    },
  );

  await event(
    'the last room',
    5,
    ['availability'],
    async () => {
      for (let n = 0; n < 5; n += 1) await property.booked({ from: 120, nights: 1, roomType: 'DBL' });
    },
    (t) => t.same(rooms('DOUBLE/BB', 120, 2), [0, 5]),
  );

  await group.test('the nights of the property are those of the channel at the end', async (t) => {
    for (const [roomType, room] of [
      ['TWN', 'TWIN'],
      ['DBL', 'DOUBLE'],
    ] as const)
      t.same(rooms(`${room}/BEST`, 0, 130), await property.left(0, 130, roomType), roomType);
    t.same(world.channel.violations, []);
    t.match(await world.state(), { status: 'ACTIVE', queued: 0, lag: 0, rejected: 0, atRisk: 0, lastError: null });
  });
}
