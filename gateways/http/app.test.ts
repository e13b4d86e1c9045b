import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { request as rawRequest } from 'node:http';
import { test } from 'tap';
import { z } from 'zod';

import { wireMoney } from '../../src/kernel/contracts/wire-money.ts';
import type { Caller } from '../../src/kernel/rules/caller.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { memoryCounters } from '../../src/platform/coordination/memory-counters.ts';
import { associationsOfTests, type CallInit, startHttpWorld, verifierOfTests } from '../../src/testing/http-world.ts';
import { Authenticator } from '../auth/authenticator.ts';
import { RateLimits } from './admission/rate-limit.ts';
import { addTiming, stampSeq } from './exchange.ts';
import { type Idempotency, IdempotencyKey } from './idempotency.ts';
import { BasicAuth, Costly, Needs, OpenRoute, OperatorOnly, HttpReply, TheCaller } from './route.ts';

const stay = z.strictObject({
  checkIn: z.iso.date(),
  adults: z.int().min(1).max(20),
  cardToken: z
    .string()
    .optional()
    .superRefine((value, context) => {
      if (/^\d{13,19}$/.test(value ?? '')) {
        context.addIssue({ code: 'custom', params: { code: 'RAW_CARD_NUMBER' }, message: 'is a card number' });
      }
    }),
});
const booking = z.strictObject({ propertyId: z.string().max(50), 'a/b': z.string().optional(), stay });
const search = z.object({ propertyId: z.string(), limit: z.coerce.number().int().min(1).max(200).default(50) });

@Controller('api/v1/things')
class Things {
  @Get()
  @Needs('reservation.read')
  list(@Query({ schema: search }) query: z.infer<typeof search>, @TheCaller() caller: Caller) {
    return { ...query, caller };
  }

  @Post()
  @HttpCode(201)
  @Needs('reservation.create')
  create(
    @Body({ schema: booking }) body: z.infer<typeof booking>,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ) {
    stampSeq(reply, 7);
    addTiming(reply, 'actor', 1.234);
    addTiming(reply, 'db', 2);
    return { body, key, amount: wireMoney(19_900) };
  }

  @Get('text')
  @Needs('reservation.read')
  text() {
    return '{"ready":true}';
  }

  @Get('refused/:how')
  @Needs('reservation.read')
  refuse(@Param('how') how: string) {
    if (how === 'sold-out') {
      throw new DomainError('ROOM_NOT_AVAILABLE', 'The night of 2030-01-02 is sold out.', {
        date: '2030-01-02',
        seq: 41,
        alternatives: [{ roomType: 'DLX', checkIn: '2030-01-03', checkOut: '2030-01-04' }],
        extra: { price: 12 },
      });
    }
    if (how === 'holds')
      throw new DomainError('QUOTA_EXCEEDED', 'Too many holds.', { retryAfterSeconds: 6.5, extra: { limit: 100 } });
    if (how === 'overload') throw new DomainError('NOT_EXECUTED', 'Too much to do.', { retryAfterSeconds: 2.2 });
    if (how === 'away') throw Object.assign(new Error('database x: timeout expired'), { isTemporary: true });
    if (how === 'full')
      throw new Error('wrapped', { cause: Object.assign(new Error('No space left on device'), { code: '53100' }) });
    if (how === 'lost')
      throw Object.assign(new Error('wrapped'), { cause: Object.assign(new Error('x'), { code: '57P01' }) });
    throw new Error(`select secret from ${how}`);
  }

  @Delete(':id')
  @Needs('reservation.cancel')
  cancel(
    @Param('id') id: string,
    @Body({ schema: z.strictObject({ reason: z.string().optional() }) }) body: unknown,
  ) {
    return { id, body };
  }
}

@Controller()
class Others {
  @Put('api/v1/tenants/:tenantId/name')
  @Needs('user.remove')
  rename() {
    return {};
  }

  @Get('api/v1/costly')
  @Needs('reservation.read')
  @Costly()
  costly() {
    return {};
  }

  @Get('ops/all')
  @OperatorOnly()
  all() {
    return {};
  }

  @Get('reservation-engine/api/test/kafka')
  @BasicAuth()
  kafka() {
    return {};
  }

  @Get('open')
  @OpenRoute()
  open() {
    return { open: true };
  }
}

const things = { controllers: [Things, Others] };

const good = { propertyId: 'p', stay: { checkIn: '2030-01-02', adults: 2 } };

void test('an admitted request gets its caller, its ids and its headers', async (t) => {
  await using world = await startHttpWorld(things);
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const answer = await world.call('/api/v1/things?propertyId=p', { headers: { 'x-request-id': 'r-1', traceparent } });
  t.equal(answer.status, 200);
  t.same(answer.json, {
    propertyId: 'p',
    limit: 50,
    caller: {
      tenantId: 'demo',
      subject: 'user-demo-manager',
      role: 'MANAGER',
      requestId: 'r-1',
      tenantStatus: 'ACTIVE',
    },
  });
  t.equal(answer.headers.get('x-request-id'), 'r-1');
  t.match(answer.headers.get('traceparent'), new RegExp(`^00-${'a'.repeat(32)}-(?!b{16})[0-9a-f]{16}-01$`));
  t.equal(answer.headers.get('cache-control'), 'no-store');
  t.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  t.equal((await world.call('/api/v1/things/text')).text, '{"ready":true}');
  const created = await world.call('/api/v1/things', {
    method: 'POST',
    json: good,
    headers: { 'idempotency-key': 'k' },
  });
  t.equal(created.status, 201, created.text);
  t.match(created.text, '"amount":199.00');
  t.equal(created.headers.get('x-property-seq'), '7');
  t.equal(created.headers.get('server-timing'), 'actor;dur=1.23, db;dur=2.00');
  t.match(created.json['key'], { key: 'k', fingerprint: /^[0-9a-f]{64}$/ });
});

void test('an insane request id is replaced, a missing trace begins here', async (t) => {
  await using world = await startHttpWorld(things);
  const answer = await world.call('/open', { as: null, tenant: null, headers: { 'x-request-id': 'a b <c>' } });
  t.match(answer.headers.get('x-request-id'), /^[0-9a-f-]{36}$/);
  t.match(answer.headers.get('traceparent'), /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
});

void test('checks come in the order of the contract', async (t) => {
  await using world = await startHttpWorld(things);
  const bad = { method: 'POST', body: '<a/>', headers: { 'content-type': 'text/xml' } };
  const codes = async (init: object) => {
    const answer = await world.call('/api/v1/things', { ...bad, ...init });
    t.match(answer.headers.get('content-type'), 'application/problem+json');
    t.equal(answer.json['status'], answer.status);
    return [answer.status, answer.json['code']];
  };
  t.same(await codes({ as: null, tenant: null }), [401, 'UNAUTHENTICATED']);
  t.same(await codes({ as: '???', tenant: null }), [401, 'UNAUTHENTICATED']);
  t.same(await codes({ tenant: null }), [400, 'TENANT_MISSING']);
  t.same(await codes({ tenant: 'de mo' }), [400, 'TENANT_MISSING']);
  t.same(await codes({ tenant: 'rival' }), [403, 'TENANT_FORBIDDEN']);
  t.same(await codes({ tenant: 'nobody-knows' }), [403, 'TENANT_FORBIDDEN']);
  t.same(await codes({ as: 'demo-viewer' }), [403, 'ROLE_TOO_LOW']);
  t.same(await codes({}), [415, 'UNSUPPORTED_MEDIA_TYPE']);
  const json = { 'content-type': 'application/json' };
  t.same(await codes({ headers: json, body: `"${'x'.repeat(300_000)}"` }), [413, 'BODY_TOO_LARGE']);
  t.same(await codes({ headers: json, body: '{"a":' }), [400, 'BODY_UNREADABLE']);
  t.same(await codes({ headers: json, body: '{"__proto__":1}' }), [400, 'BODY_UNREADABLE']);
});

void test('a tenant header sent twice is malformed', async (t) => {
  await using world = await startHttpWorld(things);
  const status = await new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer demo-manager', 'x-tenant-id': ['demo', 'demo'] };
    rawRequest(`${world.url}/api/v1/things?propertyId=p`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
  t.equal(status, 400);
});

void test('ten megabytes are refused without being read', async (t) => {
  await using world = await startHttpWorld(things);
  const init = { method: 'POST', json: 'x'.repeat(10_000_000) };
  // The server may also hang up while the client still sends: both are contracted.
  const answer = await world.call('/api/v1/things', init).catch(() => undefined);
  if (answer !== undefined) t.equal(answer.status, 413);
  t.equal((await world.call('/open')).status, 200);
});

void test('a path of another tenant than the header is forbidden', async (t) => {
  await using world = await startHttpWorld(things);
  const put = (tenantId: string, as: string) =>
    world.call(`/api/v1/tenants/${tenantId}/name`, { method: 'PUT', as, json: {} });
  t.equal((await put('demo', 'demo-owner')).status, 200);
  t.equal((await put('rival', 'demo-owner')).json['code'], 'TENANT_FORBIDDEN');
  t.equal((await put('demo', 'demo-admin')).json['code'], 'ROLE_TOO_LOW');
});

void test('every wrong field is listed, bodies by pointer', async (t) => {
  await using world = await startHttpWorld(things);
  const errorsOf = async (json: unknown, code = 'VALIDATION_FAILED') => {
    const answer = await world.call('/api/v1/things', { method: 'POST', json });
    t.equal(answer.status, 400);
    t.equal(answer.json['code'], code);
    return answer.json['errors'];
  };
  const required = 'is required';
  t.match(await errorsOf({}), [
    { pointer: '/propertyId', code: 'MISSING', detail: required },
    { pointer: '/stay', code: 'MISSING', detail: required },
  ]);
  t.match(await errorsOf({ ...good, surprise: 1, other: 2, stay: { checkIn: '2030-02-31', adults: 0, 'x/~y': 1 } }), [
    { pointer: '/stay/checkIn', code: 'BAD_FORMAT' },
    { pointer: '/stay/adults', code: 'TOO_SMALL' },
    { pointer: '/stay/x~1~0y', code: 'UNKNOWN_FIELD' },
    { pointer: '/surprise', code: 'UNKNOWN_FIELD' },
    { pointer: '/other', code: 'UNKNOWN_FIELD' },
  ]);
  t.match(await errorsOf({ ...good, stay: { ...good.stay, adults: 'two' } }), [{ code: 'WRONG_TYPE' }]);
  t.match(await errorsOf([1]), [{ pointer: '', code: 'WRONG_TYPE' }]);
  t.match(await errorsOf({ ...good, propertyId: 'a\0b' }), [{ pointer: '/propertyId' }]);
  t.match(await errorsOf({ ...good, stay: { ...good.stay, cardToken: '4111111111111111' } }, 'RAW_CARD_NUMBER'), [
    { pointer: '/stay/cardToken' },
  ]);
  t.match(await errorsOf(JSON.parse(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`)), [{}, {}, {}, {}]);
});

void test('an empty body lists what it lacks, and is fine where nothing is needed', async (t) => {
  await using world = await startHttpWorld(things);
  const empty = await world.call('/api/v1/things', { method: 'POST' });
  t.match(empty.json['errors'], [{ pointer: '/propertyId' }, { pointer: '/stay' }]);
  const headers = { 'content-type': 'application/json' };
  t.match((await world.call('/api/v1/things', { method: 'POST', headers, body: '' })).json, {
    code: 'VALIDATION_FAILED',
  });
  t.equal((await world.call('/api/v1/things/1', { method: 'DELETE', headers })).status, 200);
  t.equal((await world.call('/api/v1/things/1', { method: 'DELETE', json: { reason: 'x' } })).status, 200);
});

void test('a route without a body refuses one with fields in it', async (t) => {
  await using world = await startHttpWorld(things);
  const rename = (json?: unknown) =>
    world.call('/api/v1/tenants/demo/name', { method: 'PUT', as: 'demo-owner', json });
  t.match(await rename({ surprise: 1 }), {
    status: 400,
    json: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/surprise', code: 'UNKNOWN_FIELD' }] },
  });
  for (const wrong of [[], 'text', 5]) t.equal((await rename(wrong)).status, 400);
  for (const nothing of [undefined, {}]) t.equal((await rename(nothing)).status, 200);
});

void test('a limit of another kind has its headers too', async (t) => {
  await using world = await startHttpWorld(things);
  const { status, headers } = await world.call('/api/v1/things/refused/holds');
  t.equal(status, 429);
  t.same(
    [headers.get('ratelimit-limit'), headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')],
    ['100', '0', '7'],
  );
});

void test('wrong query parameters are named, unknown ones ignored', async (t) => {
  await using world = await startHttpWorld(things);
  const answer = await world.call('/api/v1/things?limit=0&more=1');
  t.match(answer.json['errors'], [
    { parameter: 'propertyId', code: 'MISSING' },
    { parameter: 'limit', code: 'TOO_SMALL' },
  ]);
  t.match((await world.call('/api/v1/things?propertyId=a&propertyId=b')).json['errors'], [
    { parameter: 'propertyId' },
  ]);
});

void test('an idempotency key has 1 to 255 characters', async (t) => {
  await using world = await startHttpWorld(things);
  const headers = { 'idempotency-key': 'x'.repeat(256) };
  const answer = await world.call('/api/v1/things', { method: 'POST', json: good, headers });
  t.match(answer.json, { code: 'VALIDATION_FAILED', errors: [{ parameter: 'Idempotency-Key' }] });
});

void test('an error carries all members of the contract', async (t) => {
  await using world = await startHttpWorld(things);
  const answer = await world.call('/api/v1/things/refused/sold-out?email=a@b.c');
  t.equal(answer.status, 409);
  t.equal(answer.headers.get('x-property-seq'), '41');
  t.same(answer.json, {
    price: 12,
    type: '/problems/room-not-available',
    title: 'No room is left',
    status: 409,
    detail: 'The night of 2030-01-02 is sold out.',
    instance: '/api/v1/things/refused/sold-out',
    code: 'ROOM_NOT_AVAILABLE',
    requestId: answer.headers.get('x-request-id'),
    retryable: false,
    alternatives: [{ roomType: 'DLX', checkIn: '2030-01-03', checkOut: '2030-01-04' }],
    date: '2030-01-02',
    seq: 41,
  });
  const overload = await world.call('/api/v1/things/refused/overload');
  t.equal(overload.status, 503);
  t.equal(overload.headers.get('retry-after'), '3');
  t.equal(overload.json['retryable'], true);
});

void test('faults say nothing about their reason', async (t) => {
  await using world = await startHttpWorld(things);
  const fault = await world.call('/api/v1/things/refused/somewhere');
  t.equal(fault.status, 500);
  t.equal(fault.json['code'], 'INTERNAL');
  t.notMatch(fault.text, /select|secret|stack|\.ts/);
  for (const how of ['lost', 'away']) {
    const lost = await world.call(`/api/v1/things/refused/${how}`);
    t.equal(lost.json['code'], 'STORE_UNAVAILABLE');
    t.ok(lost.headers.get('retry-after'));
  }
});

void test('a database without room refuses a write as such, whoever sent it', async (t) => {
  await using world = await startHttpWorld(things);
  const full = await world.call('/api/v1/things/refused/full');
  t.match(full, { status: 503, json: { code: 'STORE_READ_ONLY', retryable: true } });
  t.equal(full.headers.get('retry-after'), '2');
  t.notMatch(full.text, /device/);
});

void test('unknown paths are 404, unknown methods 405 with Allow', async (t) => {
  await using world = await startHttpWorld(things);
  t.match(await world.call('/nope', { as: null, tenant: null }), { status: 404, json: { code: 'ROUTE_NOT_FOUND' } });
  t.match(await world.call('/api/v1/nope'), { status: 404, json: { code: 'ROUTE_NOT_FOUND' } });
  t.match(await world.call('/api/v1/nope', { as: null }), { status: 401 });
  const wrong = await world.call('/api/v1/things', { method: 'PUT', json: {} });
  t.equal(wrong.status, 405);
  t.equal(wrong.json['code'], 'METHOD_NOT_ALLOWED');
  t.equal(wrong.headers.get('allow'), 'GET, HEAD, POST');
  const one = await world.call('/api/v1/things/17', { method: 'PATCH', body: '<a/>' });
  t.equal(one.headers.get('allow'), 'DELETE');
  const long = await world.call(`/api/v1/things/${'x'.repeat(600)}`, { method: 'DELETE' });
  t.equal(long.status, 404);
  const malformed = await world.call('/api/v1/things/%zz', { method: 'DELETE' });
  t.match(malformed, { status: 400, json: { code: 'VALIDATION_FAILED' } });
});

void test('operators and the event test have gates of their own', async (t) => {
  await using world = await startHttpWorld(things, { basic: { user: 'innkeeper', password: 'secret' } });
  t.equal((await world.call('/ops/all', { as: 'demo-owner' })).status, 403);
  t.equal((await world.call('/ops/all', { as: 'some-operator~innkeeper:operate', tenant: null })).status, 200);
  const basic = (text: string) =>
    world.call('/reservation-engine/api/test/kafka', {
      as: null,
      headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` },
    });
  t.equal((await basic('innkeeper:secret')).status, 200);
  const wrong = await basic('innkeeper:wrong');
  t.equal(wrong.status, 401);
  t.match(wrong.headers.get('www-authenticate'), /^Basic /);
});

void test('a missing token is challenged, a bad one named invalid', async (t) => {
  await using world = await startHttpWorld(things);
  const none = await world.call('/api/v1/things', { as: null });
  t.equal(none.headers.get('www-authenticate'), 'Bearer realm="innkeeper"');
  const bad = await world.call('/api/v1/things', { as: 'x' });
  t.equal(bad.headers.get('www-authenticate'), 'Bearer realm="innkeeper", error="invalid_token"');
});

void test('a suspended tenant sells nothing and goes on; a cancelled one is only read by its owner', async (t) => {
  const associations = associationsOfTests({ demo: 'SUSPENDED', gone: 'CANCELLED' });
  await using world = await startHttpWorld(things, {
    authenticator: new Authenticator(verifierOfTests, associations),
  });
  t.equal((await world.call('/api/v1/things?propertyId=p')).status, 200);
  t.equal((await world.call('/api/v1/things/1', { method: 'DELETE' })).status, 200);
  t.match((await world.call('/api/v1/things', { method: 'POST', json: good })).json, { code: 'TENANT_NOT_ACTIVE' });
  const gone = (as: string, method = 'GET') => world.call('/api/v1/things/text', { as, tenant: 'gone', method });
  t.equal((await gone('gone-owner')).status, 200);
  t.match((await gone('gone-admin')).json, { code: 'TENANT_NOT_ACTIVE' });
});

void test('subjects and tenants have limits, and the answer says so', async (t) => {
  const limits = new RateLimits({ tenant: 0, subject: 3, address: 0 }, memoryCounters);
  await using world = await startHttpWorld(things, { limits });
  const statuses: number[] = [];
  for (let i = 0; i < 8; i++) statuses.push((await world.call('/api/v1/things/text')).status);
  t.same(statuses, [200, 200, 200, 200, 200, 200, 429, 429], 'twice the rate passes at once');
  const refused = await world.call('/api/v1/things/text');
  t.match(refused.json, { code: 'QUOTA_EXCEEDED', retryable: true });
  t.equal(refused.headers.get('ratelimit-limit'), '3');
  t.equal(refused.headers.get('ratelimit-remaining'), '0');
  t.equal(refused.headers.get('ratelimit-reset'), '1');
  t.equal(refused.headers.get('retry-after'), '1');
  t.equal((await world.call('/api/v1/things/text', { as: 'demo-admin' })).status, 200, 'others are not touched');
});

void test('every counted answer shows what is left of the nearer limit', async (t) => {
  const limits = new RateLimits({ tenant: 50, subject: 9, address: 4, costly: 2 }, memoryCounters);
  await using world = await startHttpWorld(things, { limits });
  const answerOf = async (path: string, init?: CallInit) => {
    const { status, headers } = await world.call(path, init);
    return [status, ...['limit', 'remaining', 'reset'].map((part) => headers.get(`ratelimit-${part}`))];
  };
  t.same(await answerOf('/api/v1/things/text'), [200, '9', '8', '1']);
  t.same(await answerOf('/api/v1/things/text', { tenant: 'rival' }), [403, '9', '7', '1'], 'an error too');
  t.same(await answerOf('/api/v1/nothing'), [404, '9', '6', '1']);
  t.same(await answerOf('/api/v1/costly'), [200, '2', '1', '1']);
  t.same(await answerOf('/api/v1/things/text', { as: null }), [401, '4', '3', '1']);
  t.same(await answerOf('/open'), [200, null, null, null], 'nobody counts here');
});

void test('what takes long has a limit of its own in each tenant', async (t) => {
  const limits = new RateLimits({ tenant: 0, subject: 0, address: 0, costly: 1 }, memoryCounters);
  await using world = await startHttpWorld(things, { limits });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await world.call('/api/v1/costly')).status);
  t.same(statuses, [200, 200, 429]);
  t.equal((await world.call('/api/v1/costly', { as: 'demo-admin' })).status, 429, 'in every role');
  t.equal((await world.call('/api/v1/things/text')).status, 200, 'other routes are not touched');
});

void test('an address without a valid token has a small share', async (t) => {
  let verified = 0;
  const verifier = (token: string) => {
    verified += 1;
    return verifierOfTests(token);
  };
  await using world = await startHttpWorld(things, {
    limits: new RateLimits({ tenant: 0, subject: 0, address: 5 }, memoryCounters),
    authenticator: new Authenticator(verifier, associationsOfTests()),
  });
  t.equal((await world.call('/api/v1/things/text')).status, 200);
  const bad = async (times: number) => {
    const statuses: number[] = [];
    for (let i = 0; i < times; i++)
      statuses.push((await world.call('/api/v1/things/text', { as: `bad${i}` })).status);
    return statuses;
  };
  t.same(await bad(8), [401, 401, 401, 401, 401, 429, 429, 429]);
  t.equal((await world.call('/api/v1/things/text')).status, 200, 'a known token passes all the same');
  t.equal((await world.call('/api/v1/things/text', { as: 'demo-admin' })).status, 200, 'and so does a new valid one');
  t.equal(verified, 10);
});

void test('browsers of allowed origins may call', async (t) => {
  await using world = await startHttpWorld(things, { corsOrigins: ['http://dash.test'] });
  const preflight = await world.call('/api/v1/things', {
    method: 'OPTIONS',
    as: null,
    tenant: null,
    headers: { origin: 'http://dash.test', 'access-control-request-method': 'POST' },
  });
  t.equal(preflight.status, 204);
  t.equal(preflight.headers.get('access-control-allow-origin'), 'http://dash.test');
  const other = await world.call('/open', { headers: { origin: 'http://evil.test' } });
  t.equal(other.headers.get('access-control-allow-origin'), null);
});

void test('while draining, nothing below /api is executed', async (t) => {
  await using world = await startHttpWorld(things, { isDraining: () => true });
  const answer = await world.call('/api/v1/things/text');
  t.match(answer, { status: 503, json: { code: 'NOT_EXECUTED', retryable: true } });
  t.equal((await world.call('/open')).status, 200);
});

void test('a route that does not say who may call it stops the start', async (t) => {
  @Controller('api/v1/holes')
  class Hole {
    @Get()
    get() {
      return {};
    }
  }
  await t.rejects(startHttpWorld({ controllers: [Hole] }), /needs @Needs\(\)/);
});
