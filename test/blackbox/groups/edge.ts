import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, propertyBody } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import { expiredToken } from '../signed-token.ts';
import { pause } from '../waiting.ts';

const NOWHERE = '00000000-0000-7000-8000-000000000000';

/**
 * Tokens, tenants, roles, methods, bodies: what is refused before an operation is called
 * (docs/reference/api.md#every-request).
 */
export async function edge(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const list = (options: CallOptions) => service.reservations('GET', '', options);
  await group.test('without a valid token the answer is 401 and says how to log in', async (t) => {
    const token = service.token('demo', 'STAFF');
    const tampered = `${token.slice(0, -8)}${token.slice(-8) === 'AAAAAAAA' ? 'BBBBBBBB' : 'AAAAAAAA'}`;
    const expired = await expiredToken(service.dataDir, token);
    const wrong = [null, 'Bearer', 'Bearer nonsense', `Basic ${token}`, `Bearer ${tampered}`, `Bearer ${expired}`];
    for (const authorization of wrong) {
      const answer = await list({ authorization });
      isProblem(t, answer, 401, { code: 'UNAUTHENTICATED' });
      t.match(answer.headers['www-authenticate'], /^Bearer/);
    }
  });
  await group.test('the tenant is missing, malformed, sent twice, or not of the caller', (t) =>
    tenants(t, service, property),
  );
  await group.test('a role that is too low is refused before its body is read', (t) => roles(t, service, property));
  await group.test('the checks come in their order', (t) => order(t, service, property));
  await group.test('what is not there is 404', (t) => missing(t, service, property));
  await group.test('a method that a path does not have is 405 and lists those it has', async (t) => {
    const patch = await service.reservations('PATCH', '', { body: {} });
    isProblem(t, patch, 405);
    t.match(patch.headers.allow, /GET.*POST|POST.*GET/);
    const remove = await service.rates('DELETE', '/base');
    isProblem(t, remove, 405);
    t.match(remove.headers.allow, /PUT/);
  });
  await group.test('a body that is no JSON, too large or of another kind is refused', (t) => bodies(t, service));
  await group.test('an Idempotency-Key of 256 characters is refused', async (t) => {
    const answer = await property.book({}, { headers: { 'idempotency-key': 'k'.repeat(256) } });
    isProblem(t, answer, 400, { code: 'VALIDATION_FAILED', parameters: ['Idempotency-Key'] });
  });
  await group.test('every answer carries ids, and answers under /api are not stored', async (t) => {
    const requestId = `suite-${randomUUID()}`;
    const answer = await list({ headers: { 'x-request-id': requestId } });
    t.match(answer.headers, {
      'x-request-id': requestId,
      'cache-control': 'no-store',
      traceparent: /^00-[0-9a-f]{32}-/,
    });
  });
  await group.test('wrong set-ups are refused with the field', (t) => setUps(t, service));
  await group.test('an address with many requests without a token is limited', async (t) => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => list({ authorization: null, insistent: true })),
    );
    const limited = answers.find(({ status }) => status === 429);
    t.ok(limited, 'some of sixty at once');
    if (limited) isProblem(t, limited, 429, { code: 'QUOTA_EXCEEDED' });
    t.match(limited?.headers, { 'ratelimit-limit': /./, 'ratelimit-remaining': /./, 'ratelimit-reset': /./ });
    t.equal((await list({})).status, 200, 'who has a token is not held up');
    await pause(1_100);
    isProblem(t, await list({ authorization: null }), 401);
  });
}

async function tenants(t: Test, service: Service, property: BlackboxProperty): Promise<void> {
  for (const tenantHeader of [null, '', 'two words', 'a/b', ['demo', 'demo'], ['demo', 'rival']]) {
    const answer = await service.reservations('GET', '', { tenantHeader });
    isProblem(t, answer, 400, { code: 'TENANT_MISSING' });
  }
  const foreign = await service.reservations('GET', '', { tenantHeader: 'rival' });
  isProblem(t, foreign, 403, { code: 'TENANT_FORBIDDEN' });
  const unknown = await service.reservations('GET', '', { tenantHeader: 'nobody-at-all' });
  isProblem(t, unknown, 403, { code: 'TENANT_FORBIDDEN' });
  const { requestId: one, ...said } = problem(foreign.text);
  const { requestId: other, ...saidOfUnknown } = problem(unknown.text);
  t.not(one, other);
  t.same(said, saidOfUnknown, 'a foreign and an unknown tenant look the same');
  const url = `${service.dev.reservationUrl}/api/v1/tenants/rival/properties`;
  isProblem(t, await service.call('GET', url), 403, { code: 'TENANT_FORBIDDEN' });
  const booked = await property.book({}, { tenantHeader: 'rival' });
  isProblem(t, booked, 403, { code: 'TENANT_FORBIDDEN' });
}

function problem(text: string): Record<string, unknown> {
  const read: Record<string, unknown> = JSON.parse(text);
  return read;
}

async function roles(t: Test, service: Service, property: BlackboxProperty): Promise<void> {
  isProblem(t, await property.book({}, { role: 'VIEWER' }), 403, { code: 'ROLE_TOO_LOW' });
  const broken = await service.reservations('POST', '', { raw: '{"a":', role: 'VIEWER' });
  isProblem(t, broken, 403, { code: 'ROLE_TOO_LOW' });
  isProblem(t, await service.rates('PUT', '/base', { body: {}, role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
  const asManager = { body: propertyBody('never-made'), role: 'MANAGER' } as const;
  isProblem(t, await service.tenants('POST', '/properties', asManager), 403, { code: 'ROLE_TOO_LOW' });
  const audit = `${service.dev.reservationUrl}/api/v1/admin/audit/${property.propertyId}`;
  isProblem(t, await service.call('GET', audit, { role: 'MANAGER' }), 403, { code: 'ROLE_TOO_LOW' });
  t.equal((await service.reservations('GET', '', { role: 'VIEWER' })).status, 200, 'a VIEWER reads');
}

async function order(t: Test, service: Service, property: BlackboxProperty): Promise<void> {
  const create = (options: CallOptions) => service.reservations('POST', '', { raw: '{"a":', ...options });
  isProblem(t, await create({ authorization: null, tenantHeader: null }), 401, { code: 'UNAUTHENTICATED' });
  isProblem(t, await create({ tenantHeader: null }), 400, { code: 'TENANT_MISSING' });
  isProblem(t, await create({ tenantHeader: 'rival', role: 'VIEWER' }), 403, { code: 'TENANT_FORBIDDEN' });
  const unknownProperty = { propertyId: 'no-such-house', guestInfo: { email: 'x' } };
  isProblem(t, await service.reservations('POST', '', { body: unknownProperty }), 400, { code: 'VALIDATION_FAILED' });
  const ready = property.wish({ more: { propertyId: 'no-such-house' } });
  isProblem(t, await service.reservations('POST', '', { body: ready }), 404, { code: 'PROPERTY_NOT_FOUND' });
}

async function missing(t: Test, service: Service, property: BlackboxProperty): Promise<void> {
  const rivals = property.wish({ more: { propertyId: 'rival-inn' } });
  isProblem(t, await service.reservations('POST', '', { body: rivals }), 404, { code: 'PROPERTY_NOT_FOUND' });
  isProblem(t, await service.tenants('GET', '/properties/rival-inn'), 404, { code: 'PROPERTY_NOT_FOUND' });
  const current = `/current?propertyId=rival-inn&checkIn=${property.day(3)}&checkOut=${property.day(4)}`;
  isProblem(t, await service.rates('GET', current), 404, { code: 'PROPERTY_NOT_FOUND' });
  for (const method of ['GET', 'DELETE'] as const) {
    isProblem(t, await service.reservations(method, `/${NOWHERE}`), 404, { code: 'RESERVATION_NOT_FOUND' });
  }
  const change = { body: { modifications: { specialRequests: [] }, reason: 'none' } };
  isProblem(t, await service.reservations('PUT', `/${NOWHERE}`, change), 404, { code: 'RESERVATION_NOT_FOUND' });
  for (const id of ['%27%3B%20drop%20table', 'x'.repeat(400), '%00', '..%2f..%2fetc']) {
    const answer = await service.reservations('GET', `/${id}`);
    isProblem(t, answer, answer.status === 400 ? 400 : 404);
  }
  for (const url of [`${service.dev.reservationUrl}/nope`, `${service.dev.rateUrl}/api/v1/nope`]) {
    isProblem(t, await service.call('GET', url), 404, { code: 'ROUTE_NOT_FOUND' });
  }
}

async function bodies(t: Test, service: Service): Promise<void> {
  const create = (raw: string, headers = {}) => service.reservations('POST', '', { raw, headers });
  for (const raw of ['{"a":', '{"a":1,}', '{} {}', '\u0000']) {
    isProblem(t, await create(raw), 400, { code: 'BODY_UNREADABLE' });
  }
  const empty = await create('');
  isProblem(t, empty, 400);
  isProblem(t, await create('<a/>', { 'content-type': 'text/xml' }), 415, { code: 'UNSUPPORTED_MEDIA_TYPE' });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  isProblem(t, await create('a=1', form), 415, { code: 'UNSUPPORTED_MEDIA_TYPE' });
  for (const coded of [
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'br' },
    { 'content-type': 'application/json; charset=utf-16' },
  ])
    isProblem(t, await create('{}', coded), 415, { code: 'UNSUPPORTED_MEDIA_TYPE' });
  const utf8 = { 'content-type': 'application/json; charset="UTF-8"', 'content-encoding': 'identity' };
  isProblem(t, await create('{}', utf8), 400, { code: 'VALIDATION_FAILED' });
  const large = JSON.stringify({ a: 'x'.repeat(300_000) });
  isProblem(t, await create(large), 413, { code: 'BODY_TOO_LARGE' });
  // The service may hang up on ten megabytes before all of them are sent: that is an answer too.
  const huge = await create(JSON.stringify({ a: 'x'.repeat(10_000_000) })).catch(() => undefined);
  if (huge) isProblem(t, huge, 413, { code: 'BODY_TOO_LARGE' });
  const deep = await create(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  isProblem(t, deep, 400);
  t.equal((await service.reservations('GET', '?limit=1')).status, 200, 'the process lives');
}

async function setUps(t: Test, service: Service): Promise<void> {
  const metadata = (more: Record<string, unknown>) => ({ metadata: { currency: 'EUR', timezone: 'UTC', ...more } });
  const wrong: [Record<string, unknown>, string][] = [
    [{ propertyId: 'Upper_Case' }, '/propertyId'],
    [{ propertyId: 'x'.repeat(51) }, '/propertyId'],
    [{ name: '' }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [metadata({ timezone: 'Mars/Olympus' }), '/metadata/timezone'],
    [metadata({ currency: 'EURO' }), '/metadata/currency'],
    [metadata({ currency: 'KWD' }), '/metadata/currency'],
    [metadata({ currency: 'DEM' }), '/metadata/currency'],
    [metadata({ currency: 'JPY', policies: { feePerNight: 2.5 } }), '/metadata/policies/feePerNight'],
    [metadata({ checkInTime: '25:00' }), '/metadata/checkInTime'],
    [metadata({ policies: { taxPercent: -1 } }), '/metadata/policies/taxPercent'],
    [metadata({ policies: { horizonNights: 0 } }), '/metadata/policies/horizonNights'],
    [{ surprise: 1 }, '/surprise'],
  ];
  for (const [more, pointer] of wrong) {
    const body = { ...propertyBody(`wrong-${randomUUID().slice(0, 8)}`), ...more };
    const answer = await service.tenants('POST', '/properties', { body });
    isProblem(t, answer, 400, { code: 'VALIDATION_FAILED', pointers: [pointer] });
  }
}
