import { test } from 'tap';

import { redisHealth } from './counters.ts';

void test('a Redis that answers but says nothing sensible of the cluster is DOWN, and nothing else is', async (t) => {
  const answers = { essential: false, check: async () => ({ status: 'UP' as const }) };
  const placement: { redisTrouble: string | undefined; redisMissing: string[] } = {
    redisTrouble: undefined,
    redisMissing: [],
  };
  const health = redisHealth(answers, placement);
  t.equal(health.essential, false);
  t.same(await health.check(), { status: 'UP' });
  placement.redisTrouble = 'Redis goes back in its versions';
  t.same(await health.check(), { status: 'DOWN', details: { error: 'it says nothing sensible of the cluster' } });
  placement.redisTrouble = undefined;
  t.same(await health.check(), { status: 'UP' });
  placement.redisMissing = ['node-4'];
  t.same(await health.check(), {
    status: 'DOWN',
    details: { error: 'nodes with a lease are not in its list', missing: ['node-4'] },
  });
  t.same(await redisHealth(answers).check(), { status: 'UP' }, 'without other nodes it is for limits and jobs');
});
