import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';

import { DEMO_PROPERTIES, type DemoProperty } from '../../demo/rules/hotels.ts';
import { databaseDemoStates } from '../../demo/storage/demo-states.ts';
import { gridAt } from '../../history/operations/rebuild-grid.ts';
import { PastGrid } from '../../history/rules/past-grid.ts';
import type { Services } from '../../kernel/operations/services.ts';
import { endOfBusinessDay } from '../../kernel/rules/property-time.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { connect } from '../../platform/database/connection.ts';
import { databaseLogins } from '../../platform/database/logins.ts';
import { databaseLocks } from '../../platform/database/node-locks.ts';
import { createLog, Loggers } from '../../platform/telemetry/telemetry.ts';
import { auditProperty } from '../../property-store/operations/audit-property.ts';
import { auditMoney } from '../../stay/operations/audit-money.ts';
import { seedTenants } from '../../tenants/storage/seed-tenants.ts';
import { type Teardown, withTestDatabase } from '../../testing/database.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { openContext } from '../context.ts';
import { LivingDemo } from './living-demo.ts';

/** The city hotel with fewer rooms, and a past of four months. */
const [CITY] = DEMO_PROPERTIES;
const SMALL: DemoProperty = {
  ...CITY!,
  types: CITY!.types.map((type) => ({ ...type, rooms: type.rooms / 10 })),
};
const DAYS = { all: 130, journal: 90, recent: 14 };
const TO = { tenantId: SMALL.tenantId, propertyId: SMALL.propertyId };
const CALLER = { tenantId: 'demo', subject: 'owner', role: 'OWNER' as const, requestId: 'audit' };

type Night = { came: boolean; arrival: number; departure: number };
/** Guests who had a room; who did not come had it on the night of the arrival. */
const STAYS = `
  select status <> 'NO_SHOW' as came, check_in - date '1970-01-01' as arrival,
    case status when 'NO_SHOW' then check_in + 1 else check_out end - date '1970-01-01' as departure
  from reservations where status in ('CHECKED_OUT', 'CHECKED_IN', 'NO_SHOW')`;

type Test = Teardown & Pick<typeof t, 'same' | 'equal' | 'ok'>;

async function opened(test: Test & { teardown(handler: () => Promise<void>): unknown }) {
  const { url } = await withTestDatabase(test);
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-demo-'));
  const ports = { NODE_ENV: 'development', DATA_DIR: folder, DATABASE_URL: url, DEMO: 'empty' };
  const config = loadConfig(ports);
  const log = createLog({ level: 'silent', name: 'demo' });
  const context = await openContext(config, new Loggers(log));
  const { services, database } = context;
  const system = await connect(url, 'innkeeper_system');
  test.teardown(async () => {
    await system.end();
    await context[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  await seedTenants(database, [{ tenantId: 'demo', name: 'Demo Hotels', type: 'CHAIN', users: [] }]);
  const states = databaseDemoStates(database);
  const logins = databaseLogins(config);
  const living = (): LivingDemo =>
    new LivingDemo({
      services,
      states,
      log,
      nodeId: context.node.nodeId,
      secretKeys: config.secretKeys,
      databaseUrl: logins.app,
      ownerUrl: logins.owner,
      system: async () => system,
      alone: databaseLocks(async () => system),
      pace: 'OFF',
      days: DAYS,
      properties: [SMALL],
    });
  const isClean = async (test: Test, when: string): Promise<void> => {
    const { violations, oversold } = await auditProperty(services, CALLER, TO.propertyId);
    test.same({ violations, oversold }, { violations: [], oversold: [] }, `inventory and revenue ${when}`);
    const money = await auditMoney(services, TO);
    test.same(money.violations, [], `money ${when}`);
  };
  const count = async (table: string): Promise<number> => {
    const sql = `select count(*)::int as n from ${table}`;
    const rows = await database.readTenant('demo', (em) => em.execute<{ n: number }[]>(sql));
    return rows[0]!.n;
  };
  const stays = (): Promise<Night[]> => database.readTenant('demo', (em) => em.execute<Night[]>(STAYS));
  return { services, states, living, isClean, count, stays };
}

/** Time travel to nights of the summed and of the detailed journal knows the rooms and the revenue of their stays. */
async function asItWas(t: Pick<Test, 'equal' | 'ok'>, services: Services, stays: readonly Night[]): Promise<void> {
  const today = (await services.properties.view(TO)).businessDate;
  for (const ago of [60, 30, 5]) {
    const night = today - ago;
    const at = endOfBusinessDay(night, { timezone: SMALL.timezone, nightAuditHour: 3 }) - 1_000;
    const was = await services.archive.read(TO, (journal) => gridAt(services, journal, at));
    const grid = new PastGrid(was!.grid);
    const booked = grid.cells(night, night).reduce((sum, cell) => sum + cell.booked, 0);
    const slept = stays.filter(({ arrival, departure }) => arrival <= night && departure > night).length;
    t.equal(booked, slept, `rooms ${ago} days ago`);
    const { revenue } = grid.books.find(({ day }) => day === night)!;
    t.ok(revenue > slept * 8_000, `revenue ${ago} days ago: ${revenue}`);
  }
}

void t.test('a hotel with a past is without a difference, also when it is killed between two parts', async (t) => {
  const { services, states, living, isClean, count, stays } = await opened(t);
  {
    await using first = living();
    await first.begin();
    await isClean(t, 'before the older past is there');
    await untilTime(async () => (await states.of('demo'))[0]!.partsDone >= 1, 'the first part');
  }
  const [killed] = await states.of('demo');
  t.ok(killed!.partsDone >= 1 && killed!.partsDone < killed!.parts, 'it was ended in the middle');
  await isClean(t, 'in the middle');
  {
    await using second = living();
    await second.begin();
    t.match(second.progress, { 'harbor-hotel': /^part \d of \d$/ }, 'health says that it goes on');
    await second.completed();
    t.same(second.progress, {});
  }
  const [done] = await states.of('demo');
  t.equal(done!.partsDone, done!.parts);
  t.equal(done!.beganAt, killed!.beganAt, 'the same past');
  await isClean(t, 'when all is there');
  const audits = await services.analytics.list('demo', { propertyId: TO.propertyId }, 200);
  t.equal(audits.items.length, DAYS.journal, 'each day of the journal has its night audit');
  t.same(
    audits.items.flatMap(({ content }) => content.leftOut ?? []),
    [],
    'and each audit knows of all guests',
  );
  const all = await stays();
  const sold = (date: number): number =>
    all.filter(({ came, arrival, departure }) => came && arrival <= date && departure > date).length;
  const wrong = audits.items.filter(({ content: { date, house } }) => house.roomsSold !== sold(date));
  t.same(wrong, [], 'and has sold the rooms of all guests, also of those who left much later');
  await asItWas(t, services, all);
  const before = await count('reservations');
  {
    await using third = living();
    await third.begin();
    await third.completed();
  }
  t.equal(await count('reservations'), before, 'a later start writes nothing');
});

void t.test('a property that was there before is left as it is', async (t) => {
  const { services, states, living, count } = await opened(t);
  const { creationOfDemo } = await import('../../demo/operations/set-up-commands.ts');
  const envelope = { subject: 'owner', requestId: 'r', deadline: Infinity };
  await services.properties.execute(TO, { command: creationOfDemo(SMALL, {}), ...envelope });
  await using demo = living();
  await demo.begin();
  await demo.completed();
  t.same(await states.of('demo'), []);
  t.equal(await count('reservations'), 0);
});
