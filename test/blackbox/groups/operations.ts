import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';

import type { AlertsAnswer, RunbookAnswer } from '../../../src/platform/coordination/contracts/alerts.ts';
import type { ClusterAnswer } from '../../../src/platform/coordination/contracts/cluster-report.ts';
import type { SeriesAnswer } from '../../../src/platform/coordination/contracts/figure-series.ts';
import type { RequestsAnswer } from '../../../src/platform/coordination/contracts/retained-requests.ts';
import type { ActorAnswer, OwnedPropertiesAnswer } from '../../../src/property-store/contracts/actor-answers.ts';
import { alertRules, runbookPage, runbookPages, type Selected, selectedIn, seriesOf } from '../alert-rules.ts';
import { problemOf } from '../problems.ts';
import { BlackboxProperty } from '../property.ts';
import type { Service } from '../service.ts';
import { countedRejections } from './hold-bounds.ts';

const JSON_ANSWER = /^application\/json/;

/** What operators of the installation see of it, and may change. */
export async function operations(group: Test, service: Service): Promise<void> {
  // Where the suite plays against several nodes, reports of one node are read from that node.
  const nodes = process.env.INNKEEPER_NODES === undefined ? [service.dev] : service.nodes;
  const { rateUrl, reservationUrl, liveUrl } = nodes[0]!;
  const { operatorToken } = service.dev;
  const operator = { authorization: `Bearer ${operatorToken}`, tenantHeader: null };

  await countedRejections(group, service);

  await group.test('every node says of itself how it is, to operators alone', async (t) => {
    const answer = await service.call<ClusterAnswer>('GET', `${reservationUrl}/ops/cluster`, operator);
    t.equal(answer.status, 200);
    t.match(answer.headers['content-type'], JSON_ANSWER);
    const [node] = answer.json.reports;
    t.equal(answer.json.reports.length, nodes.length);
    t.same(answer.json.missing, []);
    t.match(node, {
      role: 'all',
      runtime: /^(Deno|Node) \d+\./,
      status: 'UP',
      components: { db: 'UP', ping: 'UP' },
      breakers: {},
      lease: { held: true },
      view: { members: nodes.length },
      relay: { stopped: 0 },
      jobs: { 'yield-optimization': Number },
      takeOvers: [],
    });
    const shards = answer.json.reports.flatMap(({ shards: own }) => own);
    t.equal(new Set(shards).size, 1024, 'every shard is of a node');
    t.equal(shards.length, 1024, 'and of one alone');
    t.ok(node && node.lease.ageSeconds < 5, 'the lease is renewed');
    const daily = node?.rounds?.find(({ name }) => name === 'daily-check');
    t.match(daily, { ageSeconds: Number, everyMs: 60_000, late: false });
    t.ok(node && node.memory.rssBytes > 10_000_000);
    t.notMatch(answer.text, /harbor-hotel|rival/, 'nothing of a tenant');
    for (const authorization of [null, `Bearer ${service.token('demo', 'OWNER')}`]) {
      const refused = await service.call('GET', `${reservationUrl}/ops/cluster`, { ...operator, authorization });
      t.equal(problemOf(refused).code, authorization === null ? 'UNAUTHENTICATED' : 'ROLE_TOO_LOW');
    }
  });

  await group.test('operators read figures, slow requests, alerts and actors, and nothing of guests', async (t) => {
    const property = await BlackboxProperty.open(service);
    const booked = await property.booked();
    t.ok(booked);
    const read = async <T>(path: string, status = 200): Promise<T> => {
      const answer = await service.call<T>('GET', `${reservationUrl}${path}`, operator);
      t.equal(answer.status, status, path);
      return answer.json;
    };
    const hour = await read<SeriesAnswer>('/ops/metrics/series');
    t.equal(hour.nodes.length, nodes.length);
    t.equal(hour.stepSeconds, 10);
    t.ok(hour.series.every(({ values }) => values.length === 360));
    const late = hour.series.find(({ name }) => name === 'rounds.late');
    t.match(late, { unit: 'periods', alert: 'RoundLate', threshold: 3 });
    t.ok(
      late!.values.some((value) => value !== null),
      'since the start',
    );
    const day = await read<SeriesAnswer>('/ops/metrics/series?window=day');
    t.equal(day.stepSeconds, 300);
    t.equal(day.series[0]!.values.length, 288);
    await read('/ops/metrics/series?window=year', 400);

    const of = `route=${encodeURIComponent('POST /api/v1/reservations')}`;
    const slow = await read<RequestsAnswer>(`/ops/requests?${of}`);
    const spans = new Set(slow.items.flatMap((one) => one.spans.map(({ name }) => name)));
    // Which request of a route was slow is chance; together they have been everywhere.
    for (const name of ['reservation.create', 'mailbox', 'decide', 'lane commit']) t.ok(spans.has(name), name);
    const own = await read<RequestsAnswer>(`/ops/requests?${of}&tenantId=demo`);
    t.ok(own.items.length > 0 && own.items.every(({ tenantId }) => tenantId === 'demo'), 'of one tenant');
    t.notMatch(JSON.stringify(slow), /@|lastName/, 'no people');
    t.same((await read<RequestsAnswer>('/ops/requests?tenantId=nobody')).items, []);

    const { alerts } = await read<AlertsAnswer>('/ops/alerts');
    t.same(alerts.map(({ name }) => name).toSorted(), runbookPages().toSorted());
    t.equal((await read<RunbookAnswer>('/ops/alerts/RoundLate')).text, runbookPage('RoundLate'));
    await read('/ops/alerts/..%2FREADME', 404);

    const { propertyId } = property;
    const path = '/ops/tenants/demo/properties';
    const { items } = await read<OwnedPropertiesAnswer>(`${path}?q=${propertyId}`);
    t.same(
      items.map((one) => one.propertyId),
      [propertyId],
    );
    const actor = await read<ActorAnswer>(`${path}/${propertyId}/actor`);
    t.equal(actor.resident.length, 1, 'on one node');
    t.match(actor.resident[0], { nodeId: actor.ownerNode, epoch: actor.epoch });
    t.ok(actor.resident[0]!.batches.length > 0);
    t.equal(actor.tail[0]!.seq, actor.seq);
    t.match(actor.tail[0], { command: 'CONFIRM_BOOKING', events: ['CREATED'] });
    t.match(await read(`${path}/${propertyId}/audit`), { violations: [], money: { violationCount: 0 } });
    await read(`${path}/nowhere/actor`, 404);
    await read(`/ops/tenants/rival/properties/${propertyId}/actor`, 404);
    type Limits = { items: { name: string; limit: number | null; used: number | null }[] };
    const limits = await read<Limits>('/ops/tenants/demo/limits');
    const requests = limits.items.find(({ name }) => name === 'TENANT_REQUESTS_PER_SECOND')!;
    t.equal(requests.used !== null, requests.limit !== null, 'what is bounded is counted');
    await read('/ops/tenants/nobody/limits', 404);
  });

  await group.test('the level of a part changes on every listener of the node', async (t) => {
    const at = (url: string): string => `${url}/actuator/loggers/cluster`;
    const open = { authorization: null, tenantHeader: null };
    const body = { configuredLevel: 'WARN' };
    t.equal((await service.call('POST', at(rateUrl), { ...open, body })).status, 204);
    for (const url of [rateUrl, reservationUrl, liveUrl]) {
      const { json } = await service.call('GET', at(url), open);
      t.same(json, { configuredLevel: 'WARN', effectiveLevel: 'WARN' });
    }
    t.equal((await service.call('POST', at(liveUrl), { ...open, body: { configuredLevel: null } })).status, 204);
    const unknown = await service.call('POST', at(rateUrl), { ...open, body: { configuredLevel: 'LOUD' } });
    t.equal(problemOf(unknown).code, 'VALIDATION_FAILED');
  });

  await group.test('the page for it is served, and its browser may call the reservation service', async (t) => {
    const page = await service.call('GET', `${liveUrl}/ops`, { authorization: null, tenantHeader: null });
    t.equal(page.status, 200);
    t.match(page.headers['content-type'], /^text\/html/);
    t.ok(String(page.headers['content-security-policy']).includes(reservationUrl), 'its policy allows that');
    const asked = { origin: liveUrl, 'access-control-request-method': 'GET' };
    const headers = { ...asked, 'access-control-request-headers': 'authorization' };
    const url = `${reservationUrl}/ops/cluster`;
    const preflight = await service.call('OPTIONS', url, { authorization: null, tenantHeader: null, headers });
    t.equal(preflight.status, 204);
    t.equal(preflight.headers['access-control-allow-origin'], liveUrl);
  });

  await group.test('every metric and label of the alerts is one that the services have', async (t) => {
    await (await BlackboxProperty.open(service)).booked();
    const open = { authorization: null, tenantHeader: null };
    const listeners = nodes.flatMap((node) => [node.rateUrl, node.reservationUrl, node.liveUrl]);
    const texts = await Promise.all(listeners.map((url) => service.call('GET', `${url}/actuator/prometheus`, open)));
    const series = seriesOf(texts.map(({ text }) => text).join('\n'));
    for (const { alert, expr } of alertRules()) {
      const selected = selectedIn(expr);
      t.ok(selected.length > 0, `${alert} looks at something`);
      for (const { metric, labels } of selected) t.ok(isThere(series, metric, labels), `${alert}: ${metric}`);
    }
    const rounds = new Set((series.get('jobs_round_age') ?? []).map(({ round }) => round ?? ''));
    t.ok(rounds.has('daily-check') && rounds.has('round-watch'));
    const page = runbookPage('RoundLate');
    for (const round of rounds) t.ok(page.includes(`| \`${round}\` |`), `RoundLate says what ${round} is`);
    t.notOk(isThere(series, 'relay_lag', [{ name: 'tenant', operator: '=', value: 'demo' }]), 'and no other label');
    t.notOk(isThere(series, 'relay_lags', []), 'nor another metric');
  });

  await group.test('each alert has a page that says what to do, and each page an alert', async (t) => {
    const rules = alertRules();
    t.same(runbookPages().toSorted(), rules.map(({ alert }) => alert).toSorted());
    for (const { alert, labels, annotations } of rules) {
      t.equal(annotations.runbook_url, `ops/runbook/${alert}.md`);
      t.ok(['page', 'ticket'].includes(labels.severity));
      const page = runbookPage(alert);
      t.ok(page.includes(annotations.summary), `${alert} says what it is`);
      t.match(page, /## Cause\n[^]*## Look at\n[^]*## Do\n\n- /);
      for (const [, name = ''] of page.matchAll(/\]\((\w+)\.md\)/g)) t.ok(runbookPages().includes(name), name);
      for (const [, name = ''] of page.matchAll(/npm run ([\w:]+)/g)) t.ok(scripts.includes(name), name);
    }
  });
}

const { scripts: named } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const scripts = Object.keys(named);

/** Labels that Prometheus itself adds, and its own metric of whether it could scrape. */
const OF_PROMETHEUS = new Set(['job', 'instance']);

function isThere(
  series: ReadonlyMap<string, Record<string, string>[]>,
  metric: string,
  labels: Selected['labels'],
): boolean {
  if (metric === 'up') return true;
  const ours = labels.filter(({ name }) => !OF_PROMETHEUS.has(name));
  return (series.get(metric) ?? []).some((one) =>
    ours.every(({ name, operator, value }) => {
      if (one[name] === undefined) return false;
      // A status of failure is yet to come: that there are statuses is enough.
      if (name === 'status') return true;
      return operator === '=~' ? new RegExp(`^(?:${value})$`).test(one[name]) : one[name] === value;
    }),
  );
}
