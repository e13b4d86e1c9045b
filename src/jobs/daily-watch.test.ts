import t from 'tap';
import { quiet } from '../../actors/testing/running-host.ts';
import { dayOf, formatDay } from '../domain/dates.ts';
import type { DailyClock, DailyJobs } from '../ports/daily-jobs.ts';
import { FakeClock, Gate } from '../testing/fake-clock.ts';
import { DailyWatch } from './daily-watch.ts';

/** Houses with their clocks, what has been done for them, and whoever does it. */
class World implements DailyJobs {
  readonly clock: FakeClock;
  readonly houses = new Map<string, DailyClock>();
  readonly rows = new Set<string>();
  readonly worked: string[] = [];
  work: (propertyId: string) => Promise<void> = async () => {};
  readonly watch: DailyWatch;

  constructor(now: string) {
    this.clock = new FakeClock(Date.parse(now));
    const tenants = { running: async () => ['acme'] };
    const { clock } = this;
    this.watch = new DailyWatch({
      ...{ tenants, daily: this, clock, log: quiet },
      work: {
        NO_SHOWS: async () => {},
        ASSIGN_ROOMS: async () => {},
        OPTIMIZE_RATES: async ({ propertyId }, date) => {
          await this.work(propertyId);
          this.worked.push(`${propertyId} ${formatDay(date)}`);
        },
      },
    });
  }

  async clocks(): Promise<DailyClock[]> {
    return [...this.houses.values()];
  }

  async due(...[, job, clock, date, after = '']: Parameters<DailyJobs['due']>): Promise<string[]> {
    if (job !== 'OPTIMIZE_RATES') return [];
    const all = [...this.houses].filter(([id, of]) => of === clock && id > after && !this.rows.has(`${id} ${date}`));
    return all.map(([id]) => id).slice(0, 2);
  }

  async done(...[to, , date]: Parameters<DailyJobs['done']>): Promise<void> {
    this.rows.add(`${to.propertyId} ${date}`);
  }

  async forget(): Promise<void> {}
}

t.test('each house has its turn once a day, when its own hour has come', async (t) => {
  // 03:30 in Lisbon and 21:30 of the day before in Denver, on the morning on which Lisbon puts its clocks forward.
  const world = new World('2027-03-28T02:30:00Z');
  const lisbon = { timezone: 'Europe/Lisbon', hour: 3 };
  for (const id of ['a', 'b', 'c']) world.houses.set(id, lisbon);
  world.houses.set('denver', { timezone: 'America/Denver', hour: 3 });
  await world.watch.look();
  await world.watch.look();
  t.same(world.worked, ['a 2027-03-28', 'b 2027-03-28', 'c 2027-03-28', 'denver 2027-03-27']);
  world.clock.pass(24 * 3_600_000 - 30 * 60_000 - 1);
  await world.watch.look();
  t.equal(world.worked.length, 5, 'in Lisbon it is 02:59 by the new time: only Denver has had its hour');
  world.clock.pass(30 * 60_000 + 1);
  await world.watch.look();
  t.equal(world.rows.has(`a ${dayOf('2027-03-29')}`), true);
});

t.test('a house that fails is tried again, and holds up nobody', async (t) => {
  const world = new World('2027-03-10T12:00:00Z');
  for (const id of ['a', 'b']) world.houses.set(id, { timezone: 'UTC', hour: 3 });
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

t.test('there is one look at a time, and one that begins after the clock was moved', async (t) => {
  const world = new World('2027-03-10T12:00:00Z');
  world.houses.set('a', { timezone: 'UTC', hour: 3 });
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
