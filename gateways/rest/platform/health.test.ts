import { test } from 'tap';

import type { Health, HealthCheck } from '../../../src/kernel/ports.ts';
import { startHttpWorld } from '../../../src/testing/http-world.ts';
import { diskSpace, HealthBoard, ping, unconfigured } from '../../http/telemetry/health-board.ts';
import { metricsText } from '../../http/telemetry/metrics.ts';
import { ACTUATOR_TYPE, HEALTH, HealthController } from './health.ts';
import { METRICS, MetricsController } from './metrics.ts';

const check = (essential: boolean, answer: () => Promise<Health>): HealthCheck => ({ essential, check: answer });
const up = check(true, async () => ({ status: 'UP', details: { database: 'PostgreSQL' } }));
const down = check(false, async () => {
  throw new Error('host db.internal refused user me');
});

const all = (checks: Record<string, HealthCheck>) => new Map(Object.entries(checks));

function start(checks: Record<string, HealthCheck>, production = false, isDraining = () => false, liveness = {}) {
  const metrics = metricsText('rate');
  const service = {
    controllers: [HealthController, MetricsController],
    providers: [
      { provide: HEALTH, useValue: new HealthBoard(all(checks), isDraining, all(liveness)) },
      { provide: METRICS, useValue: metrics },
    ],
  };
  const monitoring = production ? { open: false, token: 'a-metrics-token-of-16' } : { open: true };
  return startHttpWorld(service, { monitoring, observe: metrics.observe });
}

const nobody = { as: null, tenant: null };

void test('health has the shape and the bare type of Spring Boot', async (t) => {
  await using world = await start({
    db: up,
    ping,
    diskSpace: diskSpace('/'),
    kafka: unconfigured,
    paymentService: down,
  });
  const whole = await world.call('/actuator/health', nobody);
  t.equal(whole.status, 200, 'a partner degrades only its own entry');
  t.equal(whole.headers.get('content-type'), ACTUATOR_TYPE);
  t.match(whole.json, {
    status: 'UP',
    components: {
      db: { status: 'UP', details: { database: 'PostgreSQL' } },
      ping: { status: 'UP' },
      diskSpace: { status: 'UP', details: { free: Number, total: Number, threshold: Number } },
      kafka: { status: 'UNKNOWN' },
      paymentService: { status: 'DOWN' },
    },
    groups: ['liveness', 'readiness'],
  });
  t.notMatch(whole.text, /internal|refused/, 'messages of errors stay inside');
  const partner = await world.call('/actuator/health/paymentService', nobody);
  t.match(partner, { status: 503, json: { status: 'DOWN' } });
  t.match(await world.call('/actuator/health/kafka', nobody), { status: 200, json: { status: 'UNKNOWN' } });
  t.match(await world.call('/actuator/health/liveness', nobody), { status: 200, json: { status: 'UP' } });
  t.match(await world.call('/actuator/health/readiness', nobody), { status: 200, json: { components: { db: {} } } });
  const unknown = await world.call('/actuator/health/nope', nobody);
  t.equal(unknown.status, 404);
  t.equal(unknown.text, '');
  t.match((await world.call('/actuator', nobody)).json, {
    _links: { self: { templated: false }, 'health-path': { templated: true } },
  });
});

void test('an essential part that is gone takes the process down, a slow one too', async (t) => {
  await using world = await start({ db: check(true, async () => ({ status: 'DOWN' })), ping });
  t.match(await world.call('/actuator/health', nobody), { status: 503, json: { status: 'DOWN' } });
  t.equal((await world.call('/actuator/health/liveness', nobody)).status, 200);
  await using stuck = await start({ db: check(true, () => new Promise(() => undefined)) });
  t.match(await stuck.call('/actuator/health/db', nobody), {
    status: 503,
    json: { details: { error: 'no answer in time' } },
  });
});

void test('liveness is down where only a new start helps', async (t) => {
  const stuck = check(true, async () => ({ status: 'DOWN', details: { withoutLeaseSeconds: 61 } }));
  await using world = await start({ db: up, ping }, false, () => false, { lease: stuck });
  t.match(await world.call('/actuator/health/liveness', nobody), {
    status: 503,
    json: { status: 'DOWN', components: { lease: { status: 'DOWN', details: { withoutLeaseSeconds: 61 } } } },
  });
  t.equal((await world.call('/actuator/health', nobody)).status, 200, 'readiness says by itself what it lacks');
});

void test('a draining process is not ready', async (t) => {
  await using world = await start({ db: up }, false, () => true);
  t.match(await world.call('/actuator/health/readiness', nobody), {
    status: 503,
    json: { status: 'OUT_OF_SERVICE' },
  });
});

void test('in production only operators see more than the status', async (t) => {
  await using world = await start({ db: up }, true);
  const open = await world.call('/actuator/health', nobody);
  t.same(open.json, { status: 'UP', groups: ['liveness', 'readiness'] });
  t.same((await world.call('/actuator/health/db', nobody)).json, { status: 'UP' });
  t.equal((await world.call('/actuator/metrics', nobody)).status, 401);
  t.equal((await world.call('/actuator', nobody)).status, 401);
  t.equal((await world.call('/actuator/metrics', { as: 'demo-owner' })).status, 403);
  for (const as of ['a-metrics-token-of-16', 'the-operator~innkeeper:operate']) {
    t.equal((await world.call('/actuator/metrics', { as })).status, 200);
    t.match((await world.call('/actuator/health', { as })).json, { components: { db: { status: 'UP' } } });
  }
});

void test('metrics exist with 0 from the start, each on its own service', async (t) => {
  await using world = await start({ ping });
  const names = [
    'hikaricp.connections.active',
    'http.server.requests',
    'rate.optimization.duration',
    'rate.optimization.queue.size',
  ];
  t.same((await world.call('/actuator/metrics', nobody)).json, { names });
  t.notOk(metricsText('rate').names().includes('room.assignment.queue.size'));
  t.ok(metricsText('reservation').names().includes('room.assignment.queue.size'));
  const queue = await world.call('/actuator/metrics/rate.optimization.queue.size', nobody);
  t.equal(queue.headers.get('content-type'), ACTUATOR_TYPE);
  t.same(queue.json, {
    name: 'rate.optimization.queue.size',
    description: 'Optimizations that wait or run',
    baseUnit: null,
    measurements: [{ statistic: 'VALUE', value: 0 }],
    availableTags: [],
  });
  t.match((await world.call('/actuator/metrics/rate.optimization.duration', nobody)).json, {
    baseUnit: 'seconds',
    measurements: [
      { statistic: 'COUNT', value: 0 },
      { statistic: 'TOTAL_TIME', value: 0 },
      { statistic: 'MAX', value: 0 },
    ],
  });
  t.equal((await world.call('/actuator/metrics/nope', nobody)).status, 404);
});

void test('requests are counted by route, and can be narrowed by tags', async (t) => {
  await using world = await start({ ping });
  for (let i = 0; i < 3; i++) await world.call('/actuator/health/ping', nobody);
  await world.call('/nowhere', nobody);
  const at = '/actuator/metrics/http.server.requests';
  const whole = (await world.call(at, nobody)).json;
  t.match(whole, {
    measurements: [{ statistic: 'COUNT', value: 4 }],
    availableTags: [{ tag: 'method', values: ['GET'] }, {}, {}, {}],
  });
  const one = await world.call(`${at}?tag=uri:/actuator/health/:component&tag=status:200`, nobody);
  t.match(one.json, {
    measurements: [{ value: 3 }],
    availableTags: [{ tag: 'method' }, { tag: 'outcome', values: ['SUCCESS'] }],
  });
  t.equal((await world.call(`${at}?tag=status:299`, nobody)).status, 404);
  const text = await world.call('/actuator/prometheus', nobody);
  t.match(text.headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
  for (const le of ['0.5', '1', '2', '30', '+Inf'])
    t.ok(text.text.includes(`http_server_requests_seconds_bucket{le="${le}"`), le);
  t.match(text.text, '# TYPE http_server_requests_seconds histogram');
  t.match(text.text, /^rate_optimization_queue_size 0$/m);
  t.match(
    text.text,
    /http_server_requests_seconds_count\{method="GET",uri="\/actuator\/health\/:component",status="200",outcome="SUCCESS"\} 3/,
  );
});

void test('a gauge is read when it is asked for', (t) => {
  const metrics = metricsText('rate');
  let size = 4;
  metrics.gauge('rate.optimization.queue.size', '', () => size);
  size = 7;
  t.match(metrics.report('rate.optimization.queue.size', []), { measurements: [{ value: 7 }] });
  const add = metrics.counter('live.frames', 'Frames sent');
  add(3);
  t.match(metrics.report('live.frames', []), { measurements: [{ statistic: 'COUNT', value: 3 }] });
  t.end();
});
