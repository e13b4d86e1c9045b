import t from 'tap';

import { TestClient } from '../../src/testing/live/client.ts';
import { scriptedWorld } from '../../src/testing/live/scripted-world.ts';
import { follow, signIn } from '../../src/testing/live/steps.ts';
import { LiveHealth } from './health.ts';

t.test('health of the live gateway shows its sockets, and that it takes no more', async (t) => {
  const sockets = { subject: 1, tenant: 0, address: 0 };
  await using world = await scriptedWorld({}, undefined, { sockets });
  const live = new LiveHealth();
  const { check } = live.health;
  t.same(await check(), { status: 'UNKNOWN' }, 'a node without clients has none');
  t.notOk(live.health.essential, 'bookings go on without it');
  const connections = { open: 2, most: 3, refusedLastMinute: 0 };
  live.watch({ figures: () => world.gateway.figures(), connections: () => connections });
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  await follow(client);
  t.same(await check(), {
    status: 'UP',
    details: { sockets: 1, connections: 2, maxConnections: 3, subscriptions: 1, refusedLastMinute: 0 },
  });
  await using another = TestClient.connect(world.url, 'ws');
  another.send({ t: 'auth', token: 'demo:MANAGER', tenantId: 'demo' });
  await another.closing();
  Object.assign(connections, { open: 3, refusedLastMinute: 4 });
  const errors = world.gateway.figures().refusedLastMinute;
  t.match(await check(), { status: 'OUT_OF_SERVICE', details: { connections: 3, refusedLastMinute: errors + 4 } });
  connections.open = 2;
  t.match(await check(), { status: 'UP' });
});
