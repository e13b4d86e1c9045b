import t from 'tap';

import { isLate } from '../../kernel/rules/rounds.ts';
import { regularly } from './regularly.ts';
import { RoundRegistry } from './round-registry.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

t.test(
  'health is unknown before the first run, up after it, down when a round is later than three periods',
  async (t) => {
    let now = 0;
    const registry = new RoundRegistry(() => now);
    const audit = registry.register('night-audit', 60_000);
    const sweep = registry.register('sweep', 5_000);
    t.match(await registry.health.check(), { status: 'UNKNOWN' });
    sweep.completed();
    t.match(await registry.health.check(), { status: 'UP' });
    now = 15_000;
    t.match(await registry.health.check(), { status: 'UP' }, 'three periods are not late yet');
    now = 15_001;
    t.match(await registry.health.check(), { status: 'DOWN', details: { late: [{ name: 'sweep' }] } });
    sweep.completed();
    t.match(await registry.health.check(), { status: 'UP' });
    now = 190_000;
    sweep.completed();
    t.match(
      await registry.health.check(),
      { status: 'DOWN', details: { late: [{ name: 'night-audit', ageSeconds: 190 }] } },
      'a round that never ran is late by the time since it was registered',
    );
    audit.completed(30_000);
    t.match(
      registry.figures(),
      [{ name: 'night-audit', ageSeconds: 30 }, {}],
      'another node ran it half a minute ago',
    );
    audit.completed(90_000);
    t.match(registry.figures(), [{ name: 'night-audit', ageSeconds: 30 }, {}], 'an older run makes it no older');
    t.notOk(registry.figures().some(isLate));
    t.throws(() => registry.register('sweep', 1), /registered already/);
  },
);

t.test('a long run is not late while it gets on, and is no completed one', async (t) => {
  let now = 0;
  const registry = new RoundRegistry(() => now);
  const audit = registry.register('daily-check', 60_000);
  audit.itemFailed('demo/harbor-hotel', new Error('no such time zone'));
  for (now = 60_000; now <= 600_000; now += 60_000) audit.progressed(1_000);
  t.match(registry.figures(), [{ ageSeconds: 61, hasRun: false, error: /no such time zone/ }]);
  audit.progressed(120_000);
  t.match(registry.figures(), [{ ageSeconds: 61 }], 'what is older makes it no older');
  t.match(await registry.health.check(), { status: 'UNKNOWN' });
  audit.rescued();
  t.match(registry.figures(), [{ rescues: 1 }]);
});

t.test('failures are counted and named until a run goes through without any', async (t) => {
  const registry = new RoundRegistry(() => 0);
  const round = registry.register('daily-check', 60_000);
  round.itemFailed('demo/harbor-hotel', new Error('no such time zone'));
  round.completed();
  t.match(registry.figures(), [{ failures: 1, error: 'demo/harbor-hotel: no such time zone' }]);
  t.match(await registry.health.check(), {
    status: 'UP',
    details: { failing: [{ name: 'daily-check', failures: 1 }] },
  });
  round.completed();
  t.match(registry.figures(), [{ failures: 1, error: undefined }]);
});

t.test('regular work completes its round, and goes on after a run that failed', async (t) => {
  const registry = new RoundRegistry();
  const round = registry.register('sweep', 5);
  let runs = 0;
  const third = Promise.withResolvers<void>();
  await using _ = regularly(round, quiet, async () => {
    runs += 1;
    if (runs === 3) third.resolve();
    if (runs < 3) throw new Error('not yet');
  });
  await third.promise;
  await new Promise((done) => setImmediate(done));
  t.match(registry.figures(), [{ hasRun: true, failures: 2 }]);
  t.ok(registry.figures()[0]!.tookMs! >= 0, 'and it is known how long it took');
});

t.test('the duration of a run stays until this node has completed another', async (t) => {
  const registry = new RoundRegistry(() => 0);
  const round = registry.register('sweep', 5);
  t.notOk('tookMs' in registry.figures()[0]!);
  round.completed(0, 1_500);
  round.completed(3);
  t.equal(registry.figures()[0]!.tookMs, 1_500, 'a run of another node has none');
  round.completed(0, 20);
  t.equal(registry.figures()[0]!.tookMs, 20);
});

t.test('a run that hangs keeps the next one waiting for ten minutes and no longer', async (t) => {
  let now = 0;
  let begun = 0;
  let tick: () => void = () => {};
  const scheduler = {
    now: () => now,
    after: () => ({ cancel: () => {}, unref: () => {} }),
    every(_: number, run: () => void) {
      tick = run;
      return { cancel: () => {}, unref: () => {} };
    },
  };
  const registry = new RoundRegistry(() => now);
  const hangs = (): Promise<void> => ((begun += 1), begun === 1 ? new Promise(() => {}) : Promise.resolve());
  regularly(registry.register('sweep', 60_000), quiet, hangs, 'later', scheduler);
  tick();
  now = 599_999;
  tick();
  t.equal(begun, 1);
  t.match(await registry.health.check(), { status: 'DOWN', details: { late: [{ name: 'sweep' }] } });
  now = 600_000;
  tick();
  await new Promise((done) => setImmediate(done));
  t.equal(begun, 2);
  t.match(registry.figures(), [{ hasRun: true, failures: 1, error: 'a run has not ended within 10 minutes' }]);
});
