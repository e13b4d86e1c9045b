import t from 'tap';
import { quiet } from '../../actors/testing/running-host.ts';
import { Gate } from '../testing/fake-clock.ts';
import { TenantRounds } from './tenant-rounds.ts';

t.test('what is asked for many times at once is done once, and all take turns', async (t) => {
  const done: string[] = [];
  const left = new Map([['big', 3]]);
  const work = async (tenantId: string): Promise<boolean> => {
    done.push(tenantId);
    left.set(tenantId, (left.get(tenantId) ?? 1) - 1);
    return left.get(tenantId)! > 0;
  };
  await using rounds = new TenantRounds({ work, log: quiet, what: 'later', gatherMs: 60_000, pauseMs: 1 });
  for (let n = 0; n < 100; n++) for (const id of ['big', 'one', 'two']) rounds.ask(id);
  await rounds.done();
  t.same(done, ['big', 'one', 'two', 'big', 'big']);
});

t.test('asking waits for nothing, and what is asked for meanwhile is done after', async (t) => {
  const [began, go] = [new Gate(), new Gate()];
  const done: string[] = [];
  const work = async (tenantId: string): Promise<boolean> => {
    began.open();
    await go.opened;
    done.push(tenantId);
    return false;
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
  const work = async (tenantId: string): Promise<boolean> => {
    if (tenantId === 'broken') throw new Error('no');
    done.push(tenantId);
    return false;
  };
  const log = { ...quiet, warn: (facts: object) => void warned.push(facts) };
  await using rounds = new TenantRounds({ work, log, what: 'later', gatherMs: 0 });
  rounds.ask('broken');
  rounds.ask('one');
  await rounds.done();
  t.same(done, ['one']);
  t.match(warned, [{ tenantId: 'broken' }]);
});

t.test('when the process goes, the one that runs is told and waited for, and no other begins', async (t) => {
  const began = new Gate();
  const done: string[] = [];
  const work = async (tenantId: string, signal: AbortSignal): Promise<boolean> => {
    began.open();
    await new Promise((over) => signal.addEventListener('abort', over));
    done.push(tenantId);
    return true;
  };
  const rounds = new TenantRounds({ work, log: quiet, what: 'later', gatherMs: 0, pauseMs: 60_000 });
  rounds.ask('one');
  rounds.ask('two');
  await began.opened;
  await rounds[Symbol.asyncDispose]();
  t.same(done, ['one']);
  rounds.ask('three');
  await rounds.done();
  t.same(done, ['one']);
});
