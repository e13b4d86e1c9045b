import { setTimeout as after } from 'node:timers/promises';
import t from 'tap';

import type { AdvisoryLock } from '../../kernel/ports.ts';
import { inAgentTurn } from './agent-turns.ts';

/** A lock as a database has it. */
function lock(): AdvisoryLock {
  const taken = new Set<string>();
  return async (what, work) => {
    if (taken.has(what)) return false;
    taken.add(what);
    try {
      await work();
    } finally {
      taken.delete(what);
    }
    return true;
  };
}

t.test('calls of an agent are one after the other, and those of two agents are not', async (t) => {
  const one = lock();
  const under = new Map<string, number>();
  let most = 0;
  let all = 0;
  const call = (agent: string) =>
    inAgentTurn(one, agent, async () => {
      under.set(agent, (under.get(agent) ?? 0) + 1);
      most = Math.max(most, under.get(agent)!);
      all = Math.max(
        all,
        [...under.values()].reduce((sum, n) => sum + n, 0),
      );
      await after(5);
      under.set(agent, under.get(agent)! - 1);
      return agent;
    });
  const agents = ['a', 'b', 'a', 'b', 'a', 'a'];
  t.same(await Promise.all(agents.map(call)), agents);
  t.equal(most, 1);
  t.equal(all, 2);
});

t.test('a call that fails lets the next one in', async (t) => {
  const one = lock();
  await t.rejects(
    inAgentTurn(one, 'a', () => Promise.reject(new Error('a fault'))),
    /a fault/,
  );
  t.equal(await inAgentTurn(one, 'a', async () => 1), 1);
});
