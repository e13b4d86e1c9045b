import type { Test } from 'tap';

import { inCiOrNightly } from '../loop/nightly.ts';
import { placeOf, webhooksOf } from './groups/webhooks.ts';
import { BlackboxProperty, must } from './property.ts';
import type { Service } from './service.ts';
import type { Page } from './shapes.ts';
import { pause, until } from './waiting.ts';
import { Receiver } from './webhook-receiver.ts';

const TOPICS = ['reservation.created', 'reservation.modified', 'reservation.cancelled', 'availability.updated'];
const PROPERTIES = 3;
/** In CI the receiver is killed once, and then the service; at night both twice. */
const ROUNDS = inCiOrNightly(2, 4);

type Shown = { topic: string; value: { eventId: string } | null };

/** Ids of all events of a property, as its journal has them. */
async function eventsOf(service: Service, propertyId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const url = `${service.dev.reservationUrl}/dev/events?propertyId=${propertyId}&limit=200${cursor}`;
    const { items, nextCursor } = must(await service.call<Page<Shown>>('GET', url), 200).json;
    for (const { topic, value } of items) if (TOPICS.includes(topic) && value) ids.push(value.eventId);
    if (!nextCursor) return ids;
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
}

/**
 * Kills service and receiver alternately while guests book and cancel: nothing is missing, and the first of each event is
 * in order (docs/concepts/subscriptions.md#position).
 */
export async function webhookKills(t: Test, service: Service): Promise<void> {
  const receiver = await Receiver.open();
  t.teardown(() => receiver.kill());
  const properties = await Promise.all(
    Array.from({ length: PROPERTIES }, () => BlackboxProperty.open(service, { pricedNights: 40 })),
  );
  const body = { url: receiver.url, events: TOPICS, snapshot: true };
  const call = webhooksOf(service);
  const { webhookId } = must(await call('POST', '', { body }), 201).json;
  for (const { propertyId } of properties) await receiver.has(propertyId, 1);
  // Events before the snapshot are part of it.
  const before = new Set<string>();
  for (const { propertyId } of properties) for (const id of await eventsOf(service, propertyId)) before.add(id);

  const over = new AbortController();
  const guests = properties.map(async (property, n) => {
    for (let night = 1; !over.signal.aborted; night = (night % 30) + 1) {
      const answer = await property
        .book({ from: night, nights: 1, roomType: n % 2 ? 'STD' : 'DLX' })
        .catch(() => undefined);
      const id = answer?.status === 201 ? answer.json.reservationId : undefined;
      if (id)
        await service.reservations('DELETE', `/${id}`, { body: { reason: 'GUEST_REQUEST' } }).catch(() => undefined);
      await pause(20);
    }
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    await pause(1_500);
    if (round % 2 === 0) {
      await receiver.kill();
      await pause(700);
      await receiver.begin();
    } else {
      await service.killHard();
      await service.up();
    }
  }
  await pause(1_000);
  over.abort();
  await Promise.all(guests);
  await until('nothing is behind', 120_000, async () => {
    const { behind } = must(await call('GET', `/${webhookId}`), 200).json;
    return behind === 0 || undefined;
  });
  let sent = 0;
  for (const { propertyId } of properties) {
    const taken = receiver.of(propertyId).filter(({ type }) => TOPICS.includes(type));
    const ids = new Set(taken.map(({ id }) => id));
    const expected = (await eventsOf(service, propertyId)).filter((id) => !before.has(id));
    t.same(
      expected.filter((id) => !ids.has(id)),
      [],
      `none of ${expected.length} events is missing`,
    );
    const places = taken.map(placeOf);
    t.same(
      places,
      places.toSorted((a, b) => a - b),
      'the first of each is in order',
    );
    sent += expected.length;
  }
  t.ok(sent > 25 * ROUNDS, `${sent} events`);
  t.comment(`${sent} events, ${receiver.taken.length} taken, ${receiver.requests} requests`);
  must(await call('DELETE', `/${webhookId}`), 200);
}
