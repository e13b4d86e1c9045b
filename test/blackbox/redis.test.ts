import tap, { test } from 'tap';

import { Line } from '../../src/testing/cluster/line.ts';
import { servicesOrSkip } from '../services/needed.ts';
import { RunbookPage } from './runbook-page.ts';
import { Service } from './service.ts';
import { pause, until } from './waiting.ts';

/**
 * Two installations that share a Redis and nothing else, with tenants of the same names
 * (docs/reference/configuration.md#cluster).
 */
/** Two services, and a Redis that goes away and hangs. */
tap.setTimeout(300_000);

const url = servicesOrSkip(tap, ['redis'])?.redis;
if (url !== undefined) {
  const PER_SECOND = 200;
  const { line, url: viaLine } = await Line.to(url);
  const limits = { RATE_LIMIT_TENANT: String(PER_SECOND), RATE_LIMIT_SUBJECT: '0' };
  const one = await Service.start({ ...limits, REDIS_URL: viaLine });
  // A copy of the same database would have its name.
  const other = await (await Service.prepare({ ...limits, REDIS_URL: url })).up();
  tap.teardown(async () => {
    await one.remove();
    await other.remove();
    await line[Symbol.asyncDispose]();
  });

  const left = async (service: Service): Promise<number> => {
    const { headers } = await service.reservations('GET', '?limit=1');
    return Number(headers['ratelimit-remaining']);
  };
  const many = (service: Service, times: number) => Promise.all(Array.from({ length: times }, () => left(service)));
  const health = (service: Service, path = '') =>
    service.call<{ status: string }>('GET', `${service.dev.reservationUrl}/actuator/health${path}`);
  const redisIs = (status: number) =>
    until(`redis ${status}`, 60_000, async () => (await health(one, '/redis')).status === status || undefined);

  const asked = (service: Service) =>
    service.admin<{ jobId: string; statusUrl: string }>('POST', '/rates/recalculate', {
      body: { propertyId: 'harbor-hotel' },
    });
  /** A job from its request to its end. */
  const recalculated = async (service: Service): Promise<{ state: string }> => {
    const { status, json } = await asked(service);
    if (status !== 202) throw new Error(`${status} instead of a job`);
    return until('the job', 60_000, async () => {
      const url = service.dev.rateUrl + json.statusUrl;
      const found = await service.call<{ state: string }>('GET', url, { role: 'ADMIN' });
      return /COMPLETED|FAILED/.test(found.json.state) ? found.json : undefined;
    });
  };

  void test('what one has let through is not missing on the other', async (t) => {
    t.match(await health(one, '/redis'), { status: 200, json: { status: 'UP' } });
    for (let round = 0; round < 8; round += 1) {
      await many(one, 60);
      await left(other);
      // Nodes write to Redis twenty times a second; a second is what there is to see it in.
      await pause(120);
      const now = await left(other);
      t.ok(now > PER_SECOND - 30, `${now} of ${PER_SECOND} left after two requests of its own`);
    }
  });

  void test('jobs are stored in Redis, which both use and neither sees of the other', async (t) => {
    const jobs = await until('the queue', 60_000, async () => {
      const found = await health(one, '/jobs');
      return found.status === 200 ? found : undefined;
    });
    t.match(jobs.json, { status: 'UP', details: { backend: 'Redis' } });
    t.equal((await recalculated(one)).state, 'COMPLETED');
    t.equal((await recalculated(other)).state, 'COMPLETED');
  });

  void test('without Redis nobody waits, limits go on, and only its health and that of jobs is DOWN', async (t) => {
    const page = new RunbookPage(t, one, 'RedisDown');
    const stuck = new RunbookPage(t, one, 'JobsStuck');
    const jobs = 'curl -s $RESERVATION/actuator/health/jobs';
    const ping = 'redis-cli -u "$REDIS_URL" ping';
    line.cut();
    await redisIs(503);
    t.match(await health(one), { status: 200, json: { status: 'UP' } });
    await t.rejects(page.shell(ping), 'nobody answers');
    t.equal(await page.figureIs('health_redis', (value) => value === 0), 0);
    await pause(1_000);
    const began = performance.now();
    const answers = await many(one, 20);
    t.ok(performance.now() - began < 5_000);
    t.ok(Math.min(...answers) < Math.max(...answers), 'each has less left than the one before');
    t.match(await stuck.shell(jobs), /"status":"(DOWN|OUT_OF_SERVICE)"/);
    t.equal(await stuck.figureIs('health_jobs', (value) => value === 0), 0);
    const louder = 'POST /actuator/loggers/jobs {"configuredLevel":"DEBUG"}';
    const operator = { authorization: `Bearer ${one.dev.operatorToken}`, tenantHeader: null };
    t.equal((await stuck.request(louder, {}, { ...operator, body: { configuredLevel: 'DEBUG' } })).status, 204);
    t.match(await asked(one), { status: 503, json: { code: 'NOT_EXECUTED' } });
    line.mend();
    await redisIs(200);
    t.match(await page.shell(ping), /PONG/);
    t.equal(await page.figureIs('health_redis', (value) => value === 1), 1);
    t.equal((await recalculated(one)).state, 'COMPLETED');
    t.equal(await stuck.figureIs('health_jobs', (value) => value === 1), 1, 'jobs come again');
  });

  void test('a Redis that hangs holds up no request and no end', async (t) => {
    line.isStuck = true;
    const times: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      const began = performance.now();
      await left(one);
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    t.comment(`${times[20]?.toFixed(1)} ms in the middle`);
    t.ok(times[20]! < 200, 'less than a round is given');
    const { code } = await one.terminate();
    t.equal(code, 0);
  });
}
