import t from 'tap';

import { quiet } from '../../testing/actors/running-host.ts';
import { Gate } from '../../testing/fake-clock.ts';
import { AnalyticsPush } from './analytics-push.ts';

type Round = Awaited<ReturnType<ConstructorParameters<typeof AnalyticsPush>[0]['push']>>;

/** Three tenants, and the result of a push for each. */
function world(of: Record<string, () => Promise<Round>>) {
  const asked: string[] = [];
  const push = new AnalyticsPush({
    tenants: { running: async () => ['a', 'b', 'c'] },
    push: async (tenantId) => {
      asked.push(tenantId);
      return (await of[tenantId]?.()) ?? { pushed: 0, partner: 'NOT_ASKED' };
    },
    log: quiet,
  });
  return { push, asked };
}

t.test('every tenant is looked at, also behind one that fails', async (t) => {
  const { push, asked } = world({
    a: () => Promise.reject(new Error('no')),
    b: async () => ({ pushed: 2, partner: 'ANSWERS' }),
  });
  t.equal(await push.look(), 2);
  t.same(asked, ['a', 'b', 'c']);
  t.same(await push.health.check(), { status: 'UP' });
});

t.test('an unreachable partner is not tried again for other tenants, and health reports it', async (t) => {
  const rounds: Round[] = [
    { pushed: 0, partner: 'AWAY' },
    { pushed: 1, partner: 'ANSWERS' },
  ];
  const { push, asked } = world({ a: async () => rounds.shift()! });
  t.same(await push.health.check(), { status: 'UNKNOWN' });
  await push.look();
  t.same(asked, ['a']);
  t.same(await push.health.check(), { status: 'DOWN' });
  await push.look();
  t.same(await push.health.check(), { status: 'UP' });
});

t.test('health tells of the breaker of the partner', async (t) => {
  const tenants = { running: async () => [] };
  const push = async (): Promise<Round> => ({ pushed: 0, partner: 'NOT_ASKED' });
  const one = new AnalyticsPush({ tenants, push, breaker: () => 'OPEN', log: quiet });
  t.same(await one.health.check(), { status: 'UNKNOWN', details: { breaker: 'OPEN' } });
});

t.test('one run is active at a time, and a new one begins after the clock was moved', async (t) => {
  const go = new Gate();
  const { push, asked } = world({ c: async () => (await go.opened, { pushed: 1, partner: 'ANSWERS' }) });
  const looks = [push.look(), push.look()];
  const due = push.runDue(60_000);
  go.open();
  t.same(await Promise.all(looks), [1, 1]);
  await due;
  t.equal(asked.length, 6);
});
