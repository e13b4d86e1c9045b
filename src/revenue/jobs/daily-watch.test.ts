import t from 'tap';

import { dayOf, formatDay } from '../../kernel/rules/dates.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { FakeClock, Gate, untilTime } from '../../testing/fake-clock.ts';
import { type DailyClock, type DailyJobs, DATES_RETAINED } from '../ports.ts';
import { DailyWatch } from './daily-watch.ts';

/** Properties with their clocks, the jobs done for them, and the workers. */
class World implements DailyJobs {
  readonly clock: FakeClock;
  readonly properties = new Map<string, DailyClock>();
  readonly rows = new Set<string>();
  readonly worked: string[] = [];
  work: (propertyId: string) => Promise<void> = async () => {};
  /** Order in which no-shows are marked and days are closed. */
  readonly closed: string[] = [];
  /** Called while no-shows are marked. */
  marking: (propertyId: string) => Promise<void> = async () => {};
  /** Whether an audit is done. */
  audit: (propertyId: string) => Promise<boolean | void> = async () => {};
  /** Properties of a run that have succeeded or failed. */
  progressed = 0;
  readonly watch: DailyWatch;

  constructor(now: string) {
    this.clock = new FakeClock(Date.parse(now));
    const tenants = { running: async () => ['acme'] };
    const { clock } = this;
    this.watch = new DailyWatch({
      tenants,
      daily: this,
      clock,
      log: quiet,
      alone: async (_, work) => (await work(), true),
      progressed: () => (this.progressed += 1),
      work: {
        NO_SHOWS: async ({ propertyId }, date) => {
          await this.marking(propertyId);
          this.closed.push(`no-shows ${propertyId} ${formatDay(date)}`);
        },
        NIGHT_AUDIT: ({ propertyId }, date) => {
          this.closed.push(`audit ${propertyId} ${formatDay(date)}`);
          return this.audit(propertyId);
        },
        ASSIGN_ROOMS: async () => {},
        CHARGE_DUES: async () => {},
        LEARN_DEMAND: async () => {},
        SWITCH_RATES: async () => {},
        OPTIMIZE_RATES: async ({ propertyId }, date) => {
          await this.work(propertyId);
          this.worked.push(`${propertyId} ${formatDay(date)}`);
        },
      },
    });
  }

  async clocks(): Promise<DailyClock[]> {
    return [...this.properties.values()];
  }

  async due(...[, job, clock, date, after = '']: Parameters<DailyJobs['due']>): Promise<string[]> {
    const all = [...this.properties].filter(([id, of]) => of === clock && id > after && !this.#isDone(id, job, date));
    return all.map(([id]) => id).slice(0, 2);
  }

  async missed(...[, job, clock, date]: Parameters<DailyJobs['missed']>): ReturnType<DailyJobs['missed']> {
    const dates = Array.from({ length: DATES_RETAINED[job]! - 1 }, (_, n) => date - 1 - n);
    const here = [...this.properties].filter(([, of]) => of === clock);
    return dates.flatMap((of) =>
      here.flatMap(([propertyId]) => (this.#isDone(propertyId, job, of) ? [] : { propertyId, date: of })),
    );
  }

  async isDone(...[to, job, date]: Parameters<DailyJobs['isDone']>): Promise<boolean> {
    return this.#isDone(to.propertyId, job, date);
  }

  async done(...[to, job, date]: Parameters<DailyJobs['done']>): Promise<void> {
    this.rows.add(`${to.propertyId} ${job} ${date}`);
  }

  #isDone(propertyId: string, job: string, date: number): boolean {
    return this.rows.has(`${propertyId} ${job} ${date}`);
  }

  async forget(): Promise<void> {}
}

t.test('each property runs its jobs once a day, at its own hour', async (t) => {
  // 03:30 in Lisbon and 21:30 of the day before in Denver, on the morning on which Lisbon puts its clocks forward.
  const world = new World('2027-03-28T02:30:00Z');
  const lisbon = { timezone: 'Europe/Lisbon', hour: 3 };
  for (const id of ['a', 'b', 'c']) world.properties.set(id, lisbon);
  world.properties.set('denver', { timezone: 'America/Denver', hour: 3 });
  await world.watch.look();
  await world.watch.look();
  t.same(world.worked, ['a 2027-03-28', 'b 2027-03-28', 'c 2027-03-28', 'denver 2027-03-27']);
  world.clock.pass(24 * 3_600_000 - 30 * 60_000 - 1);
  await world.watch.look();
  t.equal(world.worked.length, 5, 'in Lisbon it is 02:59 by the new time: only Denver has had its hour');
  world.clock.pass(30 * 60_000 + 1);
  await world.watch.look();
  t.equal(world.rows.has(`a OPTIMIZE_RATES ${dayOf('2027-03-29')}`), true);
});

t.test('a property that fails is retried, and delays no other', async (t) => {
  const world = new World('2027-03-10T12:00:00Z');
  for (const id of ['a', 'b']) world.properties.set(id, { timezone: 'UTC', hour: 3 });
  let broken = true;
  world.work = async (id) => {
    if (id === 'a' && broken) throw new Error('no');
  };
  await world.watch.look();
  t.same(world.worked, ['b 2027-03-10']);
  broken = false;
  await world.watch.look();
  t.same(world.worked, ['b 2027-03-10', 'a 2027-03-10']);
});

t.test('one run is active at a time, and a new one begins after the clock was moved', async (t) => {
  const world = new World('2027-03-10T12:00:00Z');
  world.properties.set('a', { timezone: 'UTC', hour: 3 });
  const [began, go] = [new Gate(), new Gate()];
  world.work = async () => {
    began.open();
    await go.opened;
  };
  const [one, two] = [world.watch.look(), world.watch.look()];
  await began.opened;
  world.clock.pass(24 * 3_600_000);
  const again = world.watch.lookAgain();
  go.open();
  await Promise.all([one, two, again]);
  t.same(world.worked, ['a 2027-03-10', 'a 2027-03-11']);
});

t.test('the day is closed once no-shows of every property are marked', async (t) => {
  const world = new World('2027-03-10T12:00:00Z');
  for (const id of ['a', 'b', 'c']) world.properties.set(id, { timezone: 'UTC', hour: 3 });
  const go = new Gate();
  world.marking = async (id) => {
    if (id === 'c') await go.opened;
  };
  const looked = world.watch.look();
  await untilTime(() => world.worked.length === 3, 'the job that waits for nobody');
  t.same(world.closed, ['no-shows a 2027-03-10', 'no-shows b 2027-03-10']);
  go.open();
  await looked;
  const audits = ['audit a 2027-03-10', 'audit b 2027-03-10', 'audit c 2027-03-10'];
  t.same(world.closed.slice(2), ['no-shows c 2027-03-10', ...audits]);
});

t.test('missed days are closed later, within the retention, and each once', async (t) => {
  const world = new World('2027-03-10T12:00:00Z');
  world.properties.set('a', { timezone: 'UTC', hour: 3 });
  await world.watch.look();
  world.clock.pass(9 * 24 * 3_600_000);
  await world.watch.look();
  t.same(world.closed.slice(2), ['no-shows a 2027-03-19', 'audit a 2027-03-19'], 'the newest day waits for none');
  world.closed.length = 0;
  await world.watch.makeUp();
  const days = ['18', '17', '16', '15', '14', '13'];
  t.same(
    world.closed,
    days.map((day) => `audit a 2027-03-${day}`),
  );
  await world.watch.makeUp();
  await world.watch.look();
  t.equal(world.closed.length, 6);
});

t.test('a long job does a part in each run, is done once, and delays no other', async (t) => {
  const world = new World('2027-03-10T12:00:00Z');
  for (const id of ['a', 'b']) world.properties.set(id, { timezone: 'UTC', hour: 3 });
  let parts = 3;
  world.audit = async (id) => id === 'b' || (parts -= 1) === 0;
  const audits = async () => {
    world.closed.length = 0;
    await world.watch.look();
    return world.closed.filter((one) => one.startsWith('audit')).map((one) => one.split(' ')[1]);
  };
  t.same(await audits(), ['a', 'b']);
  t.same(await audits(), ['a']);
  t.notOk(world.rows.has(`a NIGHT_AUDIT ${dayOf('2027-03-10')}`));
  t.same(await audits(), ['a']);
  t.ok(world.rows.has(`a NIGHT_AUDIT ${dayOf('2027-03-10')}`));
  t.same(await audits(), []);
});

t.test('a look gets on with every property, also with one that fails', async (t) => {
  const world = new World('2027-03-28T12:00:00Z');
  for (const id of ['one', 'two', 'three']) world.properties.set(id, { timezone: 'Europe/Berlin', hour: 3 });
  world.work = async (propertyId) => {
    if (propertyId === 'two') throw new Error('no');
  };
  await world.watch.look();
  t.equal(world.progressed, 3 * 7, 'each of seven jobs of each');
});
