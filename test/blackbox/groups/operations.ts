import type { Test } from 'tap';
import type { ClusterAnswer } from '../../../src/contracts/cluster-report.ts';
import type { Service } from '../service.ts';
import { problemOf } from '../problems.ts';

const JSON_ANSWER = /^application\/json/;

/** What whoever runs the installation sees of it, and may change. */
export async function operations(group: Test, service: Service): Promise<void> {
  const { rateUrl, reservationUrl, liveUrl, operatorToken } = service.dev;
  const operator = { authorization: `Bearer ${operatorToken}`, tenantHeader: null };

  await group.test('every node says of itself how it is, to operators alone', async (t) => {
    const answer = await service.call<ClusterAnswer>('GET', `${reservationUrl}/ops/cluster`, operator);
    t.equal(answer.status, 200);
    t.match(answer.headers['content-type'], JSON_ANSWER);
    const [node, ...others] = answer.json.reports;
    t.same(others, []);
    t.same(answer.json.missing, []);
    t.match(node, {
      role: 'all',
      runtime: /^(Deno|Node) \d+\./,
      status: 'UP',
      components: { db: 'UP', ping: 'UP' },
      lease: { held: true },
      view: { members: 1 },
      relay: { stopped: 0 },
      jobs: { 'yield-optimization': Number },
      takeOvers: [],
    });
    t.equal(node?.shards.length, 1024, 'one node has every shard');
    t.ok(node && node.lease.ageSeconds < 5, 'the lease is renewed');
    t.ok(node && node.memory.rssBytes > 10_000_000);
    t.notMatch(answer.text, /harbor-hotel|rival/, 'nothing of a tenant');
    for (const authorization of [null, `Bearer ${service.token('demo', 'OWNER')}`]) {
      const refused = await service.call('GET', `${reservationUrl}/ops/cluster`, { ...operator, authorization });
      t.equal(problemOf(refused).code, authorization === null ? 'UNAUTHENTICATED' : 'ROLE_TOO_LOW');
    }
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

  await group.test('the page for it is served, and its browser may ask the reservation service', async (t) => {
    const page = await service.call('GET', `${liveUrl}/ops`, { authorization: null, tenantHeader: null });
    t.equal(page.status, 200);
    t.match(page.headers['content-type'], /^text\/html/);
    t.ok(String(page.headers['content-security-policy']).includes(reservationUrl), 'its policy lets it ask there');
    const asked = { origin: liveUrl, 'access-control-request-method': 'GET' };
    const headers = { ...asked, 'access-control-request-headers': 'authorization' };
    const url = `${reservationUrl}/ops/cluster`;
    const preflight = await service.call('OPTIONS', url, { authorization: null, tenantHeader: null, headers });
    t.equal(preflight.status, 204);
    t.equal(preflight.headers['access-control-allow-origin'], liveUrl);
  });
}
