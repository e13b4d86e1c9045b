import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import tap, { type Test, test } from 'tap';

import { refreshed, type SyncStatus, syncStatus } from './competitor-sync.ts';
import { advanceClock, BlackboxProperty, must } from './property.ts';
import { RunbookPage } from './runbook-page.ts';
import { Service } from './service.ts';
import { pause, until } from './waiting.ts';

/** A partner that answers as its test says (docs/guide/production.md#partners). */
/** A pause before it is tried again has to pass. */
tap.setTimeout(300_000);

type Answering = (question: URLSearchParams, response: ServerResponse) => void;

const asked: { propertyId: string; from: string; to: string; tenant: string | undefined }[] = [];
let answer: Answering = (_, response) => response.end('[]');
const partner = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://partner');
  const [propertyId = '', from = '', to = ''] = ['propertyId', 'from', 'to'].map(
    (name) => searchParams.get(name) ?? '',
  );
  const tenant = request.headers['x-tenant-id']?.toString();
  t.equal(searchParams.get('key'), 'hidden-secret');
  // The tenants that watch every service of the suite are queried too, at any time: nothing is known of them here.
  if (tenant?.startsWith('watch-')) response.writeHead(404).end();
  else {
    asked.push({ propertyId, from, to, tenant });
    answer(searchParams, response);
  }
});
const t: Test = tap;
await new Promise<void>((done) => partner.listen(0, '127.0.0.1', done));
const host = `127.0.0.1:${(partner.address() as AddressInfo).port}`;
const service = await Service.start({ COMPETITOR_FEED_URL: `http://${host}/rates?key=hidden-secret` });
tap.teardown(async () => {
  await service.remove();
  partner.closeAllConnections();
  partner.close();
});

/** What the alert CompetitorRatesOld calls old. */
const OLD_S = 13 * 3_600;
const LEFT_ALONE_MS = 120_000;
const observedAt = '2026-01-01T00:00:00Z';

/** Two rows in EUR for the first requested night, one in USD (the mountain resort's), and one that is none. */
const rows: Answering = (question, response) => {
  const row = { roomType: 'STD', date: question.get('from'), currency: 'EUR', observedAt };
  const good = [
    { ...row, competitorId: 'plaza', rate: 101 },
    { ...row, competitorId: 'lodge', rate: 99.5 },
  ];
  response.end(
    JSON.stringify([...good, { ...row, competitorId: 'dollar', rate: 90, currency: 'USD' }, { nothing: 1 }]),
  );
};
/** Answers of health are cached for a second, so it is waited for. */
const healthIs = (status: number): Promise<unknown> =>
  until(`health ${status}`, 60_000, async () => {
    const answer = await service.call('GET', `${service.dev.rateUrl}/actuator/health/competitorApi`);
    return answer.status === status ? answer.json : undefined;
  });

void test('each property is queried with its tenant, for a year, and bad rows are counted', async (t) => {
  answer = rows;
  asked.length = 0;
  const property = await BlackboxProperty.open(service);
  const { sources, status } = await refreshed(service);
  t.equal(status, 'OK');
  t.match(sources, [{ source: host, properties: 3, failing: 0, rates: 5, leftOut: { CURRENCY: 4, MALFORMED: 3 } }]);
  const question = asked.find(({ propertyId }) => propertyId === property.propertyId)!;
  t.equal(question.tenant, 'demo');
  t.equal(Date.parse(question.to) - Date.parse(question.from), 364 * 86_400_000);
});

void test('a source that fails degrades itself alone, and keeps its last data with its age', async (t) => {
  await refreshed(service);
  for (const [response, error] of [
    [(_, sent) => sent.writeHead(302, { location: `http://${host}/elsewhere` }).end(), /redirects/],
    [(_, sent) => sent.writeHead(404).end('{}'), /answers 404/],
    [(_, sent) => sent.end('{}'), /no list/],
  ] as [Answering, RegExp][]) {
    const before = await syncStatus(service);
    answer = response;
    await refreshed(service, { tenant: 'rival' });
    const failed = await refreshed(service);
    t.equal(failed.status, 'FAILED');
    t.match(failed.sources, [{ failing: 3, error, rates: 5, lastSuccess: before.lastSync }]);
    t.notMatch(JSON.stringify(failed), /hidden-secret/);
    t.match(await healthIs(503), { status: 'DOWN' });
    t.match(await service.call('GET', `${service.dev.rateUrl}/actuator/health`), {
      status: 200,
      json: { status: 'UP' },
    });
    answer = rows;
    await refreshed(service, { tenant: 'rival' });
    t.match(await refreshed(service), { status: 'OK', sources: [{ error: null }] });
    t.match(await healthIs(200), { status: 'UP' });
  }
});

void test('a requested refresh outlives the process', async (t) => {
  answer = () => {};
  const options = { headers: { 'idempotency-key': 'outlives' } };
  const url = `${service.dev.rateUrl}/api/v1/admin/competitor-sync/refresh`;
  const sent = await service.call<{ jobId: string }>('POST', url, options);
  const { jobId } = must(sent, 202).json;
  await service.killHard();
  answer = rows;
  await service.up();
  const path = `${service.dev.rateUrl}/api/v1/admin/competitor-sync/status?jobId=${jobId}`;
  const ended = await until('the job of the process before', 60_000, async () => {
    const { json } = await service.call<{ refresh?: { state: string } }>('GET', path);
    return json.refresh?.state === 'COMPLETED' ? json : undefined;
  });
  t.match(ended, { refresh: { progress: 100 }, status: 'OK' });
  t.notMatch(service.output, /hidden-secret/);
});

void test('what fails for a while is tried again soon, not only six hours later', async (t) => {
  answer = (_, response) => response.writeHead(500).end();
  const failed = await refreshed(service);
  t.match(failed.sources, [{ status: 'FAILED', error: /answers 500|left alone/ }]);
  t.ok(Date.parse(failed.nextSync!) <= Date.now() + 15 * 60_000 + 5_000);
});

void test('CompetitorRatesOld: a page of the runbook, executed while no source has answered for half a day', async (t) => {
  const page = new RunbookPage(t, service, 'CompetitorRatesOld');
  answer = (_, response) => response.writeHead(500).end();
  must(await advanceClock(service, OLD_S), 200);
  t.ok((await page.figureIs('competitor_sync_age', (seconds) => seconds >= OLD_S)) >= OLD_S);
  const status = 'GET /api/v1/admin/competitor-sync/status';
  t.match((await page.request<SyncStatus>(status, {}, { role: 'ADMIN' })).json.sources, [{ status: 'FAILED' }]);
  await page.shows(/"status":"DOWN"/, () => page.shell('curl -s $RATE/actuator/health/competitorApi'));
  answer = rows;
  // A source that is left alone answers after its minute.
  await until('the remedy ends the fault', LEFT_ALONE_MS, async () => {
    must(await page.request('POST /api/v1/admin/competitor-sync/refresh', {}, { role: 'ADMIN' }), 202);
    await pause(2_000);
    return (await page.figure('competitor_sync_age')) < OLD_S ? true : undefined;
  });
});
