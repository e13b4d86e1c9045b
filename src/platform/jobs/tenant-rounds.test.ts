import t from 'tap';

import { quiet } from '../../testing/actors/running-host.ts';
import { Gate } from '../../testing/fake-clock.ts';
import { TenantRounds, type RoundResult } from './tenant-rounds.ts';

t.test('many requests at once become one round, and tenants alternate', async (t) => {
  const done: string[] = [];
  const left = new Map([['big', 3]]);
  const work = async (tenantId: string): Promise<RoundResult> => {
    done.push(tenantId);
    left.set(tenantId, (left.get(tenantId) ?? 1) - 1);
    return left.get(tenantId)! > 0 ? 'MORE' : 'SOME';
  };
  await using rounds = new TenantRounds({ work, log: quiet, what: 'later', gatherMs: 60_000, restMs: () => 1 });
  for (let n = 0; n < 100; n++) for (const id of ['big', 'one', 'two']) rounds.ask(id);
  await rounds.done();
  t.same(done, ['big', 'one', 'two', 'big', 'big']);
});

t.test('requests never wait, and those made during a round run after it', async (t) => {
  const began = new Gate();
  const go = new Gate();
  const done: string[] = [];
  const work = async (tenantId: string): Promise<RoundResult> => {
    began.open();
    await go.opened;
    done.push(tenantId);
    return 'SOME';
  };
  await using rounds = new TenantRounds({ work, log: quiet, what: 'later', gatherMs: 0 });
  t.equal(rounds.ask('one'), undefined);
  await began.opened;
  rounds.ask('one');
  rounds.ask('two');
  t.same(done, []);
  go.open();
  await rounds.done();
  t.same(done, ['one', 'one', 'two']);
});

t.test('a tenant that fails holds up nobody', async (t) => {
  const done: string[] = [];
  const warned: object[] = [];
  const work = async (tenantId: string): Promise<RoundResult> => {
    if (tenantId === 'broken') throw new Error('no');
    done.push(tenantId);
    return 'SOME';
  };
  const log = { ...quiet, warn: (facts: object) => void warned.push(facts) };
  await using rounds = new TenantRounds({ work, log, what: 'later', gatherMs: 0 });
  rounds.ask('broken');
  rounds.ask('one');
  await rounds.done();
  t.same(done, ['one']);
  t.match(warned, [{ tenantId: 'broken' }]);
});

t.test('when the process goes, the one that runs is aborted and awaited, and no other begins', async (t) => {
  const began = new Gate();
  const done: string[] = [];
  const work = async (tenantId: string, signal: AbortSignal): Promise<RoundResult> => {
    began.open();
    await new Promise((over) => signal.addEventListener('abort', over));
    done.push(tenantId);
    return 'MORE';
  };
  const rounds = new TenantRounds({ work, log: quiet, what: 'later', gatherMs: 0, restMs: () => 60_000 });
  rounds.ask('one');
  rounds.ask('two');
  await began.opened;
  await rounds[Symbol.asyncDispose]();
  t.same(done, ['one']);
  rounds.ask('three');
  await rounds.done();
  t.same(done, ['one']);
});

t.test('who waits for the end cuts rests short', async (t) => {
  const turns: string[] = [];
  const resting = new Gate();
  const restMs = (): number => (resting.open(), 60_000);
  const work = async (tenantId: string): Promise<RoundResult> => (
    turns.push(tenantId),
    turns.length < 5 ? 'MORE' : 'SOME'
  );
  await using rounds = new TenantRounds({ work, log: quiet, what: 'later', gatherMs: 0, restMs });
  rounds.ask('one');
  await resting.opened;
  t.equal(turns.length, 1);
  await rounds.done();
  t.equal(turns.length, 5);
});

t.test('an idle round is followed by no pause, others by a proportional one', async (t) => {
  const rests: number[] = [];
  const rested = new Gate();
  const left = new Set(['idle', 'busy', 'last']);
  const restMs = (tookMs: number): number => (rests.push(tookMs), 0);
  const work = async (tenantId: string): Promise<RoundResult> => {
    left.delete(tenantId);
    if (left.size === 0) rested.open();
    return tenantId === 'idle' ? 'NOTHING' : 'SOME';
  };
  await using rounds = new TenantRounds({ work, log: quiet, what: 'later', gatherMs: 0, restMs });
  for (const id of left) rounds.ask(id);
  await rested.opened;
  t.equal(rests.length, 1, 'after the busy one; after the last one nobody waits');
  t.ok(rests.every((tookMs) => tookMs >= 0));
});
