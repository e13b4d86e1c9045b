import type { Test } from 'tap';

import { competitorSync, refreshed, syncStatus, type SyncStatus } from '../competitor-sync.ts';
import { isProblem } from '../problems.ts';
import { advanceClock, must, serviceClock } from '../property.ts';
import type { Service } from '../service.ts';
import { until } from '../waiting.ts';

const SIX_HOURS_SECONDS = 6 * 3_600;

/**
 * What is known of competitors, from the simulated market of development (docs/concepts/forecast.md#competitor-rates).
 */
export async function competitors(group: Test, service: Service): Promise<void> {
  await until('the first sync', 60_000, async () => ((await syncStatus(service)).status === 'OK' ? true : undefined));
  await group.test('only an ADMIN sees the state of the sources, and requests a refresh', async (t) => {
    for (const [method, path] of [
      ['GET', '/status'],
      ['POST', '/refresh'],
    ] as const) {
      for (const role of ['VIEWER', 'STAFF', 'MANAGER'] as const)
        isProblem(t, await competitorSync(service, method, path, { role }), 403, { code: 'ROLE_TOO_LOW' });
      isProblem(t, await competitorSync(service, method, path, { authorization: null }), 401);
      isProblem(t, await competitorSync(service, method, path, { tenantHeader: 'rival' }), 403);
    }
  });
  await group.test('the status names each source with its age, for the tenant alone', async (t) => {
    const status = await syncStatus(service, { role: 'OWNER' });
    const [source, ...others] = status.sources;
    t.same(others, []);
    t.match(source, { source: 'simulator', status: 'OK', failing: 0, error: null, leftOut: {} });
    t.ok(source!.rates > 0);
    t.equal(status.lastSync, source!.lastSuccess);
    t.ok(Date.parse(status.nextSync!) <= Date.parse(status.lastSync!) + SIX_HOURS_SECONDS * 1_000);
    t.match(await syncStatus(service, { tenant: 'rival' }), { sources: [{ properties: 1, status: 'OK' }] });
  });
  await group.test('a refresh is requested, followed and done', async (t) => {
    const before = await syncStatus(service);
    const after = await refreshed(service);
    t.match(after.refresh, { state: 'COMPLETED', progress: 100, failing: 0 });
    t.ok(after.lastSync! > before.lastSync!);
    t.equal(after.sources[0]!.properties, (after.refresh as { properties?: number }).properties);
  });
  await group.test('one key is one refresh, and other tenants cannot follow it', async (t) => {
    const headers = { 'idempotency-key': 'refresh-once' };
    const ask = () => competitorSync<{ jobId: string; statusUrl: string }>(service, 'POST', '/refresh', { headers });
    const first = must(await ask(), 202);
    const again = must(await ask(), 202);
    t.equal(again.text, first.text);
    t.equal(again.headers['idempotency-replayed'], 'true');
    t.equal(first.headers['idempotency-replayed'], undefined);
    t.equal(first.headers.location, first.json.statusUrl);
    const rival = { tenant: 'rival' };
    const url = service.dev.rateUrl + first.json.statusUrl;
    isProblem(t, await service.call('GET', url, rival), 404, { code: 'JOB_NOT_FOUND' });
    const other = await competitorSync<{ jobId: string }>(service, 'POST', '/refresh', { ...rival, headers });
    t.not(must(other, 202).json.jobId, first.json.jobId);
    isProblem(t, await competitorSync(service, 'GET', '/status?jobId=nonsense'), 404, { code: 'JOB_NOT_FOUND' });
  });
  await group.test('health and metrics report it', async (t) => {
    const open = (path: string) => service.call('GET', `${service.dev.rateUrl}/actuator${path}`);
    // Answers of health are cached for a second, and the first sync may have come after one.
    const health = await until('health of the sources', 10_000, async () => {
      const { json } = await open('/health/competitorApi');
      return (json as { status: string }).status === 'UNKNOWN' ? undefined : json;
    });
    t.match(health, { status: 'UP', details: { sources: [{ source: 'simulator' }] } });
    t.match((await open('/health/jobs')).json, { status: 'UP', details: { backend: 'PostgreSQL' } });
    t.match((await open('/health')).json, {
      components: { competitorApi: { status: 'UP' }, jobs: { status: 'UP' } },
    });
    t.match((await open('/metrics/competitor.sync.age')).json, { measurements: [{ statistic: 'VALUE' }] });
  });
  await group.test('six hours later everything has been refreshed by itself', async (t) => {
    const advance = (advanceSeconds: number) => advanceClock(service, advanceSeconds);
    const age = ({ ageSeconds }: SyncStatus): number => ageSeconds!;
    await refreshed(service);
    must(await advance(SIX_HOURS_SECONDS - 600), 200);
    t.ok(age(await syncStatus(service)) >= SIX_HOURS_SECONDS - 600, 'not yet due');
    must(await advance(600), 200);
    const now = Date.parse((await serviceClock(service)).now);
    for (const tenant of ['demo', 'rival']) {
      const status = await syncStatus(service, { tenant });
      t.ok(age(status) < 600, `${tenant}: ${status.ageSeconds} s`);
      t.ok(Date.parse(status.nextSync!) > now);
    }
  });
}
