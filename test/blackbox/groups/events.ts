import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';
import type { Page } from '../shapes.ts';

type Shown = {
  topic: string;
  key: string;
  headers: Record<string, string>;
  bytes: number;
  value: Record<string, unknown>;
  error: string | null;
};

type Tested = {
  status: string;
  message: string;
  eventId: string;
  topic: string;
  checkKafkaUI: string;
  checkSchemaRegistry: string;
};

/** What Kafka would get, the schema registry and the description of both, in a service without Kafka. */
export async function events(group: Test, service: Service): Promise<void> {
  const { reservationUrl, rateUrl } = service.dev;
  const events = async (property: BlackboxProperty, query = ''): Promise<Page<Shown>> =>
    must(
      await service.call<Page<Shown>>(
        'GET',
        `${reservationUrl}/dev/events?propertyId=${property.propertyId}${query}`,
      ),
      200,
    ).json;

  await group.test('a booking and its cancellation are what their events say', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked();
    must(await service.reservations('DELETE', `/${reservationId}`, { body: { reason: 'GUEST_REQUEST' } }), 200);
    const { items } = await events(property, '&limit=200');
    const of = items.filter(({ value }) => value?.['reservationId'] === reservationId);
    t.same(
      of.map(({ topic }) => topic),
      ['reservation.cancelled', 'reservation.created'],
      'newest first',
    );
    t.match(of[1], {
      key: `demo:${property.propertyId}`,
      headers: { tenantId: 'demo', propertyId: property.propertyId, generation: /^\d+$/, seq: /^\d+$/ },
      value: { eventType: 'RESERVATION_CREATED', version: 2, propertyId: property.propertyId, totalAmount: '200.00' },
    });
    t.match(of[0]?.value, { reason: 'GUEST_REQUEST', refundAmount: '200.00' });
    t.same(
      items.filter(({ error }) => error !== null),
      [],
    );
    t.ok(items.some(({ topic }) => topic === 'availability.updated'));
  });

  await group.test('pages of events, put together, are all of them', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 3 }, pricedNights: 60 });
    await property.booked();
    const whole: Shown[] = [];
    for (let cursor: string | null | undefined = ''; cursor !== null;) {
      const page: Page<Shown> = await events(
        property,
        `&limit=7${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      whole.push(...page.items);
      cursor = page.nextCursor ?? null;
      if (whole.length > 2_000) throw new Error('pages without an end');
    }
    const ids = whole.map(({ value }) => value['eventId']);
    t.equal(new Set(ids).size, ids.length, 'none twice');
    t.same((await events(property, '&limit=200')).items, whole.slice(0, 200));
    const seqs = whole.map(({ headers }) => Number(headers['seq']));
    t.same(
      seqs,
      seqs.toSorted((a, b) => b - a),
    );
  });

  await group.test('events are for those who may see them', async (t) => {
    const property = await BlackboxProperty.open(service);
    const url = `${reservationUrl}/dev/events?propertyId=${property.propertyId}`;
    isProblem(t, await service.call('GET', url, { role: 'MANAGER' }), 403, { code: 'ROLE_TOO_LOW' });
    const foreign = must(await service.call<Page<Shown>>('GET', url, { tenant: 'rival' }), 200);
    t.same(foreign.json.items, [], 'of its own tenant only');
  });

  await group.test('an administrator searches the events of a property', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked();
    await property.booked();
    const path = `/properties/${property.propertyId}/events`;
    const found = async (query: string) =>
      must(await service.tenants<Page<Shown>>('GET', `${path}?limit=200&${query}`, { role: 'ADMIN' }), 200).json
        .items;
    t.same(await found(''), (await events(property, '&limit=200')).items);
    const ofStay = await found(`q=${reservationId.toUpperCase()}`);
    t.same(
      ofStay.map(({ topic, value }) => [topic, value['reservationId']]),
      [['reservation.created', reservationId]],
    );
    t.equal((await found('topic=reservation.created')).length, 2);
    t.same(await found('topic=guest.checkedin'), []);
    isProblem(t, await service.tenants('GET', `${path}?topic=nothing`), 400, { code: 'VALIDATION_FAILED' });
    isProblem(t, await service.tenants('GET', path, { role: 'MANAGER' }), 403, { code: 'ROLE_TOO_LOW' });
    t.equal((await service.tenants('GET', '/properties/nowhere/events')).status, 404);
  });

  await group.test('the embedded registry takes the schemas, and health says so', async (t) => {
    const registry = String((service.dev as unknown as Record<string, unknown>)['registryUrl']);
    const schema = JSON.stringify({ type: 'record', name: 'Ping', fields: [{ name: 'id', type: 'string' }] });
    const headers = { 'content-type': 'application/vnd.schemaregistry.v1+json' };
    const body = JSON.stringify({ schema });
    const made = await fetch(`${registry}/subjects/ping-value/versions`, { method: 'POST', headers, body });
    t.equal(made.status, 200);
    t.match(await made.json(), { id: Number });
    t.ok(((await (await fetch(`${registry}/subjects`)).json()) as string[]).includes('ping-value'));
    const health = await fetch(`${reservationUrl}/actuator/health/schemaRegistry`);
    t.match(await health.json(), { status: 'UP', details: { embedded: true } });
  });

  await group.test('the event test says where its event and its schema are, and both are there', async (t) => {
    const { user, password } = service.dev.basic;
    const url = `${reservationUrl}/reservation-engine/api/test/kafka`;
    const asked = (authorization: string | null) =>
      service.call<Tested>('GET', url, { authorization, tenantHeader: null });
    const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
    for (const wrong of [
      null,
      basic(`${user}:wrong`),
      basic(`somebody:${password}`),
      `Bearer ${service.token('demo', 'OWNER')}`,
    ]) {
      const { status, headers } = await asked(wrong);
      t.equal(status, 401);
      t.match(headers['www-authenticate'], /^Basic /);
    }
    const tested = must(await asked(basic(`${user}:${password}`)), 200).json;
    t.match(tested, {
      status: 'SUCCESS',
      message: /kept here/,
      topic: 'reservation.created',
      eventId: /^[0-9a-f-]{36}$/,
    });
    const schema = (await (await fetch(tested.checkSchemaRegistry)).json()) as Record<string, unknown>;
    t.match(schema, { subject: 'reservation.created-value', version: 2, schema: /ReservationCreatedEvent/ });
    const shown = must(
      await service.call<Page<Shown> & { testEvents: Shown[] }>('GET', tested.checkKafkaUI),
      200,
    ).json;
    t.match(shown.testEvents[0], {
      headers: { test: 'true' },
      value: { eventId: tested.eventId, reservationId: '00000000-0000-0000-0000-000000000000', tenantId: null },
    });
    const browser = { tenantHeader: null, headers: { accept: 'text/html' } };
    t.match((await service.call('GET', tested.checkKafkaUI, { ...browser, authorization: null })).headers, {
      'www-authenticate': /^Basic /,
    });
    await BlackboxProperty.open(service).then((property) => property.booked());
    const page = must(
      await service.call('GET', tested.checkKafkaUI, { ...browser, authorization: basic(`${user}:${password}`) }),
      200,
    );
    t.match(page.text, tested.eventId);
    t.notMatch(page.text, /house-/, 'nothing of any tenant');
  });

  await group.test('topics and live protocol are described', async (t) => {
    for (const url of [rateUrl, reservationUrl]) {
      const document = (await (await fetch(`${url}/v3/asyncapi.json`)).json()) as Record<string, unknown>;
      t.match(document, {
        asyncapi: '3.0.0',
        channels: { 'reservation.created': { address: 'reservation.created' } },
      });
    }
  });
}
