import type { Test } from 'tap';

import { arrival, type Frame, type LiveClient, TRANSPORTS } from '../live-client.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Role, Service } from '../service.ts';

type Json = Record<string, unknown>;

const TOPICS = ['grid', 'feed', 'kpi', 'rooms', 'competitors'];
const DAYS = 30;

/**
 * What a dashboard shows beside rooms and prices, and what it showed before (docs/concepts/live-stream.md#time-travel).
 */
export async function lookingBack(group: Test, service: Service): Promise<void> {
  const look = async (
    open: (url: string) => Promise<LiveClient>,
    property: BlackboxProperty,
    role: Role = 'MANAGER',
  ) => {
    const client = await open(service.dev.liveUrl);
    client.send({ t: 'auth', token: service.token('demo', role), tenantId: 'demo' });
    const window = { start: property.day(0), days: DAYS };
    client.send({ t: 'subscribe', propertyId: property.propertyId, topics: TOPICS, window });
    return { client, snapshot: await arrival(client, 'a snapshot', isSnapshot) };
  };
  /** The newest report of an object. */
  const patched = (client: LiveClient, what: string, fits: (patch: Json) => boolean): Promise<Frame> =>
    arrival(client, what, ({ t, patches }) => t === 'delta' && (patches as unknown as Json[]).some(fits));

  for (const [name, open] of Object.entries(TRANSPORTS)) {
    await group.test(
      `over ${name} key figures say what was earned, what came today and what was cancelled`,
      async (t) => {
        const property = await BlackboxProperty.open(service, { rooms: { DLX: 10 } });
        const { client, snapshot } = await look(open, property);
        const date = property.day(12);
        const ofNight = (patch: Json): boolean => patch['topic'] === 'kpi' && patch['date'] === date;
        const figures = { roomsAvailable: 10, cancellationsToday: 0 };
        t.match(kpiOf(snapshot, date), { ...figures, roomsSold: 0, adr: null, revPar: 0, pickupToday: 0 });
        const booked = await property.booked({ from: 12, nights: 2 });
        await patched(client, 'a room sold', (patch) => ofNight(patch) && patch['pickupToday'] === 1);
        const two = await property.booked({ from: 12, nights: 1 });
        await patched(client, 'two rooms sold', (patch) => ofNight(patch) && patch['roomsSold'] === 2);
        const fresh = (await look(open, property)).snapshot;
        const sold = { ...figures, roomsSold: 2, pickupToday: 2, occupancyRate: 20 };
        t.match(kpiOf(fresh, date), sold);
        const { adr, revPar } = kpiOf(fresh, date) as { adr: number; revPar: number };
        t.ok(adr > 0);
        t.equal(revPar, Math.round(adr * 2 * 10) / 100, 'the same revenue over all rooms');
        const plain = kpiOf((await look(open, property, 'STAFF')).snapshot, date)!;
        t.match(plain, sold);
        t.notOk('adr' in plain || 'revPar' in plain, 'amounts are not for everybody');

        must(await service.reservations('DELETE', `/${two.reservationId}`), 200);
        await patched(client, 'a cancel', (patch) => ofNight(patch) && patch['cancellationsToday'] === 1);
        t.match(kpiOf((await look(open, property)).snapshot, date), {
          roomsSold: 1,
          pickupToday: 1,
          cancellationsToday: 1,
        });
        t.match(kpiOf((await look(open, property)).snapshot, property.day(14)), {
          roomsSold: 0,
          pickupToday: 0,
          adr: null,
        });
        t.ok(booked.reservationId);
        client.close();
      },
    );

    await group.test(`over ${name} a client sees how it was, and then how it is`, async (t) => {
      const property = await BlackboxProperty.open(service, { rooms: { DLX: 10 } });
      await property.booked({ from: 5, guest: { firstName: 'Ada', lastName: 'Early' } });
      const { client, snapshot } = await look(open, property);
      const then = snapshot.asOf!;
      const late = await property.booked({ from: 5, guest: { firstName: 'Alan', lastName: 'Late' } });
      const isLate = ({ reservationId }: { reservationId: string }): boolean => reservationId === late.reservationId;
      await patched(client, 'the second', (patch) => patch['topic'] === 'feed' && isLate(patch as never));
      const before = client.frames.length;
      client.send({ t: 'seek', propertyId: property.propertyId, asOf: then });
      const past = await arrival(client, 'the past', isSnapshot, before);
      t.match(past, { seq: snapshot.seq, generation: snapshot.generation, asOf: then });
      for (const topic of ['grid', 'kpi', 'rooms', 'feed'] as const) t.same(past[topic], snapshot[topic], topic);
      await property.booked({ from: 5 });
      const back = client.frames.length;
      client.send({ t: 'live' });
      const present = await arrival(client, 'the present', isSnapshot, back);
      const between = client.frames.slice(client.frames.indexOf(past), client.frames.indexOf(present));
      t.notOk(
        between.some(({ t: kind }) => kind === 'delta'),
        'nothing moved in between',
      );
      t.match(kpiOf(present, property.day(5)), { roomsSold: 3 });
      t.match(present.feed!.find(isLate), { guestName: 'Alan Late' });
      client.send({ t: 'seek', propertyId: property.propertyId, asOf: '2001-01-01T00:00:00Z' });
      const { problem } = await arrival(client, 'an error', (one) => one.t === 'error', back);
      t.match(problem, { code: 'INSUFFICIENT_DATA', frame: 'seek' });
      client.close();
    });
  }

  await group.test('a room says whose guest is in it, and the past says whose was', async (t) => {
    const property = await BlackboxProperty.open(service);
    const body = { roomNumber: '101', roomType: 'DLX', floor: 1 };
    must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body }), 201);
    const { client } = await look(TRANSPORTS['plain WebSocket'], property);
    const { reservationId } = await property.booked({ from: 0, nights: 1 });
    const staff = { role: 'STAFF' } as const;
    const identified = { identificationVerified: true };
    must(await service.reservations('POST', `/${reservationId}/checkin`, { ...staff, body: identified }), 200);
    const inRoom = await patched(
      client,
      'somebody moved in',
      (patch) => patch['reservationId'] === reservationId && patch['topic'] === 'rooms',
    );
    must(await service.reservations('POST', `/${reservationId}/checkout`, { ...staff, body: {} }), 200);
    await patched(client, 'the guest is gone', (patch) => patch['topic'] === 'rooms' && patch['status'] === 'DIRTY');
    t.same((await look(TRANSPORTS['plain WebSocket'], property)).snapshot.rooms, [
      { roomNumber: '101', roomType: 'DLX', status: 'DIRTY' },
    ]);
    const after = client.frames.length;
    client.send({ t: 'seek', propertyId: property.propertyId, asOf: inRoom.ts });
    const past = await arrival(client, 'the past', isSnapshot, after);
    t.same(past.rooms, [{ roomNumber: '101', roomType: 'DLX', status: 'OCCUPIED', reservationId }]);
    client.close();
  });
}

const isSnapshot = ({ t }: Frame): boolean => t === 'snapshot';

function kpiOf({ kpi }: Frame, date: string): Json | undefined {
  return kpi?.find((night) => night['date'] === date);
}
