import type { Client } from 'pg';
import t from 'tap';

import { Host } from '../../../actors/host.ts';
import { CompetitorWatch } from '../../competitors/jobs/competitor-watch.ts';
import { refreshCompetitors } from '../../competitors/operations/refresh-competitors.ts';
import { databaseCompetitorRates } from '../../competitors/storage/competitor-rates.ts';
import { CheckpointSweep } from '../../history/jobs/checkpoint-sweep.ts';
import { repeatRefunds } from '../../money/operations/send-refunds.ts';
import { remindGuests } from '../../notifications/operations/remind-guests.ts';
import { connect } from '../../platform/database/connection.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { RoundRegistry } from '../../platform/jobs/round-registry.ts';
import { finishErasures } from '../../privacy/operations/erase-guest.ts';
import { AnalyticsPush } from '../../revenue/jobs/analytics-push.ts';
import { DailyWatch } from '../../revenue/jobs/daily-watch.ts';
import { findLostOptimizations } from '../../revenue/operations/optimize-yield.ts';
import { pushReports } from '../../revenue/operations/push-reports.ts';
import { type OtbOfDay, auditNight } from '../../revenue/rules/night-audit.ts';
import { databaseAnalytics } from '../../revenue/storage/analytics.ts';
import { databaseDailyJobs } from '../../revenue/storage/daily-jobs.ts';
import { reconcileAttempts } from '../../stay/operations/reconcile-attempts.ts';
import { reconcilePayments } from '../../stay/operations/reconcile-payments.ts';
import { StoredHolds } from '../../stay/storage/hold-sweep.ts';
import { followTenant } from '../../tenants/operations/follow-tenant.ts';
import { signHeads } from '../../tenants/operations/sign-heads.ts';
import { DEFAULT_SETTINGS } from '../../tenants/rules/tenant.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { WHOLE } from '../../testing/cluster/whole-partition.ts';
import { FakeJobs } from '../../testing/jobs/fake-jobs.ts';
import { PostOffice } from '../../testing/partners/post-office.ts';
import { storedProperty } from '../../testing/stored-property.ts';
import type { Address } from '../rules/caller.ts';
import { dayOf } from '../rules/dates.ts';
import { ItemRunner } from './item-runner.ts';
import type { Services } from './services.ts';

const office = await PostOffice.open(t);
const { admin, url } = office.test;
const { clock } = office;
const database = await openDatabase(url);
const system: Client = await connect(url, 'innkeeper_system');
t.teardown(() => Promise.all([system.end(), database[Symbol.asyncDispose]()]));

const HOUR_MS = 3_600_000;
/** No runtime knows it. */
const NOWHERE = 'Mars/Olympus';
const TENANTS = ['a-good', 'b-bad', 'c-good'];

/** A round of its own, with what it says of its items. */
function round(name = 'round') {
  const registry = new RoundRegistry();
  const each = new ItemRunner(registry.register(name, 60_000), quiet);
  return { each, failed: (): readonly string[] => registry.figures()[0]!.failedItems ?? [] };
}

const tenants = { running: async () => TENANTS };

void t.test('daily jobs: a property whose zone or hour cannot be read', async (t) => {
  const done: string[] = [];
  const note = async ({ tenantId, propertyId }: Address): Promise<void> =>
    void done.push(`${tenantId}/${propertyId}`);
  const properties: Address[] = [];
  for (const tenantId of TENANTS) properties.push(await storedProperty(admin, tenantId));
  const zone = await storedProperty(admin, 'b-bad', { timezone: NOWHERE });
  const hour = await storedProperty(admin, 'b-bad', {
    policies: { nightAuditHour: 'late', autoAssignHour: 99, autoAssign: 'maybe' },
  });
  const word = await storedProperty(admin, 'b-bad', { timezone: null });
  properties.push(await storedProperty(admin, 'b-bad', { timezone: 'Asia/Tokyo' }));
  const { each, failed } = round();
  const watch = new DailyWatch({
    tenants,
    daily: databaseDailyJobs(database),
    clock: { now: Date.now },
    log: quiet,
    each,
    alone: async (_, work) => (await work(), true),
    work: {
      NO_SHOWS: note,
      NIGHT_AUDIT: note,
      LEARN_DEMAND: note,
      ASSIGN_ROOMS: note,
      OPTIMIZE_RATES: note,
      SWITCH_RATES: note,
      CHARGE_DUES: note,
    },
  });
  await admin.query(`update properties set created_at = now() - interval '10 days'`);
  await watch.look();
  for (const { tenantId, propertyId } of properties) t.ok(done.includes(`${tenantId}/${propertyId}`), propertyId);
  for (const { propertyId } of [zone, hour, word])
    t.ok(
      failed().some((item) => item.startsWith(`b-bad/${propertyId} `)),
      `${propertyId} in ${failed().join('; ')}`,
    );
  done.length = 0;
  await watch.makeUp();
  for (const { tenantId, propertyId } of properties)
    t.ok(done.includes(`${tenantId}/${propertyId}`), `made up ${propertyId}`);
});

void t.test(
  'competitor rates: a property whose zone cannot be read, and a tenant that cannot be looked at',
  async (t) => {
    const asked: string[] = [];
    const competitors = databaseCompetitorRates(database);
    const properties = [
      await storedProperty(admin, 'market'),
      await storedProperty(admin, 'market', { timezone: NOWHERE }),
    ];
    properties.push(await storedProperty(admin, 'market'));
    const services = {
      competitors,
      clock: { now: Date.now },
      log: quiet,
      settings: { of: async () => DEFAULT_SETTINGS },
      feeds: [
        {
          source: 'feed',
          read: async ({ to }: { to: Address }) => (asked.push(to.propertyId), { rates: [], malformed: 0 }),
        },
      ],
      properties: { view: async () => ({ isDynamic: false }), execute: async () => undefined },
    } as unknown as Services;
    const run = { id: 'job', signal: new AbortController().signal, progress: async () => undefined };
    const failures: string[] = [];
    const refresh = () =>
      refreshCompetitors(services, { tenantId: 'market', since: Date.now() + 1 }, run, (item) => failures.push(item));
    await admin.query(`update properties set created_at = now() - interval '1 day' where tenant_id = 'market'`);
    t.same(await refresh(), { asked: 3, failed: 1 });
    t.same(asked.toSorted(), [properties[0]!.propertyId, properties[2]!.propertyId]);
    t.same(failures, [`market/${properties[1]!.propertyId}`]);
    t.match(await competitors.overview('market', ['feed']), [{ queried: 3, failing: 1, error: /log says more/ }]);
    const { each, failed } = round();
    const jobs = new FakeJobs();
    const overview = async (tenantId: string): Promise<unknown> => {
      if (tenantId === 'b-bad') throw new Error('bad row');
      return [{ source: 'feed', properties: 1, queried: 0, failing: 0, rates: 0, leftOut: {} }];
    };
    const watch = new CompetitorWatch({
      tenants,
      feeds: [{ source: 'feed' }],
      jobs,
      clock,
      each,
      competitors: { overview } as never,
    });
    t.equal((await watch.look()).length, 2);
    t.same(failed(), ['b-bad']);
  },
);

void t.test('notifications: reminders past a bad clock and a bad booking, reading past a bad row', async (t) => {
  const good = await office.property('tell');
  const bad = await office.property('tell');
  const booked = [await office.booked(good), await office.booked(good), await office.booked(bad)];
  await admin.query(`update properties set metadata = metadata || $1 where tenant_id = 'tell' and property_id = $2`, [
    { timezone: NOWHERE },
    bad.to.propertyId,
  ]);
  await admin.query(`update reservations set details = $1 where id = $2`, [
    { ...booked[1], timeline: [{ event: 'CREATED', timestamp: 'yesterday' }] },
    booked[1]!.id,
  ]);
  clock.pass(47 * HOUR_MS);
  const { each, failed } = round();
  await remindGuests(office.posting({ each }), 'tell');
  const made = await admin.query<{ id: string }>(
    `select reservation_id as id from notifications where tenant_id = 'tell' and kind = 'REMINDER'`,
  );
  t.same(made.rows.map(({ id }) => id).toSorted(), [booked[0]!.id, booked[1]!.id].toSorted());
  t.same(failed(), [`tell/${bad.to.propertyId} reminders`]);
  const other = await office.property('tell');
  const last = await office.booked(other);
  // A row that names no reservation, in the middle of a page of three properties.
  await admin.query(
    `update journal set facts = jsonb_set(facts::jsonb, '{bookings,0,1}', '"no-id"')::json
     where tenant_id = 'tell' and property_id = $1 and facts::jsonb ? 'bookings'`,
    [bad.to.propertyId],
  );
  const reading = round();
  await office.gather('tell', office.posting({ each: reading.each }));
  const notified = await admin.query<{ id: string }>(
    `select reservation_id as id from notifications where tenant_id = 'tell' and kind = 'CONFIRMATION'`,
  );
  t.same(notified.rows.map(({ id }) => id).toSorted(), [booked[0]!.id, booked[1]!.id, last.id].toSorted());
  t.match(reading.failed(), [new RegExp(`^tell/${bad.to.propertyId} row \\d+$`)]);
});

void t.test('notifications: a property whose position cannot be written', async (t) => {
  const good = await office.property('write');
  const bad = await office.property('write');
  for (const property of [good, bad]) await office.booked(property);
  const { notifications } = office;
  const take: typeof notifications.take = async (tenantId, read, made) => {
    if (read.some(({ propertyId }) => propertyId === bad.to.propertyId)) throw new Error('22P02');
    return notifications.take(tenantId, read, made);
  };
  const { each, failed } = round();
  t.not(await office.gather('write', office.posting({ notifications: { ...notifications, take }, each })), 'MORE');
  t.match(await office.rows('write'), [{ kind: 'CONFIRMATION' }]);
  t.same(failed(), [`write/${bad.to.propertyId} notifications`]);
});

void t.test('expired holds: a property that cannot be activated', async (t) => {
  const bad = await office.property('holds');
  const good = await office.property('holds');
  const host = new Host({ store: office.store, clock, log: quiet, lanes: 1, mayOwn: () => true });
  t.teardown(() => host[Symbol.asyncDispose]());
  for (const { to } of [bad, good])
    await admin
      .query(
        `insert into holds (tenant_id, property_id, id, kind, room_type, check_in, check_out, expires_at)
       values ($1, $2, gen_random_uuid(), 'EXPLICIT', 'STD', '2026-06-05', '2026-06-06', to_timestamp($3 / 1000.0))`,
        [to.tenantId, to.propertyId, clock.now() - HOUR_MS],
      )
      .catch((error: unknown) => t.fail(String(error)));
  await admin.query(
    `update properties set metadata = metadata || $1 where tenant_id = 'holds' and property_id = $2`,
    [{ timezone: NOWHERE }, bad.to.propertyId],
  );
  const holds = new StoredHolds(async () => system, database, WHOLE);
  const { each, failed } = round();
  await reconcilePayments({ holds, clock, log: quiet, properties: host } as unknown as Services, each);
  t.ok(
    host.residents().some(({ to }) => to.propertyId === good.to.propertyId),
    'the other was activated',
  );
  t.same(failed(), [`holds/${bad.to.propertyId} holds`]);
});

void t.test(
  'payments, attempts and refunds: one that cannot be settled, and a tenant that cannot be read',
  async (t) => {
    const at = (propertyId: string, tenantId = 'acme') => ({
      to: { tenantId, propertyId },
      reservationId: `r-${propertyId}`,
    });
    const settled: string[] = [];
    const openOf = async (tenantId: string) => {
      if (tenantId === 'b-bad') throw new Error('bad row');
      return ['one', 'bad', 'two'].map((propertyId) => at(propertyId, tenantId));
    };
    const get = async (tenantId: string, reservationId: string) => {
      if (reservationId === 'r-bad') throw new TypeError('cannot read');
      settled.push(`${tenantId} ${reservationId}`);
      return undefined;
    };
    const openPayments = { tenants: async () => TENANTS, attempts: openOf, refunds: openOf };
    const services = { openPayments, clock, log: quiet, reservations: { get } } as unknown as Services;
    for (const work of [reconcileAttempts, repeatRefunds]) {
      const { each, failed } = round();
      settled.length = 0;
      await work(services, each);
      t.same(settled, ['a-good r-one', 'a-good r-two', 'c-good r-one', 'c-good r-two'], work.name);
      t.same(failed(), ['a-good/bad reservation r-bad', 'b-bad', 'c-good/bad reservation r-bad']);
    }
    const holds = {
      expired: async () => [],
      unsettled: async () => ['one', 'bad', 'two'].map((holdId) => ({ to: at('p').to, holdId })),
      hold: async (_: Address, holdId: string) => {
        if (holdId === 'bad') throw new TypeError('cannot read');
        settled.push(holdId);
      },
    };
    const { each, failed } = round();
    settled.length = 0;
    await reconcilePayments({ ...services, holds } as unknown as Services, each);
    t.same([settled, failed()], [['one', 'two'], ['acme/p hold bad']]);
  },
);

const BOOKS: OtbOfDay = {
  sold: [{ roomType: 'STD', rooms: 2, revenue: 20_001, taxes: 2_000, fees: 400 }],
  due: { reservations: 3, cancelled: 1, noShows: 1, awaited: 0, overstayed: 0 },
  arrivals: 2,
  departures: 1,
  bookings: [],
  charges: 1_250,
  penalties: { revenue: 0, taxes: 0 },
  payments: [],
  refunds: { count: 0, amount: 0 },
};

void t.test('reports: one that cannot be written, and a tenant that cannot be read', async (t) => {
  const analytics = databaseAnalytics(database);
  const date = dayOf('2027-03-10');
  for (const n of [0, 1, 2]) {
    const content = auditNight(date + n, 'EUR', BOOKS, { after: [], before: [] });
    const id = `00000000-0000-4000-8000-00000000000${n}`;
    await analytics.store({ tenantId: 'report', propertyId: 'p' }, { id, content, metrics: [] });
  }
  await admin.query(
    `update analytics_reports set content = '7' where tenant_id = 'report' and period_start = '2027-03-11'`,
  );
  const keys: unknown[] = [];
  const service = { push: async ({ body }: { body: unknown }) => (keys.push(body), { outcome: 'SENT' as const }) };
  const failures: string[] = [];
  const pushing = {
    analytics,
    service,
    clock: { now: Date.now },
    log: quiet,
    failed: (item: string) => failures.push(item),
  };
  const { signal } = new AbortController();
  t.match(await pushReports(pushing, 'report', signal), { pushed: 2 });
  t.match(failures, [/^report\/p report 00000000-/]);
  t.match(await pushReports(pushing, 'report', signal), { pushed: 0 });
  t.equal(failures.length, 1, 'it is not tried at once again');
  const { each, failed } = round();
  const pushed: string[] = [];
  const push = new AnalyticsPush({
    tenants,
    log: quiet,
    each,
    push: async (tenantId) => {
      if (tenantId === 'b-bad') throw new Error('bad row');
      pushed.push(tenantId);
      return { pushed: 1, partner: 'ANSWERS' };
    },
  });
  await push.look();
  t.same([pushed, failed()], [['a-good', 'c-good'], ['b-bad']]);
});

void t.test('signed heads, erasures, lost optimizations, checkpoints, tenants: one that fails', async (t) => {
  const done: string[] = [];
  const unlessBad = async (name: string): Promise<never[]> => {
    if (name.includes('bad')) throw new Error('bad row');
    done.push(name);
    return [];
  };
  const keepHeads = (tenantId: string) => unlessBad(tenantId);
  const signing = round();
  await signHeads({ clock, log: quiet, tenants, keepHeads, signed: {} } as never, signing.each);
  t.same([done.splice(0), signing.failed()], [['a-good', 'c-good'], ['b-bad']]);

  const erasing = round();
  const guestErasure = {
    unfinished: async () => ['g1', 'g-bad', 'g2'],
    remaining: (_: string, id: string) => unlessBad(id),
    namesToClear: async () => undefined,
    clearAnswers: async () => undefined,
    end: async () => undefined,
    vacuumSoon: () => undefined,
  };
  const deskNotes = { replaceTexts: async () => undefined };
  const guestNotes = { forget: async () => undefined };
  await finishErasures({ guestErasure, guestNotes, deskNotes, log: quiet } as never, 'acme', erasing.each);
  t.same([done.splice(0), erasing.failed()], [['g1', 'g2'], ['acme guest g-bad']]);

  const losing = round();
  const optimizations = { running: async () => ['o1', 'o-bad', 'o2'] };
  const jobs = { find: async (_: string, id: string) => (await unlessBad(id), { state: 'RUNNING' }) };
  await findLostOptimizations({ optimizations, jobs, clock, log: quiet } as never, 'acme', losing.each);
  t.same([done.splice(0), losing.failed()], [['o1', 'o2'], ['acme optimization o-bad']]);

  const keeping = round();
  const resident = (propertyId: string) => ({ to: { tenantId: 'acme', propertyId }, view: { seq: 9_999 } });
  const sweep = new CheckpointSweep({
    properties: { residents: () => ['p1', 'p-bad', 'p2'].map(resident) as never },
    checkpoints: { newest: async ({ propertyId }: Address) => (await unlessBad(propertyId), 9_999) } as never,
    log: quiet,
  });
  await sweep.run(keeping.each);
  t.same([done.splice(0), keeping.failed()], [['p1', 'p2'], ['acme/p-bad']]);

  const following = round();
  const properties = { execute: ({ propertyId }: Address) => unlessBad(propertyId) };
  const property = (propertyId: string) => ({
    propertyId,
    metadata: { policies: { depositPercent: 0 }, ownPolicies: {} },
  });
  const propertyReader = { list: async () => ({ items: ['p1', 'p-bad', 'p2'].map(property) }) };
  const settings = { policies: async () => ({ depositPercent: 30 }) };
  const follow = { propertyReader, properties, settings, log: quiet } as never;
  t.equal(await followTenant(follow, 'acme', undefined, following.each), 2);
  t.same([done.splice(0), following.failed()], [['p1', 'p2'], ['acme/p-bad']]);
});
