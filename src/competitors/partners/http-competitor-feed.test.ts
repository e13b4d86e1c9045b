import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import type { FeedAnswer } from '../ports.ts';
import { HttpCompetitorFeed, httpCompetitorFeeds } from './http-competitor-feed.ts';

const [start, end] = [dayOf('2027-01-10'), dayOf('2028-01-09')];
const QUESTION = { to: { tenantId: 'acme', propertyId: 'grand' }, currency: 'EUR', start, end };
const FAST = { firstPauseMs: 1 };
const alive = new AbortController().signal;

/** A partner on a real socket. */
class Partner {
  readonly requests: IncomingMessage[] = [];
  url = '';
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(t: Test, answer: RequestListener): Promise<Partner> {
    const server = createServer((request, response) => {
      partner.requests.push(request);
      answer(request, response);
    });
    const partner = new Partner(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    partner.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    t.teardown(() => partner.close());
    return partner;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const json = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const row = (other: object = {}): object => ({
  competitorId: 'plaza',
  roomType: 'STD',
  date: '2027-02-01',
  rate: 119.5,
  currency: 'EUR',
  observedAt: '2027-01-10T06:00:00Z',
  ...other,
});
const RATE = {
  competitorId: 'plaza',
  roomType: 'STD',
  day: dayOf('2027-02-01'),
  rate: 11_950,
  currency: 'EUR',
  observedAt: Date.parse('2027-01-10T06:00:00Z'),
};

const read = (url: string, options: object = FAST): Promise<FeedAnswer> =>
  new HttpCompetitorFeed('test', url, options).read(QUESTION, alive);

t.test('the question names property, nights and tenant, beside what the address has of its own', async (t) => {
  const partner = await Partner.open(t, (_, response) => json(response, []));
  await read(`${partner.url.replace('//', '//user:p%40ss@')}/rates?key=secret`);
  const { url, headers } = partner.requests[0]!;
  t.equal(url, '/rates?key=secret&propertyId=grand&from=2027-01-10&to=2028-01-09');
  t.match(headers, { 'x-tenant-id': 'acme', authorization: `Basic ${btoa('user:p@ss')}` });
  await read(partner.url);
  t.notOk(partner.requests[1]!.headers.authorization);
});

t.test('rows that are no rates are counted and left out, the others are taken', async (t) => {
  const bad = [
    null,
    'text',
    [],
    {},
    ...['competitorId', 'roomType', 'date', 'rate', 'currency', 'observedAt'].map((name) =>
      row({ [name]: undefined }),
    ),
    ...[0, -1, 100_000_000, 1.001, '119.50', null].map((rate) => row({ rate })),
    ...['2027-02-30', '01.02.2027', 20_270_201].map((date) => row({ date })),
    ...['eur', 'EURO', 'KWD'].map((currency) => row({ currency })),
    ...['yesterday', '2027-01-10', 1].map((observedAt) => row({ observedAt })),
    ...['', 'x'.repeat(101)].map((competitorId) => row({ competitorId })),
  ];
  const partner = await Partner.open(t, (_, response) => json(response, [row(), ...bad, row({ more: 1 })]));
  t.strictSame(await read(partner.url), { rates: [RATE, RATE], malformed: bad.length });
});

t.test('a redirect is not followed', async (t) => {
  const others = await Partner.open(t, (_, response) => json(response, [row()]));
  for (const status of [301, 302, 307, 308]) {
    const partner = await Partner.open(t, (_, response) =>
      response.writeHead(status, { location: others.url }).end(),
    );
    await t.rejects(read(partner.url), { code: 'PARTNER_UNAVAILABLE', message: /redirects/ });
    t.equal(partner.requests.length, 1);
  }
  t.equal(others.requests.length, 0);
});

t.test('temporary failures are tried three times, permanent ones are reported at once', async (t) => {
  const statuses = [500, 429, 200];
  const recovering = await Partner.open(t, (_, response) => json(response, [row()], statuses.shift()));
  t.match(await read(recovering.url), { rates: [RATE] });
  for (const [status, requests] of [
    [503, 3],
    [404, 1],
    [401, 1],
  ] as const) {
    const partner = await Partner.open(t, (_, response) => json(response, {}, status));
    await t.rejects(read(partner.url), { message: `it answers ${status}` });
    t.equal(partner.requests.length, requests);
  }
});

t.test('answers that are no list of rows, or too long, are refused', async (t) => {
  for (const [body, message] of [
    ['{"rates": []}', 'its answer is no list'],
    ['<html>', 'its answer is no JSON'],
    ['', 'its answer is no JSON'],
    [' '.repeat(2_001), 'the answer has more than 2000 bytes'],
  ] as const) {
    const partner = await Partner.open(t, (_, response) => response.end(body));
    await t.rejects(read(partner.url, { ...FAST, maxBytes: 2_000 }), { message });
    t.equal(partner.requests.length, 1);
  }
  let closed = false;
  const endless = await Partner.open(t, (_, response) => {
    response.on('close', () => (closed = true));
    response.write('x'.repeat(3_000));
  });
  await t.rejects(read(endless.url, { ...FAST, maxBytes: 2_000 }), { message: /more than/ });
  await untilTime(() => closed, 'the end of an answer that nobody reads on');
});

t.test('a silent or unreachable partner is reported only by its kind of failure', async (t) => {
  const silent = await Partner.open(t, () => {});
  await t.rejects(read(silent.url, { ...FAST, timeoutMs: 20 }), { message: 'it did not answer within 0.02 s' });
  const halting = await Partner.open(t, (_, response) => response.write('['));
  await t.rejects(read(halting.url, { ...FAST, timeoutMs: 20 }), { message: /did not answer/ });
  const cut = await Partner.open(t, (_, response) => void response.destroy());
  await t.rejects(read(cut.url), { message: /^it cannot be reached/ });
  const gone = await Partner.open(t, () => {});
  gone.close();
  const refused = await read(`${gone.url}/?key=secret`).catch((error: Error) => error);
  t.match(refused, { code: 'PARTNER_UNAVAILABLE', message: /^it cannot be reached( \(ECONNREFUSED\))?$/ });
});

t.test('a feed that fails repeatedly is left alone', async (t) => {
  const partner = await Partner.open(t, (_, response) => json(response, {}, 500));
  const feed = new HttpCompetitorFeed('test', partner.url, FAST);
  const ask = () => feed.read(QUESTION, alive);
  await t.rejects(ask(), { message: 'it answers 500' });
  await t.rejects(ask(), { message: /left alone/ });
  await t.rejects(ask(), { message: /left alone/ });
  t.equal(partner.requests.length, 5);
  t.equal(feed.breaker, 'OPEN');
  await t.rejects(new HttpCompetitorFeed('other', partner.url, FAST).read(QUESTION, alive), {
    message: 'it answers 500',
  });
});

t.test('asking ends when the process goes', async (t) => {
  const going = new AbortController();
  const partner = await Partner.open(t, () => going.abort(new Error('going')));
  const asked = new HttpCompetitorFeed('test', partner.url, FAST).read(QUESTION, going.signal);
  await t.rejects(asked, { message: 'going' });
  t.equal(partner.requests.length, 1);
});

t.test('sources are named by their hosts, without what may be secret', async (t) => {
  const feeds = httpCompetitorFeeds([
    'https://user:pass@feeds.example.com/a?key=1',
    'https://feeds.example.com/b',
    'http://127.0.0.1:9000',
  ]);
  t.same(
    feeds.map(({ source }) => source),
    ['feeds.example.com', 'feeds.example.com #2', '127.0.0.1:9000'],
  );
});
