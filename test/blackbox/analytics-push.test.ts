import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import tap, { test } from 'tap';

import { advanceClock, BlackboxProperty, must } from './property.ts';
import { Service } from './service.ts';
import { until } from './waiting.ts';

const DAY_SECONDS = 86_400;

type Got = {
  key: string | undefined;
  authorization: string | undefined;
  body: { propertyId: string; tenantId: string; date: string };
};

/** An analytics service that answers as its test says (docs/concepts/night-audit.md#push). */
const got: Got[] = [];
let status = 204;
const take = async ({ headers }: IncomingMessage, body: Promise<string>, response: ServerResponse): Promise<void> => {
  const key = headers['idempotency-key']?.toString();
  got.push({ key, authorization: headers.authorization, body: JSON.parse(await body) as Got['body'] });
  response.writeHead(status).end();
};
const partner = createServer((request, response) => void take(request, text(request), response));
await new Promise<void>((done) => partner.listen(0, '127.0.0.1', done));
const host = `127.0.0.1:${(partner.address() as AddressInfo).port}`;
const service = await Service.start({ ANALYTICS_URL: `http://hotel:hidden-secret@${host}/in` });
tap.teardown(async () => {
  await service.remove();
  partner.closeAllConnections();
  partner.close();
});

/** Only the property's first day: at whatever hour the test runs, the clock may pass another night audit. */
const ofFirstDay = (property: BlackboxProperty): Got[] =>
  got.filter(({ body }) => body.propertyId === property.propertyId && body.date === property.day(0));

const advance = async (advanceSeconds: number): Promise<void> =>
  void must(await advanceClock(service, advanceSeconds), 200);

/** Answers of health are cached for a second, so it is waited for. */
const healthIs = (wanted: number): Promise<unknown> =>
  until(`health ${wanted}`, 60_000, async () => {
    const answer = await service.call('GET', `${service.dev.reservationUrl}/actuator/health/analytics`);
    return answer.status === wanted ? true : undefined;
  });

void test('each report is pushed once, in full, without a guest', async (t) => {
  const property = await BlackboxProperty.open(service);
  await property.booked({ from: 3 });
  await advance(DAY_SECONDS);
  const ours = ofFirstDay(property);
  t.match(ours, [
    {
      key: /./,
      authorization: `Basic ${btoa('hotel:hidden-secret')}`,
      body: {
        tenantId: 'demo',
        date: property.day(0),
        metrics: [],
        report: { pickup: 2, reservations: { booked: 1 } },
      },
    },
  ]);
  t.notMatch(JSON.stringify(ours), /Ada|example\.com/);
  await advance(60);
  t.equal(ofFirstDay(property).length, 1);
  t.ok(
    got.some(({ body }) => body.tenantId === 'rival'),
    'every tenant gets its own',
  );
});

void test('what the partner does not take is pushed again under its key, over a crash too', async (t) => {
  const property = await BlackboxProperty.open(service);
  got.length = 0;
  status = 503;
  await advance(DAY_SECONDS);
  await healthIs(503);
  const first = got[0]!;
  t.ok(got.every(({ key }) => key === first.key) && got.length > 1, 'nobody else is tried in vain');
  await service.killHard();
  await service.up();
  status = 200;
  got.length = 0;
  await advance(3_600);
  t.ok(got.some(({ key, body }) => key === first.key && body.propertyId === first.body.propertyId));
  t.equal(ofFirstDay(property).length, 1);
  await healthIs(200);
  t.notMatch(service.output, /hidden-secret/);
});
