import t from 'tap';

import { RoundRegistry } from '../../platform/jobs/round-registry.ts';
import { isDatabaseUnavailable } from '../rules/database-unavailable.ts';
import { ItemRunner } from './item-runner.ts';

const EVERY_MS = 1_000;

/** A round whose items fail as its test says, by a clock that only its test moves. */
function world() {
  const set = { now: 0, logged: [] as Record<string, unknown>[] };
  const registry = new RoundRegistry(() => set.now);
  const round = registry.register('sweep', EVERY_MS);
  const warn = (facts: Record<string, unknown>): void => void set.logged.push(facts);
  const log = { debug: () => {}, info: () => {}, warn, error: warn };
  const each = new ItemRunner(round, log, () => set.now);
  const done: string[] = [];
  const run = async (faults: Record<string, unknown>, items = ['a', 'b', 'c']): Promise<void> => {
    for (const item of items)
      await each.one(item, async () => {
        if (item in faults) throw faults[item];
        done.push(item);
      });
    round.completed();
  };
  return { set, registry, each, done, run };
}

void t.test('one item fails alone: the others are done, and it is counted and named', async (t) => {
  const { set, registry, done, run } = world();
  await run({ b: new RangeError('Invalid time zone specified: x') });
  t.same(done, ['a', 'c']);
  t.match(registry.figures(), [{ failures: 1, failedItems: ['b'], error: /^b: Invalid time zone/ }]);
  t.match(set.logged, [{ round: 'sweep', item: 'b', failures: 1 }]);
  t.match((await registry.health.check()).details, { failing: [{ name: 'sweep', failedItems: ['b'] }] });
  await run({});
  t.same(done.slice(2), ['a', 'b', 'c'], 'the next run tries it again');
  t.same(registry.figures()[0]!.failedItems, undefined);
});

void t.test('one that fails again and again rests ever longer, with a bound, and stays named', async (t) => {
  const { set, registry, each, run } = world();
  const attempts: number[] = [];
  const fault = new Error('bad row');
  for (; set.now < 200 * EVERY_MS; set.now += EVERY_MS) {
    const before = set.logged.length;
    await run({ b: fault });
    if (set.logged.length > before) attempts.push(set.now / EVERY_MS);
    t.same(registry.figures()[0]!.failedItems, ['b'], 'also while it rests');
  }
  const pauses = attempts.slice(1).map((at, index) => at - attempts[index]!);
  t.same(pauses.slice(0, 5), [1, 2, 4, 8, 12]);
  t.equal(Math.max(...pauses), 12);
  t.ok(each.resting <= 1);
  each.wake();
  t.equal(each.resting, 0);
  const before = set.logged.length;
  await run({ b: fault });
  t.equal(set.logged.length, before + 1, 'a clock that was put forward waits for nothing');
});

void t.test('where the database is away the run ends, and nobody is blamed', async (t) => {
  const { registry, done, run } = world();
  await t.rejects(run({ a: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }));
  t.same(done, []);
  t.equal(registry.figures()[0]!.failures, 0);
});

void t.test(
  'actors that cannot read one after the other are a database that is away, a few are bad rows',
  async (t) => {
    const { done, run } = world();
    const fault = Object.assign(new Error('no'), { code: 'STORE_UNAVAILABLE' });
    const bad = Array.from({ length: 5 }, (_, n) => `bad${n}`);
    const faults = Object.fromEntries(bad.map((item) => [item, fault]));
    for (let n = 0; n < 2; n++) await t.rejects(run(faults, [...bad, 'good']));
    t.same(done, []);
    await run(faults, [...bad, 'good']);
    t.same(done, ['good'], 'they are paused by then, and the others run');
  },
);

void t.test('errors of the database are distinguished from errors of a row', async (t) => {
  const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code });
  for (const error of [
    ...['ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND', '08006', '53300', '57P01', '57P03', '25006'].map((code) =>
      coded(code),
    ),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Query read timeout'),
    new Error('wrapped', { cause: coded('57P02') }),
  ])
    t.ok(isDatabaseUnavailable(error), `${error.message} ${String((error as { code?: string }).code)}`);
  for (const error of [
    ...['22007', '22P02', '23505', 'XX001', '57014', '55P03', '40P01', 'STORE_UNAVAILABLE'].map((code) =>
      coded(code),
    ),
    new TypeError('undefined is not a function'),
    new RangeError('Invalid time zone specified: Mars/Olympus'),
    'text',
    undefined,
  ])
    t.notOk(isDatabaseUnavailable(error), String(error));
});
