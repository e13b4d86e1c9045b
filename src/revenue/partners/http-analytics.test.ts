import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';

import type { Delivery } from '../../kernel/ports.ts';
import { HttpAnalytics } from './http-analytics.ts';

const FAST = { firstPauseMs: 1 };
const PUSH = { key: 'key-1', body: { tenantId: 'acme', metrics: [] } };
const alive = new AbortController().signal;

/** A partner on a real socket. */
class Partner {
  readonly requests: { request: IncomingMessage; body: string }[] = [];
  url = '';

  static async open(t: Test, answer: RequestListener): Promise<Partner> {
    const partner = new Partner();
    const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      partner.requests.push({ request, body: await text(request) });
      answer(request, response);
    };
    const server: Server = createServer((request, response) => void take(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    partner.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    return partner;
  }
}

const push = (url: string, options: object = FAST): Promise<Delivery> =>
  new HttpAnalytics(url, options).push(PUSH, alive);

t.test('a report is posted as JSON under its key, with the password of the address', async (t) => {
  const partner = await Partner.open(t, (_, response) => response.writeHead(202).end('x'.repeat(1e6)));
  t.same(await push(`${partner.url.replace('//', '//user:p%40ss@')}/in?source=hotel`), { outcome: 'SENT' });
  const { request, body } = partner.requests[0]!;
  t.match(request, { method: 'POST', url: '/in?source=hotel' });
  t.match(request.headers, {
    'idempotency-key': 'key-1',
    'content-type': 'application/json',
    authorization: `Basic ${btoa('user:p@ss')}`,
  });
  t.same(JSON.parse(body), PUSH.body);
});

t.test('temporary failures are tried three times under one key, permanent ones are reported at once', async (t) => {
  const statuses = [503, 429, 200];
  const recovering = await Partner.open(t, (_, response) => response.writeHead(statuses.shift()!).end());
  t.same(await push(recovering.url), { outcome: 'SENT' });
  t.same(new Set(recovering.requests.map(({ request }) => request.headers['idempotency-key'])), new Set(['key-1']));
  for (const [status, outcome, requests] of [
    [500, 'AWAY', 3],
    [429, 'DEFERRED', 3],
    [400, 'REFUSED', 1],
    [401, 'REFUSED', 1],
  ] as const) {
    const partner = await Partner.open(t, (_, response) => response.writeHead(status).end());
    t.same(await push(partner.url), { outcome, reason: `it answers ${status}` });
    t.equal(partner.requests.length, requests);
  }
});

t.test('a redirect is not followed', async (t) => {
  const others = await Partner.open(t, (_, response) => response.end());
  for (const status of [301, 307]) {
    const partner = await Partner.open(t, (_, response) =>
      response.writeHead(status, { location: others.url }).end(),
    );
    t.match(await push(partner.url), { outcome: 'REFUSED', reason: /redirects/ });
    t.equal(partner.requests.length, 1);
  }
  t.equal(others.requests.length, 0);
});

t.test('a partner that is silent or not there is away, and no reason tells the address', async (t) => {
  const silent = await Partner.open(t, () => {});
  t.match(await push(silent.url, { ...FAST, timeoutMs: 20 }), { outcome: 'AWAY', reason: /did not answer/ });
  const nobody = await push('http://user:secret-password@127.0.0.1:1/hidden-path');
  t.match(nobody, { outcome: 'AWAY', reason: /cannot be reached/ });
  t.notMatch(JSON.stringify(nobody), /secret|hidden/);
});

t.test('after five failures in a row it is left alone', async (t) => {
  const partner = await Partner.open(t, (_, response) => response.writeHead(500).end());
  const service = new HttpAnalytics(partner.url, FAST);
  t.equal(service.breaker, 'CLOSED');
  for (let n = 0; n < 3; n += 1) await service.push(PUSH, alive);
  t.equal(partner.requests.length, 5);
  t.match(await service.push(PUSH, alive), { outcome: 'AWAY', reason: /left alone/ });
  t.equal(service.breaker, 'OPEN');
});

t.test('shutdown does not wait for the partner', async (t) => {
  const going = new AbortController();
  const partner = await Partner.open(t, () => going.abort());
  await t.rejects(new HttpAnalytics(partner.url, FAST).push(PUSH, going.signal));
  t.equal(partner.requests.length, 1);
});
