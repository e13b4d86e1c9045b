import { test } from 'tap';

import { DRAIN_MS } from '../kernel/rules/drain.ts';
import { drainWithinMs } from '../platform/launch/service.mjs';
import { endInTime, leave } from './draining.ts';

void test('readiness goes first, then properties and sockets at the same time', async (t) => {
  const happened: string[] = [];
  const [handedOver, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const left = leave(
    {
      leave: () => void happened.push('not ready'),
      sendAway: () => {
        happened.push('sockets');
        return gone.promise;
      },
    },
    {
      leave: () => {
        happened.push('properties');
        return handedOver.promise;
      },
    },
  ).then(() => happened.push('left'));
  t.same(happened, ['not ready', 'properties', 'sockets'], 'neither waits for the other');
  gone.resolve();
  await new Promise((done) => setTimeout(done, 20));
  t.notOk(happened.includes('left'), 'but both are waited for');
  handedOver.resolve();
  await left;
});

void test('the parts of a drain fit together, each at its longest, and into what the launcher gives', (t) => {
  const { all, handOver, handOverCalmly, sockets, socketsAlone, goodbye, lease, pool } = DRAIN_MS;
  for (const away of [Math.max(handOver, sockets + goodbye), socketsAlone + goodbye]) {
    const requests = Math.max(DRAIN_MS.requestsUntil, away + DRAIN_MS.requestsAtLeast);
    t.ok(requests + lease + pool < all, `${requests} + ${lease} + ${pool} of ${all} ms`);
  }
  t.ok(handOverCalmly < handOver);
  t.ok(all < drainWithinMs, 'the process ends by itself before it is killed');
  t.end();
});

void test('a drain that a part holds up ends all the same, and says so', async (t) => {
  const said: string[] = [];
  const log = {
    debug: () => {},
    info: () => {},
    error: () => {},
    warn: (_: object, line: string) => said.push(line),
  };
  await new Promise<void>((end) => endInTime(log, end, 10));
  t.match(said, [/takes too long/]);
});
