import t from 'tap';

import type { Delivery } from '../../kernel/ports.ts';
import { dayOf } from '../../kernel/rules/dates.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import type { Push, PushAttempt, UnpushedReport } from '../ports.ts';
import { type OtbOfDay, auditNight } from '../rules/night-audit.ts';
import { pushReports } from './push-reports.ts';

const DATE = dayOf('2027-03-10');
const alive = new AbortController().signal;

const BOOKS: OtbOfDay = {
  sold: [{ roomType: 'STD', rooms: 2, revenue: 20_001, taxes: 2_000, fees: 400 }],
  due: { reservations: 3, cancelled: 1, noShows: 1, awaited: 0, overstayed: 0 },
  arrivals: 2,
  departures: 1,
  bookings: [{ arrival: DATE + 2, booked: 2, cancelled: 1 }],
  charges: 1_250,
  penalties: { revenue: 9_000, taxes: 900 },
  payments: [{ method: 'CASH', count: 1, amount: 5_000 }],
  refunds: { count: 0, amount: 0 },
};

/** A scripted partner, and waiting reports. */
class World {
  readonly clock = new FakeClock();
  readonly pushes: Push[] = [];
  readonly noted: PushAttempt[] = [];
  reports: UnpushedReport[];
  answers: Delivery[] = [];

  constructor(count: number, attempts = 0) {
    this.reports = Array.from({ length: count }, (_, n) => ({
      id: `report-${n}`,
      propertyId: 'grand',
      type: 'NIGHT_AUDIT',
      completedAt: 1_000,
      attempts,
      content: auditNight(DATE + n, 'EUR', BOOKS, { after: [], before: [] }),
    }));
  }

  run() {
    const analytics = {
      unpushed: async () => this.reports,
      attempted: async (_: string, attempt: PushAttempt) => void this.noted.push(attempt),
    };
    const push = async (one: Push): Promise<Delivery> => {
      this.pushes.push(one);
      return this.answers.shift() ?? { outcome: 'SENT' };
    };
    const { clock } = this;
    return pushReports({ analytics: analytics as never, service: { push }, clock, log: quiet }, 'acme', alive);
  }
}

t.test('a report goes out with tenant, figures and content, and nothing of a guest', async (t) => {
  const world = new World(1);
  t.same(await world.run(), { pushed: 1, partner: 'ANSWERS' });
  const { body } = JSON.parse(JSON.stringify(world.pushes[0])) as { body: { metrics: unknown[] } };
  t.match(body, {
    tenantId: 'acme',
    propertyId: 'grand',
    reportId: 'report-0',
    reportType: 'NIGHT_AUDIT',
    date: '2027-03-10',
    report: {
      date: '2027-03-10',
      currency: 'EUR',
      roomsSold: 2,
      adr: 100.01,
      roomRevenue: 200.01,
      cancellationRate: 33.33,
      revenue: { rooms: 200.01, additionalCharges: 16.5, penalties: 90, taxes: 29, total: 335.51 },
      pickupByArrival: [{ date: '2027-03-12', booked: 2, cancelled: 1, pickup: 1 }],
    },
  });
  t.strictSame(body.metrics[1], {
    propertyId: 'grand',
    metricType: 'ADR',
    metricValue: 100.01,
    date: '2027-03-10',
    granularity: 'DAY',
    dimensions: {},
  });
  t.equal(body.metrics.length, 10);
  t.same(world.noted, [{ id: 'report-0', completedAt: 1_000, pushedAt: world.clock.now() }]);
});

t.test('each attempt of a report has the same key, a changed report has another', async (t) => {
  const world = new World(1);
  world.answers = [{ outcome: 'AWAY', reason: 'no' }];
  await world.run();
  await world.run();
  world.reports[0]!.content = { ...world.reports[0]!.content, currency: 'USD' };
  await world.run();
  const keys = world.pushes.map(({ key }) => key);
  t.equal(keys[0], keys[1]);
  t.not(keys[1], keys[2]);
});

t.test('reports wait while the partner is away; a rejected report delays no other', async (t) => {
  const world = new World(3);
  world.answers = [
    { outcome: 'REFUSED', reason: 'it answers 400' },
    { outcome: 'AWAY', reason: 'it answers 503' },
  ];
  t.same(await world.run(), { pushed: 0, partner: 'AWAY' });
  t.equal(world.pushes.length, 2);
  const dueAt = world.clock.now() + 60_000;
  t.same(world.noted, [
    { id: 'report-0', completedAt: 1_000, attempts: 1, dueAt },
    { id: 'report-1', completedAt: 1_000, attempts: 1, dueAt },
  ]);
});

t.test('a rejected report is retried at growing intervals, and never given up', async (t) => {
  for (const [attempts, minutes] of [
    [1, 2],
    [2, 4],
    [8, 256],
    [9, 360],
    [1_000, 360],
  ] as const) {
    const world = new World(1, attempts);
    world.answers = [{ outcome: 'AWAY', reason: 'no' }];
    await world.run();
    t.match(world.noted, [{ attempts: attempts + 1, dueAt: world.clock.now() + minutes * 60_000 }]);
  }
});
