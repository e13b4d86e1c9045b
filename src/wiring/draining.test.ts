import { test } from 'tap';

import { DRAIN_MS } from '../kernel/rules/drain.ts';
import { drainWithinMs } from '../platform/launch/service.mjs';
import { endInTime, leaveCluster } from './draining.ts';

void test('readiness ends first, then properties move and sockets are drained at the same time', async (t) => {
  const happened: string[] = [];
  const propertiesMoved = Promise.withResolvers<void>();
  const socketsDrained = Promise.withResolvers<void>();
  const left = leaveCluster(
    {
      markLeaving: () => void happened.push('not ready'),
      drainSockets: () => {
        happened.push('sockets');
        return socketsDrained.promise;
      },
    },
    {
      leave: () => {
        happened.push('properties');
        return propertiesMoved.promise;
      },
    },
  ).then(() => happened.push('left'));
  t.same(happened, ['not ready', 'properties', 'sockets'], 'neither waits for the other');
  socketsDrained.resolve();
  await new Promise((done) => setTimeout(done, 20));
  t.notOk(happened.includes('left'), 'but both are waited for');
  propertiesMoved.resolve();
  await left;
});

void test('the parts of a drain, each at its longest, fit into the time that the launcher gives', (t) => {
  const { all, moveAll, moveGradually, sockets, socketsAlone, goodbye, lease, pool } = DRAIN_MS;
  for (const away of [Math.max(moveAll, sockets + goodbye), socketsAlone + goodbye]) {
    const requests = Math.max(DRAIN_MS.requestsUntil, away + DRAIN_MS.requestsAtLeast);
    t.ok(requests + lease + pool < all, `${requests} + ${lease} + ${pool} of ${all} ms`);
  }
  t.ok(moveGradually < moveAll);
  t.ok(all < drainWithinMs, 'the process ends by itself before it is killed');
  t.end();
});

void test('a drain that takes too long is cut off, with a warning in the log', async (t) => {
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
