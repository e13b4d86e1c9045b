import { test } from 'tap';

import { createLog, Loggers } from '../../../src/platform/telemetry/telemetry.ts';
import { startHttpWorld } from '../../../src/testing/http-world.ts';
import { HealthBoard, ping } from '../../http/telemetry/health-board.ts';
import { ACTUATOR_TYPE, HEALTH, HealthController } from './health.ts';
import { LOGGERS, LoggersController } from './loggers.ts';

const nobody = { as: null, tenant: null };
const operator = { as: 'the-operator~innkeeper:operate', tenant: null };
const METRICS_TOKEN = 'a-metrics-token-of-16';

async function start(production = false) {
  const lines: string[] = [];
  const loggers = new Loggers(createLog({ level: 'info', to: { write: (line: string) => void lines.push(line) } }));
  const providers = [
    { provide: LOGGERS, useValue: loggers },
    { provide: HEALTH, useValue: new HealthBoard(new Map([['ping', ping]])) },
  ];
  const monitoring = production ? { open: false, token: METRICS_TOKEN } : { open: true };
  const world = await startHttpWorld(
    { controllers: [LoggersController, HealthController], providers },
    { monitoring },
  );
  const said = (message: string): boolean => lines.some((line) => line.includes(message));
  return Object.assign(world, { loggers, said });
}

const to = (configuredLevel: unknown) => ({ method: 'POST', json: { configuredLevel } });

void test('loggers have the shape of Spring Boot', async (t) => {
  await using world = await start();
  const all = await world.call('/actuator/loggers', nobody);
  t.equal(all.headers.get('content-type'), ACTUATOR_TYPE);
  t.match(all.json, {
    levels: ['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'],
    loggers: {
      ROOT: { configuredLevel: 'INFO', effectiveLevel: 'INFO' },
      relay: { configuredLevel: null, effectiveLevel: 'INFO' },
    },
  });
  t.same((await world.call('/actuator/loggers/ROOT', nobody)).json, {
    configuredLevel: 'INFO',
    effectiveLevel: 'INFO',
  });
  const links = (await world.call('/actuator', nobody)).json['_links'] as Record<string, unknown>;
  t.match(links['loggers-name'], { templated: true });
  const unknown = await world.call('/actuator/loggers/nope', nobody);
  t.match(unknown, { status: 404, json: { code: 'LOGGER_NOT_FOUND', detail: /ROOT, actors/ } });
});

void test('a level that is changed holds at once, for one part or for all that follow', async (t) => {
  await using world = await start();
  const { loggers, said } = world;
  const relay = loggers.of('relay');
  relay.debug({}, 'before');
  const answer = await world.call('/actuator/loggers/relay', { ...nobody, ...to('DEBUG') });
  t.match(answer, { status: 204, text: '' });
  relay.debug({}, 'relay tells');
  loggers.of('jobs').debug({}, 'jobs are quiet');
  t.same([said('before'), said('relay tells'), said('jobs are quiet')], [false, true, false]);

  await world.call('/actuator/loggers/ROOT', { ...nobody, ...to('ERROR') });
  loggers.of('jobs').warn({}, 'jobs warn');
  relay.debug({}, 'relay goes on');
  t.same([said('jobs warn'), said('relay goes on')], [false, true]);

  await world.call('/actuator/loggers/relay', { ...nobody, ...to(null) });
  t.match((await world.call('/actuator/loggers/relay', nobody)).json, {
    configuredLevel: null,
    effectiveLevel: 'ERROR',
  });
  await world.call('/actuator/loggers/ROOT', { ...nobody, ...to(null) });
  t.match((await world.call('/actuator/loggers/jobs', nobody)).json, { effectiveLevel: 'INFO' }, 'LOG_LEVEL again');
});

void test('what is no level, no logger or more than asked for is refused and changes nothing', async (t) => {
  await using world = await start();
  const bad = [{ configuredLevel: 'LOUD' }, { configuredLevel: 'debug' }, { level: 'DEBUG' }, {}, [], null];
  for (const json of [...bad, { configuredLevel: 'DEBUG', more: 1 }]) {
    const { status } = await world.call('/actuator/loggers/relay', { ...nobody, method: 'POST', json });
    t.equal(status, 400, JSON.stringify(json));
  }
  t.match(await world.call('/actuator/loggers/nope', { ...nobody, ...to('DEBUG') }), { status: 404 });
  t.match((await world.call('/actuator/loggers/relay', nobody)).json, { effectiveLevel: 'INFO' });
});

void test('in production only operators change a level; the token of metrics only reads', async (t) => {
  await using world = await start(true);
  const change = to('DEBUG');
  t.equal((await world.call('/actuator/loggers', nobody)).status, 401);
  t.equal((await world.call('/actuator/loggers', { as: METRICS_TOKEN })).status, 200);
  t.equal((await world.call('/actuator/loggers/relay', { ...nobody, ...change })).status, 401);
  t.equal((await world.call('/actuator/loggers/relay', { as: METRICS_TOKEN, ...change })).status, 401);
  t.equal((await world.call('/actuator/loggers/relay', { as: 'demo-owner', ...change })).status, 403);
  t.equal((await world.call('/actuator/loggers/relay', { ...operator, ...change })).status, 204);
  t.ok(world.said('log level changed'));
});
