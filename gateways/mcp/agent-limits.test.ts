import t from 'tap';

import { memoryCounters } from '../../src/platform/coordination/memory-counters.ts';
import { AgentLimits } from './agent-limits.ts';

t.test('an agent reads how long to wait before it is refused, each for itself', async (t) => {
  const limits = new AgentLimits(3, memoryCounters);
  for (let n = 0; n < 3; n++) t.equal(await limits.count('a'), undefined);
  for (let n = 0; n < 3; n++) {
    const answer = await limits.count('a');
    t.match(answer, { code: 'QUOTA_EXCEEDED', details: { extra: { limit: 3 } } });
    t.match(answer?.message, /wait \d+ s/);
  }
  await t.rejects(limits.count('a'), { code: 'QUOTA_EXCEEDED' });
  t.equal(await limits.count('b'), undefined);
});

t.test('0 is no limit', async (t) => {
  const limits = new AgentLimits(0, memoryCounters);
  for (let n = 0; n < 500; n++) t.equal(await limits.count('a'), undefined);
});
