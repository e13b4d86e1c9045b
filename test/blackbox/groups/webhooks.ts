import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Page } from '../shapes.ts';
import { until } from '../waiting.ts';
import { type Received, Receiver } from '../webhook-receiver.ts';

type Hook = {
  webhookId: string;
  status: string;
  pausedBecause: string | null;
  behind: number;
  failingSince: string | null;
  lastFailure: string | null;
  secret: string;
};
type Delivery = {
  deliveryId: number;
  attempt: number;
  httpStatus: number | null;
  failure: string | null;
  event: string;
};
type Trail = { items: { action: string; userId: string; before: object; after: object }[] };

const BOOKINGS = ['reservation.created', 'reservation.modified', 'reservation.cancelled'];

/** Calls below `/api/v1/webhooks`, as ADMIN unless said otherwise. */
export const webhooksOf =
  (service: Service) =>
  <T = Hook>(method: string, path = '', options: CallOptions = {}) =>
    service.call<T>(method, `${service.dev.reservationUrl}/api/v1/webhooks${path}`, options);

/** Position of a message within its property. */
export const placeOf = ({ generation, seq }: Received): number => generation * 1e12 + seq;

/** Webhooks (docs/reference/webhooks.md#webhooks); the service allows private addresses. */
export async function webhooks(group: Test, service: Service): Promise<void> {
  const call = webhooksOf(service);
  const property = await BlackboxProperty.open(service);
  const { propertyId } = property;
  const receiver = await Receiver.open();
  group.teardown(() => receiver.kill());
  const body = { url: receiver.url, events: BOOKINGS, propertyIds: [propertyId] };
  const hooked = async (more: object = {}): Promise<Hook> =>
    must(await call('POST', '', { body: { ...body, ...more } }), 201).json;
  /** Deliveries are listed a moment after they were made. */
  const listed = (hook: Hook, count: number): Promise<Delivery[]> =>
    until(`${count} deliveries`, 10_000, async () => {
      const { items } = must(await call<Page<Delivery>>('GET', `/${hook.webhookId}/deliveries`), 200).json;
      return items.length >= count ? items : undefined;
    });
  const stateOf = async (id: string): Promise<Hook> => must(await call('GET', `/${id}`), 200).json;

  await group.test('events come signed by Standard Webhooks, in order, with their position', async (t) => {
    const hook = await hooked({ description: 'first' });
    t.match(hook, { status: 'ACTIVE', description: 'first', events: BOOKINGS, propertyIds: [propertyId], behind: 0 });
    t.match(hook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const { reservationId } = await property.booked();
    must(await service.reservations('DELETE', `/${reservationId}`, { body: { reason: 'GUEST_REQUEST' } }), 200);
    const [created, ...others] = await receiver.has(propertyId, 2);
    t.match(created, { type: 'reservation.created', data: { reservationId, propertyId }, generation: 1 });
    t.equal(others.at(-1)?.type, 'reservation.cancelled');
    const positions = receiver.of(propertyId).map(placeOf);
    t.same(
      positions,
      positions.toSorted((a, b) => a - b),
    );
    const verified = new Webhook(hook.secret).verify(created!.raw, created!.headers) as Received;
    t.match(verified, { type: 'reservation.created', seq: created!.seq, timestamp: /^\d{4}-.*Z$/ });
    t.throws(() => new Webhook(hook.secret).verify(`${created!.raw} `, created!.headers));
    t.equal((created!.data as { eventId: string }).eventId, created!.id);
    const list = must(await call<{ items: Hook[] }>('GET'), 200).json.items;
    t.notOk(
      list.some((one) => JSON.stringify(one).includes('whsec_')),
      'a secret is shown once',
    );
    const items = await listed(hook, 2);
    t.match(items[0], { attempt: 1, httpStatus: 204, failure: null, event: 'reservation.cancelled' });
    const path = `/${hook.webhookId}/deliveries?limit=1`;
    const first = must(await call<Page<Delivery>>('GET', path), 200).json;
    t.same(first.items, items.slice(0, 1));
    const next = must(await call<Page<Delivery>>('GET', `${path}&cursor=${first.nextCursor}`), 200).json;
    t.same(next.items, items.slice(1, 2));
    must(await call('DELETE', `/${hook.webhookId}`), 200);
    isProblem(t, await call('GET', `/${hook.webhookId}`), 404, { code: 'WEBHOOK_NOT_FOUND' });
    const trail = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=${hook.webhookId}`;
    const noted = must(await service.call<Trail>('GET', trail), 200).json.items;
    t.same(
      noted.map(({ action }) => action),
      ['REMOVED', 'CREATED'],
    );
    t.notMatch(JSON.stringify(noted), /whsec_|secret|\/hooks/);
  });

  await group.test('a repeated create is one webhook with one secret', async (t) => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = must(await call('POST', '', { body, headers }), 201);
    const again = must(await call('POST', '', { body, headers }), 201);
    t.equal(again.text, first.text);
    t.equal(again.headers['idempotency-replayed'], 'true');
    must(await call('DELETE', `/${first.json.webhookId}`), 200);
  });

  await group.test('while a secret is replaced both sign', async (t) => {
    const hook = await hooked();
    const path = `/${hook.webhookId}/secret`;
    const { json } = must(await call<Hook & { formerSecretUntil: string }>('POST', path), 200);
    t.not(json.secret, hook.secret);
    t.ok(Date.parse(json.formerSecretUntil) > Date.now());
    receiver.taken.length = 0;
    const tested = must(await call<object>('POST', `/${hook.webhookId}/test`), 200).json;
    t.match(tested, { delivered: true, httpStatus: 204, failure: null });
    const [message] = receiver.taken;
    t.equal(message?.type, 'webhook.test');
    for (const secret of [hook.secret, json.secret]) t.ok(new Webhook(secret).verify(message!.raw, message!.headers));
    must(await call('DELETE', `/${hook.webhookId}`), 200);
  });

  await group.test('what is not taken is sent again, and holds up what comes after it', async (t) => {
    receiver.taken.length = 0;
    const hook = await hooked();
    const seen: string[] = [];
    receiver.answering = (response, { type }) => {
      seen.push(type);
      if (seen.length === 1) response.writeHead(500).end('x'.repeat(200_000));
      else if (seen.length === 2) response.writeHead(307, { location: receiver.url }).end();
      else response.writeHead(429, { 'retry-after': '2' }).end();
      if (seen.length === 3) receiver.answering = undefined;
    };
    const { reservationId } = await property.booked();
    must(await service.reservations('DELETE', `/${reservationId}`, { body: { reason: 'GUEST_REQUEST' } }), 200);
    await receiver.has(propertyId, 2);
    t.same(new Set(seen), new Set(['reservation.created']), 'nothing else was tried meanwhile');
    const taken = receiver.of(propertyId);
    t.equal(taken[0]?.type, 'reservation.created');
    const items = await listed(hook, 4);
    t.same(
      items
        .filter(({ failure }) => failure !== null)
        .map(({ attempt, httpStatus, failure }) => [attempt, httpStatus, failure]),
      [
        [3, 429, 'it answers 429'],
        [2, 307, 'it redirects, which is not followed'],
        [1, 500, 'it answers 500'],
      ],
    );
    await until(
      'it fails no more',
      5_000,
      async () => (await stateOf(hook.webhookId)).failingSince === null || undefined,
    );
    must(await call('DELETE', `/${hook.webhookId}`), 200);
  });

  await group.test('a receiver that is gone for good is paused, and resumes where it stopped', async (t) => {
    receiver.taken.length = 0;
    const hook = await hooked();
    receiver.answering = (response) => void response.writeHead(410).end();
    await property.booked();
    const paused = await until('it is paused', 10_000, async () => {
      const state = await stateOf(hook.webhookId);
      return state.status === 'PAUSED' ? state : undefined;
    });
    t.match(paused, { pausedBecause: 'GONE', lastFailure: 'it answers 410' });
    receiver.answering = undefined;
    const resumed = must(await call('PUT', `/${hook.webhookId}`, { body: { ...body, status: 'ACTIVE' } }), 200).json;
    t.match(resumed, { status: 'ACTIVE', pausedBecause: null, failingSince: null });
    t.match(await receiver.has(propertyId, 1), [{ type: 'reservation.created' }]);
    const trail = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=${hook.webhookId}`;
    t.match(must(await service.call<Trail>('GET', trail), 200).json.items, [
      { action: 'CHANGED' },
      { action: 'PAUSED', userId: 'system' },
      { action: 'CREATED' },
    ]);
    must(await call('DELETE', `/${hook.webhookId}`), 200);
  });

  await group.test('a replay sends the same events again, from a row or a moment', async (t) => {
    const hook = await hooked();
    receiver.taken.length = 0;
    await property.booked();
    const first = await receiver.has(propertyId, 1);
    const isRecorded = async () => (await stateOf(hook.webhookId)).behind === 0 || undefined;
    await until('its position is recorded', 10_000, isRecorded);
    receiver.taken.length = 0;
    const replay = (from: object) =>
      call<{ properties: object[] }>('POST', `/${hook.webhookId}/replay`, { body: { from } });
    const { seq } = first[0]!;
    t.same(must(await replay({ propertyId, seq }), 200).json, { properties: [{ propertyId, seq }] });
    const again = await receiver.has(propertyId, first.length);
    t.same(
      again.slice(0, first.length).map(({ raw }) => raw),
      first.map(({ raw }) => raw),
    );
    receiver.taken.length = 0;
    must(await replay({ since: '2020-01-01T00:00:00Z' }), 200);
    const all = await receiver.has(propertyId, 6);
    t.ok(all.some(({ id }) => id === first[0]!.id));
    t.match(must(await replay({ since: '2099-01-01T00:00:00Z' }), 200).json.properties, [{ propertyId }]);
    isProblem(t, await replay({ propertyId: 'nowhere', seq: 1 }), 404, { code: 'PROPERTY_NOT_FOUND' });
    isProblem(t, await replay({}), 400);
    must(await call('DELETE', `/${hook.webhookId}`), 200);
  });

  await group.test('a snapshot comes first, and what changes after it follows', async (t) => {
    receiver.taken.length = 0;
    const hook = await hooked({ snapshot: true, events: ['availability.updated', 'rate.updated'] });
    const [snapshot] = await receiver.has(propertyId, 1);
    t.match(snapshot, { type: 'property.snapshot', generation: 1, data: { part: 1, currency: 'EUR' } });
    const { parts } = snapshot!.data as { parts: number };
    const messages = await receiver.has(propertyId, parts);
    type Night = { roomType: string; date: string; availableRooms: number; rate: string | null };
    const nights = messages.flatMap(({ data }) => data.cells as Night[]);
    const free = (date: string) => nights.find((one) => one.roomType === 'STD' && one.date === date);
    t.match(free(property.day(3)), { availableRooms: 4, rate: '100.00' });
    must(await property.price('STD', 3, 1, 140), 200);
    const [, changed] = [0, (await receiver.has(propertyId, parts + 1)).at(-1)!];
    t.match(changed, { type: 'rate.updated', data: { effectiveDate: property.day(3), newRate: '140.00' } });
    t.ok(placeOf(changed) > placeOf(snapshot!));
    must(await call('DELETE', `/${hook.webhookId}`), 200);
  });

  await group.test('what cannot be used is refused with the place', async (t) => {
    const refused = async (more: object, error: object): Promise<void> => {
      const answer = await call('POST', '', { body: { ...body, ...more } });
      isProblem(t, answer, 400);
      t.match(answer.json, { errors: [error] });
    };
    await refused({ url: 'ftp://example.com' }, { pointer: '/url', code: 'ADDRESS_REFUSED' });
    await refused({ url: 'https://me:secret@example.com/' }, { pointer: '/url', code: 'ADDRESS_REFUSED' });
    await refused({ events: [] }, { pointer: '/events' });
    await refused({ events: ['payment.processed'] }, { pointer: '/events/0' });
    await refused({ events: ['rate.updated', 'rate.updated'] }, { pointer: '/events' });
    await refused({ propertyIds: [] }, { pointer: '/propertyIds' });
    await refused({ more: 1 }, {});
    isProblem(t, await call('POST', '', { body: { ...body, propertyIds: ['nowhere'] } }), 404, {
      code: 'PROPERTY_NOT_FOUND',
    });
    isProblem(t, await call('GET', `/${randomUUID()}/deliveries`), 404, { code: 'WEBHOOK_NOT_FOUND' });
    isProblem(t, await call('POST', '/no-id/test'), 404, { code: 'WEBHOOK_NOT_FOUND' });
  });

  await group.test('a tenant has its own webhooks, and not more than twenty', async (t) => {
    const hook = await hooked();
    const rival = { tenant: 'rival' };
    isProblem(t, await call('GET', `/${hook.webhookId}`, rival), 404, { code: 'WEBHOOK_NOT_FOUND' });
    isProblem(t, await call('POST', `/${hook.webhookId}/test`, rival), 404, { code: 'WEBHOOK_NOT_FOUND' });
    isProblem(t, await call('DELETE', `/${hook.webhookId}`, rival), 404, { code: 'WEBHOOK_NOT_FOUND' });
    isProblem(t, await call('POST', '', { body, ...rival }), 404, { code: 'PROPERTY_NOT_FOUND' });
    const all = [hook];
    while (all.length < 20) all.push(await hooked());
    isProblem(t, await call('POST', '', { body }), 409, { code: 'INVALID_STATE' });
    for (const { webhookId } of all) must(await call('DELETE', `/${webhookId}`), 200);
  });
}
