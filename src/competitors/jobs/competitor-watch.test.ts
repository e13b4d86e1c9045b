import t from 'tap';

import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { FakeClock, Gate } from '../../testing/fake-clock.ts';
import { FakeJobs } from '../../testing/jobs/fake-jobs.ts';
import { NOW } from '../../testing/property-world.ts';
import type { CompetitorRates, SourceOverview } from '../ports.ts';
import { CompetitorWatch } from './competitor-watch.ts';

const HOUR = 3_600_000;

/** Tenants with one source each; a refresh renews its tenant's source. */
class World {
  readonly clock = new FakeClock();
  readonly jobs = new FakeJobs();
  readonly overviews = new Map<string, SourceOverview>();
  before: () => Promise<void> = async () => {};
  readonly watch: CompetitorWatch;

  constructor(feeds: ConstructorParameters<typeof CompetitorWatch>[0]['feeds'] = [{ source: 'feed' }]) {
    const competitors = {
      overview: async (tenantId: string) => {
        await this.before();
        return [this.overviews.get(tenantId)!];
      },
    } as unknown as CompetitorRates;
    const tenants = { running: async () => [...this.overviews.keys()] };
    this.watch = new CompetitorWatch({
      tenants,
      competitors,
      feeds,
      jobs: this.jobs,
      clock: this.clock,
      each: ItemRunner.uncounted(quiet),
    });
    this.jobs.work = async ({ data }) => this.synced('tenantId' in data ? data.tenantId : '');
  }

  put(tenantId: string, other: Partial<SourceOverview> = {}): void {
    const empty = { source: 'feed', properties: 1, queried: 0, failing: 0, rates: 0, leftOut: {} };
    this.overviews.set(tenantId, { ...empty, ...other });
  }

  synced(tenantId: string): void {
    const now = this.clock.now();
    this.put(tenantId, { queried: 1, lastAttempt: now, lastSuccess: now, nextSync: now + 6 * HOUR });
  }

  get waiting(): unknown[] {
    return this.jobs.jobs.filter(({ state }) => state === 'WAITING').map(({ data }) => data);
  }
}

t.test('a due tenant gets one refresh, however many checks run', async (t) => {
  const world = new World();
  world.put('new', { nextSync: NOW + 600_000 });
  world.put('due', { queried: 1, nextSync: NOW });
  world.put('later', { queried: 1, nextSync: NOW + 1 });
  world.put('empty', { properties: 0 });
  await Promise.all([world.watch.look(), world.watch.look()]);
  await world.watch.look();
  t.match(world.waiting, [
    { tenantId: 'new', since: NOW },
    { tenantId: 'due', since: undefined },
  ]);
});

t.test(
  'checks before the job queue is available report due tenants, and the check after it enqueues their refresh',
  async (t) => {
    const world = new World();
    world.jobs.isOpen = false;
    world.put('new');
    await world.watch.health.check();
    t.same(await world.watch.look(), []);
    t.same(world.waiting, []);
    t.match(await world.watch.health.check(), { details: { state: 'PENDING', sources: [{ source: 'feed' }] } });
    const [looked, go] = [new Gate(), new Gate()];
    world.before = async () => (looked.open(), go.opened);
    const early = world.watch.look();
    await looked.opened;
    const again = world.watch.lookAgain();
    go.open();
    await early;
    world.jobs.isOpen = true;
    t.same(await again, ['job-1'], 'also where one was under way that began before');
  },
);

t.test('no checks run without a configured source', async (t) => {
  const world = new World([]);
  world.put('demo');
  t.same(await world.watch.look(), []);
  t.match(await world.watch.health.check(), { status: 'UNKNOWN', details: { state: 'OFF' } });
});

t.test('the clock moves on, and what fell due by it is done', async (t) => {
  const world = new World();
  world.synced('demo');
  await world.watch.runDue(10_000);
  t.equal(world.jobs.jobs.length, 0);
  world.clock.pass(6 * HOUR);
  await world.watch.runDue(10_000);
  t.equal(world.overviews.get('demo')!.lastSuccess, NOW + 6 * HOUR);
});

t.test('a look that was under way when the clock moved does not count', async (t) => {
  const world = new World();
  world.synced('demo');
  const [looked, go] = [new Gate(), new Gate()];
  world.before = async () => (looked.open(), go.opened);
  const early = world.watch.look();
  await looked.opened;
  const seen = { ...world.overviews.get('demo')! };
  world.before = async () => {};
  world.clock.pass(6 * HOUR);
  const done = world.watch.runDue(10_000);
  world.put('demo', { ...seen, nextSync: NOW + 99 * HOUR });
  go.open();
  t.same(await early, [], 'it saw nothing that is due');
  world.put('demo', seen);
  await done;
  t.equal(world.overviews.get('demo')!.lastSuccess, NOW + 6 * HOUR);
});

t.test('health and age tell what the last look has seen, over all tenants', async (t) => {
  const world = new World();
  t.match(await world.watch.health.check(), { status: 'UNKNOWN' });
  t.equal(world.watch.ageSeconds, 0);
  // A request before the first check triggers it.
  await world.watch.look();
  world.synced('one');
  world.clock.pass(HOUR);
  world.put('two', { queried: 2, failing: 2, lastSuccess: NOW - HOUR, nextSync: NOW + 2 * HOUR });
  await world.watch.look();
  t.match(await world.watch.health.check(), {
    status: 'UP',
    details: { state: 'PARTIAL', sources: [{ source: 'feed', state: 'PARTIAL', ageSeconds: 3_600 }] },
  });
  t.equal(world.watch.ageSeconds, 3_600);
  world.put('one', { queried: 1, failing: 1, lastSuccess: NOW, nextSync: NOW + 2 * HOUR });
  await world.watch.lookAt('one');
  t.match(await world.watch.health.check(), { status: 'DOWN', details: { state: 'FAILED' } });
  world.overviews.delete('one');
  world.overviews.delete('two');
  await world.watch.look();
  t.match(await world.watch.health.check(), { status: 'UNKNOWN' }, 'tenants that are gone count no more');
});

t.test('health tells of the breaker of each feed, and of the worst of them', async (t) => {
  const { watch } = new World([
    { source: 'good', breaker: 'CLOSED' },
    { source: 'bad', breaker: 'OPEN' },
    { source: 'tried', breaker: 'HALF_OPEN' },
    { source: 'here' },
  ]);
  const { details } = await watch.health.check();
  t.match(details, {
    breaker: 'OPEN',
    sources: [{ breaker: 'CLOSED' }, { breaker: 'OPEN' }, { breaker: 'HALF_OPEN' }, { breaker: undefined }],
  });
  const { details: without } = await new World().watch.health.check();
  t.notOk('breaker' in without!);
});
