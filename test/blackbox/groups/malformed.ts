import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';

import { describedRoutes } from '../described-routes.ts';
import { isProblem, problemOf } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Page } from '../shapes.ts';

/** Sentences of the schema library, of which none may be shown. */
const LIBRARY_WORDS =
  /invalid (input|option|string|type|key|element|e-?mail|uuid|iso|date|url|number|record)|too (small|big)|unrecognized|expected (string|number|int|boolean|array|object|record|one of|nonoptional)|received \w+|must match pattern|>=|<=|\bNaN\b|zod/i;

/** Values that are wrong for nearly every field, each in another way. */
const WRONG_VALUES: unknown[] = [null, true, -1.5, 1e300, '', 'x'.repeat(3_000), [], [null], {}, { surprise: 1 }];

/** Requests that no client of ours sends: every one gets a clear error, and none is worth repeating. */
export async function malformed(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service);

  await group.test('a NUL in any parameter of any route is refused, and not worth repeating', async (t) => {
    const routes = (await describedRoutes(service)).filter(({ path }) => path.includes('{'));
    t.ok(routes.length > 40);
    for (const { base, method, path, operation } of routes) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter((name) => name !== 'tenantId');
      for (const name of names) {
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, one: string) =>
          one === name ? `%00${property.propertyId}` : one === 'tenantId' ? 'demo' : property.propertyId,
        );
        const isForOperator = operation['x-role'] === undefined && path.startsWith('/ops/');
        const authorization = isForOperator ? { authorization: `Bearer ${service.dev.operatorToken}` } : {};
        const answer = await service.call(method, `${base}${filled}`, { role: 'OWNER', ...authorization });
        t.ok(
          [400, 404].includes(answer.status),
          `${method} ${filled}: ${answer.status} ${answer.text.slice(0, 200)}`,
        );
        if (answer.text.startsWith('{')) t.equal(problemOf(answer).retryable, false, `${method} ${filled}`);
      }
    }
  });

  await group.test('a NUL in a query or a body is 400 and names its place', async (t) => {
    for (const query of ['propertyId=a%00b', 'guestId=%00', 'email=%00', 'nothing=%00']) {
      isProblem(t, await service.reservations('GET', `?${query}`), 400, { parameters: [query.split('=')[0]!] });
    }
    const metrics = `${service.dev.reservationUrl}/actuator/metrics/jobs.round.age?tag=%00`;
    t.equal((await service.call('GET', metrics)).status, 400);
    const answer = await property.book({ more: { specialRequests: ['a\0b'] }, guest: { phone: '1\0' } });
    isProblem(t, answer, 400, { pointers: ['/specialRequests/0', '/guestInfo/phone'] });
  });

  await group.test('control characters are refused in one line, line breaks allowed in notes', async (t) => {
    for (const bad of ['Ada\r\nBcc: x@example.com', 'A\nB', 'A\tB', 'A\u001b[2J', 'A\u0085B', 'A\u2028B']) {
      const answer = await property.book({ guest: { firstName: bad } });
      isProblem(t, answer, 400, { code: 'VALIDATION_FAILED', pointers: ['/guestInfo/firstName'] });
    }
    const billing = {
      paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa', billingAddress: { name: 'A\nB' } },
    };
    isProblem(t, await property.book({ more: billing }), 400, { pointers: ['/paymentDetails/billingAddress/name'] });
    isProblem(t, await property.book({ more: { specialRequests: ['a\u0007b'] } }), 400, {
      pointers: ['/specialRequests/0'],
    });
    const asked = 'A cot, please.\r\nAnd a quiet room.';
    const { reservationId } = await property.booked({ more: { specialRequests: [asked] } });
    t.match((await property.read(reservationId)).json, { specialRequests: [asked] });
    const description = 'first line\nsecond line';
    must(await service.reservations('DELETE', `/${reservationId}`, { body: { description } }), 200);
  });

  await group.test('optional texts that are empty are absent, required ones say so', async (t) => {
    const guest = { phone: '', preferences: { roomType: '' } };
    const { reservationId } = await property.booked({ guest, stay: { promoCode: '', rateCode: '' } });
    const read = await property.read(reservationId);
    t.match(read.json, { stayDetails: { rateCode: 'BAR' } });
    t.notMatch(read.text, /"(phone|promoCode)":""/);
    const note = { modifications: {}, reason: '', modifiedBy: ' ' };
    must(await service.reservations('PUT', `/${reservationId}`, { body: note }), 200);
    const refused = await property.book({ guest: { lastName: ' ' } });
    isProblem(t, refused, 400, { pointers: ['/guestInfo/lastName'] });
    t.match(problemOf(refused).errors, [{ detail: 'must not be empty' }]);
    const cancelled = { reason: 'OTHER', description: '', cancelledBy: '' };
    must(await service.reservations('DELETE', `/${reservationId}`, { body: cancelled }), 200);
  });

  await group.test('an answer lists fifty wrong fields and says how many more there are', async (t) => {
    const more = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 1]));
    const answer = await property.book({ more });
    isProblem(t, answer, 400, { code: 'VALIDATION_FAILED' });
    const { errors = [], detail } = problemOf(answer);
    t.equal(errors.length, 51);
    t.match(errors.at(-1), { code: 'MORE', detail: '4950 more fields are wrong' });
    t.equal(detail, '5000 fields are wrong.');
    t.ok(answer.text.length < JSON.stringify(more).length);
  });

  await group.test('no answer of a write route has words of the schema library', (t) => words(t, service, property));

  await group.test('an absolute request target is its path, and what follows it kills nobody', async (t) => {
    const say = async (url: string, head: string): Promise<string> => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      // What is refused early is closed while it is being sent.
      socket.on('error', () => {});
      socket.write(`${head}\r\nConnection: close\r\n\r\n`);
      return text(socket).catch(() => '');
    };
    for (const url of [service.dev.rateUrl, service.dev.reservationUrl, service.dev.liveUrl]) {
      const target = 'http://hotel.example/actuator/health/liveness';
      t.match(await say(url, `GET ${target} HTTP/1.1\r\nHost: hotel.example`), /^HTTP\/1\.1 200 /, url);
      t.match(await say(url, 'GET http://x/y HTTP/1.1\r\nHost: x'), /^HTTP\/1\.1 404 /);
      t.match(await say(url, 'GET http://x HTTP/1.1\r\nHost: x'), /^HTTP\/1\.1 [24]/);
      await say(url, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70_000)}`);
      await say(url, `GET ${target} HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70_000)}`);
    }
    const before = service.dev.pid;
    must(await service.call('GET', `${service.dev.reservationUrl}/actuator/health/liveness`), 200);
    const { pid } = JSON.parse(readFileSync(join(service.dataDir, 'dev.json'), 'utf8')) as { pid: number };
    t.equal(pid, before, 'it is the same process');
  });

  await group.test('a request with two hosts is 400', async (t) => {
    const { hostname, port } = new URL(service.dev.reservationUrl);
    for (const hosts of [
      ['a.example', 'b.example'],
      ['a.example', 'a.example'],
    ]) {
      const socket = connect(Number(port), hostname);
      const lines = hosts.map((host) => `Host: ${host}`).join('\r\n');
      socket.write(`GET /actuator/health/liveness HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`);
      t.match(await text(socket), /^HTTP\/1\.1 400 /);
    }
  });
}

/** Every write route with bodies that are wrong as a whole, and with each of its fields wrong in each way. */
async function words(t: Test, service: Service, property: BlackboxProperty): Promise<void> {
  const { reservationId } = await property.booked();
  const ids: Record<string, string> = {
    tenantId: 'demo',
    propertyId: property.propertyId,
    reservationId,
    roomType: 'DLX',
  };
  let errors = 0;
  for (const { base, method, path, operation } of await describedRoutes(service)) {
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    if (schema === undefined || path.startsWith('/ops/') || path.startsWith('/dev/')) continue;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? property.propertyId);
    const send = (options: CallOptions) => service.call(method, `${base}${filled}`, { role: 'OWNER', ...options });
    for (const body of [[], 'text', 5, ...wrongBodies(schema, property.propertyId)]) {
      const answer = await send({ body });
      if (answer.status !== 400) continue;
      errors += 1;
      const said = (problemOf(answer).errors ?? []).map(({ detail }) => detail).join('; ');
      if (LIBRARY_WORDS.test(said))
        t.fail(`${method} ${path} says "${said}" of ${JSON.stringify(body).slice(0, 200)}`);
    }
  }
  t.ok(errors > 300, `${errors} errors`);
  const lists = ['limit=x', 'limit=0', 'status=X', 'guestId=7', 'updatedSince=now', 'arrivalFrom=2'];
  for (const query of lists) {
    const answer = await service.reservations<Page<unknown>>('GET', `?${query}`);
    isProblem(t, answer, 400);
    t.notMatch(answer.text, LIBRARY_WORDS, query);
  }
}

type Schema = { properties?: Record<string, Schema>; items?: Schema; type?: string };

/** Bodies with every field wrong in the same way, at the top and one level below. */
function wrongBodies(schema: Schema, propertyId: string): unknown[] {
  return WRONG_VALUES.flatMap((value) => {
    const top = Object.fromEntries(Object.keys(schema.properties ?? {}).map((name) => [name, value]));
    const below = Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, withEach(inner, value)]),
    );
    return [top, { ...below, propertyId }];
  });
}

function withEach(schema: Schema, value: unknown): unknown {
  if (schema.items) return [withEach(schema.items, value)];
  if (!schema.properties) return value;
  return Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, withEach(inner, value)]));
}
