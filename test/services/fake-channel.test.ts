import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';

import { genericJson } from '../../src/channels/partners/generic-json.ts';
import { ota2003b } from '../../src/channels/partners/ota-2003b.ts';
import type { ChannelAdapter, ChannelRequest } from '../../src/channels/ports.ts';
import type { ChannelMessage, ChannelRun } from '../../src/channels/rules/channel.ts';
import { dayOf } from '../../src/kernel/rules/dates.ts';
import { untilTime } from '../../src/testing/fake-clock.ts';
import { FakeChannel, type FakeChannelOptions } from './fake-channel.ts';

const OPEN = { closed: false, closedToArrival: false, closedToDeparture: false, minStay: 1, maxStay: 0 };
const run = (from: string, to: string, value: Partial<ChannelRun>): ChannelRun => ({
  roomType: 'STD',
  ratePlan: 'BAR',
  externalRoom: 'TWIN',
  externalRate: 'BEST',
  from: dayOf(from),
  to: dayOf(to),
  ...value,
});
const RUNS = [
  run('2026-11-01', '2026-11-10', { availability: 8, rate: 24_100, restrictions: { ...OPEN, maxStay: 4 } }),
  run('2026-11-11', '2026-11-11', { availability: 7, rate: 31_266, restrictions: { ...OPEN, closed: true } }),
];
const NIGHT = { availability: 8, rate: 24_100, closed: false, closedToArrival: false, closedToDeparture: false };
const ADAPTERS = { 'generic-json': genericJson, 'ota-2003b': ota2003b } as const;
const LINES = ['TWIN/BEST', 'TWIN/BB'];

let messages = 0;
const messageOf = (runs: readonly ChannelRun[], currency = 'EUR'): ChannelMessage => ({
  messageId: `m-${(messages += 1)}`,
  at: Date.UTC(2026, 9, 1),
  propertyId: 'harbor',
  currency,
  runs,
});

async function open(t: Test, options: Partial<FakeChannelOptions> = {}): Promise<FakeChannel> {
  const channel = await FakeChannel.open({ lines: LINES, ...options });
  t.teardown(() => channel.kill());
  return channel;
}

async function post(
  url: string,
  { contentType, body }: Pick<ChannelRequest, 'contentType' | 'body'>,
  withinMs = 30_000,
) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(withinMs),
  });
  return { status: response.status, body: await response.text(), headers: response.headers };
}

/** Outcomes of a message, one of each request. */
async function send(channel: FakeChannel, name: keyof typeof ADAPTERS, message: ChannelMessage, withinMs?: number) {
  const adapter: ChannelAdapter = ADAPTERS[name];
  const outcomes = [];
  for (const request of adapter.requestsOf(message))
    outcomes.push(adapter.requestOutcome(await post(channel.urlOf(name), request, withinMs), request));
  return outcomes;
}

const TAKEN = { isTaken: true, rejected: [] };

for (const name of Object.keys(ADAPTERS) as (keyof typeof ADAPTERS)[]) {
  void t.test(`${name}: what is sent as described is taken, and stored by night and member`, async (t) => {
    const channel = await open(t);
    const message = messageOf(RUNS);
    const all = ADAPTERS[name].requestsOf(message).map(() => TAKEN);
    t.same(await send(channel, name, message), all);
    t.same(channel.violations, []);
    t.same(channel.night('harbor', 'TWIN/BEST', '2026-11-10'), { ...NIGHT, minStay: 1, maxStay: 4 });
    t.match(channel.night('harbor', 'TWIN/BEST', '2026-11-11'), { availability: 7, rate: 31_266, closed: true });
    t.same(channel.night('harbor', 'TWIN/BEST', '2026-11-12'), {});
    t.same(await send(channel, name, message), all, 'a repeat is taken, and nothing new');
    t.equal(channel.messages.filter(({ isRepeat }) => isRepeat).length, all.length);
    t.equal(channel.takenOf('harbor').length, all.length);
    await send(channel, name, messageOf([run('2026-11-10', '2026-11-10', { availability: 8 })]));
    t.equal(channel.messages.at(-1)?.unchanged, 1, 'it had that already');
    t.same(channel.violations, []);
  });

  void t.test(
    `${name}: unknown lines, another currency and days in the wrong order are rejected one by one`,
    async (t) => {
      const channel = await open(t);
      const wrong = [
        run('2026-11-01', '2026-11-02', { availability: 1 }),
        run('2026-11-01', '2026-11-02', { availability: 1, externalRate: 'NONE' }),
        run('2026-11-04', '2026-11-03', { availability: 1 }),
      ];
      const [outcome] = await send(channel, name, messageOf(wrong));
      t.match(outcome, { isTaken: true, rejected: [{ index: 1 }, { index: 2 }] });
      t.match(channel.violations, [{ text: /^UNKNOWN_LINE/ }, { text: /^DATES_REVERSED/ }]);
      t.match(channel.night('harbor', 'TWIN/BEST', '2026-11-01'), { availability: 1 });
      const [currency] = await send(
        channel,
        name,
        messageOf([run('2026-11-01', '2026-11-02', { rate: 100 })], 'USD'),
      );
      t.match(currency, { isTaken: true, rejected: [{ index: 0 }] });
      t.match(channel.violations.at(-1), { text: /^CURRENCY/ });
    },
  );

  void t.test(`${name}: it misbehaves as it is asked to`, async (t) => {
    const channel = await open(t, { messagesPerMinute: 0 });
    const one = (availability: number, withinMs?: number) =>
      send(
        channel,
        name,
        messageOf([
          run('2026-12-01', '2026-12-01', { availability }),
          run('2026-12-03', '2026-12-03', { availability }),
        ]),
        withinMs,
      );
    const nights = () =>
      ['2026-12-01', '2026-12-03'].map((date) => channel.night('harbor', 'TWIN/BEST', date).availability);
    await channel.behave({ kind: 'status', status: 503, times: 1 });
    t.match(await one(1), [{ isTaken: false, why: /^it answers 503/ }]);
    t.match(await one(2), [{ isTaken: true }], 'as often as asked');
    await channel.behave({ kind: 'redirect' });
    t.match(await one(3), [{ isTaken: false, why: 'it redirects, which is not followed' }]);
    await channel.behave({ kind: 'html' });
    t.match(await one(3), [{ isTaken: false, why: /^it answers a page/ }]);
    t.same(nights(), [2, 2]);
    await channel.behave({ kind: 'partial' });
    t.match(await one(4), [{ isTaken: true, rejected: [{ index: 1 }] }]);
    t.same(nights(), [4, 2]);
    await channel.behave({ kind: 'forget', share: 'half' });
    t.same(await one(5), [TAKEN]);
    t.same(nights(), [5, 2]);
    await channel.behave({ kind: 'forget', share: 'all' });
    t.same(await one(6), [TAKEN]);
    t.same(nights(), [5, 2]);
    await channel.behave({ kind: 'large' });
    t.match(await one(7), name === 'ota-2003b' ? [{ isTaken: false, why: 'its answer is too long' }] : [TAKEN]);
    await channel.behave({ kind: 'silent' });
    await t.rejects(one(8, 1_000), { name: 'TimeoutError' });
    t.same(nights(), [7, 7]);
    await channel.behave({ kind: 'slow', seconds: 1.2 });
    await t.rejects(one(9, 1_000), { name: 'TimeoutError' });
    t.same(nights(), [9, 9], 'what is late was stored');
    t.same(channel.violations, []);
    await channel.behave({ kind: 'refuse', seconds: 1 });
    await t.rejects(one(10), { cause: { code: /^(ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET)$/ } });
    await untilTime(
      () =>
        one(10).then(
          ([answer]) => answer?.isTaken === true,
          () => false,
        ),
      'it is back',
    );
  });
}

void t.test('it objects to what the certification lists object to', async (t) => {
  const channel = await open(t, { messagesPerMinute: 0 });
  const codes = () => channel.violations.splice(0).map(({ text }) => text.split(' ')[0]);
  const night = (date: string, value: Partial<ChannelRun>) => run(date, date, value);
  for (const name of Object.keys(ADAPTERS) as (keyof typeof ADAPTERS)[]) {
    await send(channel, name, messageOf([night('2026-11-01', { rate: 100 }), night('2026-11-02', { rate: 100 })]));
    t.same(codes(), name === 'generic-json' ? ['NOT_BUNDLED'] : [], `${name}: OTA bundles by itself`);
    await send(channel, name, messageOf([night('2026-11-01', { rate: 100 }), night('2026-11-01', { rate: 200 })]));
    t.same(codes(), ['TWICE'], `${name}: a night twice`);
    const message = messageOf([night('2026-11-01', { rate: 100 })]);
    await send(channel, name, message);
    await send(channel, name, { ...message, runs: [night('2026-11-01', { rate: 300 })] });
    t.same(codes(), ['ID_REUSED'], name);
  }
  const generic = (body: object) =>
    post(channel.urlOf('generic-json'), { contentType: 'application/json', body: JSON.stringify(body) });
  const value = { roomType: 'A', ratePlan: 'B', externalRoom: 'TWIN', externalRate: 'BEST', from: '2026-11-01' };
  const message = { messageId: 'x', propertyId: 'harbor' };
  t.equal((await generic({ ...message, values: [] })).status, 400);
  t.equal((await generic({ ...message, values: [{ ...value, to: '2026-11-01', seats: 1 }] })).status, 400);
  t.same(codes(), ['MALFORMED', 'MALFORMED']);
  await generic({ ...message, values: [{ ...value, to: '2026-02-30', availability: 1 }] });
  await generic({ ...message, values: [{ ...value, to: '2026-11-01', rate: 10.005, currency: 'EUR' }] });
  await generic({ ...message, values: [{ ...value, to: '2026-11-01', availability: 1, currency: 'EUR' }] });
  await generic({ ...message, values: [{ ...value, to: '2026-11-01' }] });
  t.same(
    codes().filter((code) => code !== 'ID_REUSED'),
    ['NO_DATE', 'NO_AMOUNT', 'CURRENCY', 'EMPTY'],
  );
  const [request] = ota2003b.requestsOf(messageOf(RUNS)) as [ChannelRequest];
  const ota = async (change: (body: string) => string) => {
    await post(channel.urlOf('ota-2003b'), { ...request, body: change(request.body) });
    return codes();
  };
  t.same(await ota((body) => body.replace('+00:00"', '.123Z"')), ['TIME_STAMP']);
  t.same(await ota((body) => body.replace('Version="1.0"', 'Version="9"').replace('m-', 'n-')), ['VERSION']);
  t.same(await ota((body) => body.replace('BookingLimit="8"', 'BookingLimit="-1"').replace('m-', 'o-')), [
    'BOOKING_LIMIT',
  ]);
  t.same(await ota((body) => body.replace(/EchoToken="[^"]*"/, '')), ['INCOMPLETE']);
  t.same(await ota((body) => `<!DOCTYPE a [<!ENTITY b "c">]>${body}`), ['DOCTYPE']);
  t.same(await ota((body) => body.slice(0, -3)), ['NOT_WELL_FORMED']);
  const [other] = ota2003b.requestsOf(messageOf(RUNS)) as [ChannelRequest];
  await post(channel.urlOf('ota-2003b'), { ...other, contentType: 'application/xml' });
  t.same(codes(), ['CONTENT_TYPE']);
});

void t.test('messages of a property in a minute are limited, and who comes too early is noted', async (t) => {
  const channel = await open(t, { messagesPerMinute: 2 });
  const one = (propertyId: string) => {
    const [request] = genericJson.requestsOf({ ...messageOf(RUNS), propertyId }) as [ChannelRequest];
    return post(channel.urlOf('generic-json'), request);
  };
  t.same([(await one('a')).status, (await one('a')).status, (await one('b')).status], [200, 200, 200]);
  const limited = await one('a');
  t.equal(limited.status, 429);
  t.ok(Number(limited.headers.get('retry-after')) >= 59);
  t.match(channel.violations, [{ text: /^TOO_MANY/ }]);
  await one('a');
  t.match(channel.violations[1], { text: /^RETRY_AFTER_IGNORED/ });
  t.equal(channel.takenOf('a').length, 2);
  channel.reset();
  t.equal((await one('a')).status, 200);
});

void t.test('it reads back what it has, unless it cannot', async (t) => {
  const channel = await open(t);
  await send(channel, 'generic-json', messageOf(RUNS));
  const { readBack } = genericJson;
  const read = async (url: string) => {
    const { query } = readBack!.request({
      propertyId: 'harbor',
      from: dayOf('2026-11-10'),
      to: dayOf('2026-11-12'),
    });
    const response = await fetch(`${url}?${new URLSearchParams(query)}`);
    return readBack!.nightsOf({ status: response.status, body: await response.text() });
  };
  const nights = await read(channel.urlOf('generic-json'));
  t.equal(nights?.length, 2);
  t.match(nights?.[1], { day: dayOf('2026-11-11'), availability: 7, rate: 31_266, restrictions: { closed: true } });
  const without = await open(t, { canReadBack: false });
  t.equal(await read(without.urlOf('generic-json')), undefined);
});

void t.test('as a program it does the same on request, and sells by itself', async (t) => {
  const got: { url?: string; headers: object; body: object }[] = [];
  const service = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      got.push({ url: request.url ?? '', headers: request.headers, body: JSON.parse(body) as object });
      response.writeHead(201).end(JSON.stringify({ reservationId: 'r-1' }));
    });
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  t.teardown(() => service.close());
  const program = [join(import.meta.dirname, 'fake-channel.ts')];
  const env = { PATH: process.env.PATH, LINES: LINES.join(), MESSAGES_PER_MINUTE: '0' };
  const child = spawn(process.execPath, program, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  t.teardown(() => child.kill());
  const [line] = (await once(child.stderr, 'data', { signal: AbortSignal.timeout(30_000) })) as [Buffer];
  const [, base = ''] = /listening on (\S+)/.exec(String(line)) ?? [];
  const admin = async <T>(path: string, body?: object): Promise<T> => {
    const response = await fetch(`${base}/admin/${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  };
  const [request] = genericJson.requestsOf(messageOf(RUNS)) as [ChannelRequest];
  await post(`${base}/generic-json`, request);
  const { port } = service.address() as AddressInfo;
  await admin('sales-to', {
    reservationUrl: `http://127.0.0.1:${port}`,
    channelId: 'c-1',
    tenantId: 'demo',
    token: 'secret',
  });
  const sale = {
    externalRoom: 'TWIN',
    externalRate: 'BEST',
    checkIn: '2026-11-09',
    checkOut: '2026-11-11',
    total: 482,
  };
  t.match(await admin('sell', sale), { status: 201, json: { reservationId: 'r-1' } });
  t.match(got[0], {
    url: '/api/v1/channels/c-1/bookings/CH-000001',
    headers: { authorization: 'Bearer secret', 'x-tenant-id': 'demo' },
    body: { status: 'BOOKED', ...sale, adults: 2, guest: { firstName: 'Grace' } },
  });
  const left = (date: string) => admin(`night?propertyId=harbor&line=TWIN/BEST&date=${date}`);
  t.match(await left('2026-11-10'), { availability: 7 });
  t.match(await left('2026-11-11'), { availability: 7 }, 'the day of departure is no night');
  await admin('change', { externalId: 'CH-000001', checkOut: '2026-11-10' });
  t.match(got[1]?.body, { checkOut: '2026-11-10', status: 'BOOKED' });
  t.match(await left('2026-11-10'), { availability: 8 });
  await admin('cancel', { externalId: 'CH-000001' });
  t.match(got[2]?.body, { status: 'CANCELLED' });
  t.match(await left('2026-11-09'), { availability: 8 });
  await admin('behaviour', { kind: 'status', status: 500 });
  t.equal((await post(`${base}/generic-json`, request)).status, 500);
  t.equal((await admin<unknown[]>('messages')).length, 2);
  t.same(await admin('violations'), []);
});
