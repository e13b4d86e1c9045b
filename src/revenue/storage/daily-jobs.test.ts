import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { storedProperty } from '../../testing/stored-property.ts';
import { databaseDailyJobs } from './daily-jobs.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const daily = databaseDailyJobs(database);
const DATE = dayOf('2027-03-28');

async function dynamicProperty(tenantId: string, metadata: object = {}): Promise<string> {
  const { propertyId } = await storedProperty(admin, tenantId, metadata);
  await admin.query(
    `insert into rates (tenant_id, id, property_id, code, name, strategy) values ($1, gen_random_uuid(), $2, 'DYN', 'Dynamic', 'DYNAMIC')`,
    [tenantId, propertyId],
  );
  return propertyId;
}

t.test('each clock of properties with the job is listed once', async (t) => {
  await storedProperty(admin, 'clocks', { timezone: 'Asia/Tokyo' });
  await dynamicProperty('clocks');
  await dynamicProperty('clocks');
  await dynamicProperty('clocks', { timezone: 'America/Denver', policies: { nightAuditHour: 5 } });
  const clocks = await daily.clocks('clocks', 'OPTIMIZE_RATES');
  t.same(clocks.map(({ timezone, hour, properties = [] }) => `${timezone} ${hour} ${properties.length}`).toSorted(), [
    'America/Denver 5 1',
    'Europe/Lisbon 3 2',
  ]);
});

t.test('a job is due until it is done, each day anew, in its tenant', async (t) => {
  const clock = { timezone: 'Europe/Lisbon', hour: 3 };
  const [one, two] = [await dynamicProperty('acme'), await dynamicProperty('acme')];
  const due = (date = DATE, after?: string) => daily.due('acme', 'OPTIMIZE_RATES', clock, date, after);
  t.same(await due(), [one, two]);
  t.same(await due(DATE, one), [two]);
  const to = { tenantId: 'acme', propertyId: one };
  t.notOk(await daily.isDone(to, 'OPTIMIZE_RATES', DATE));
  await daily.done(to, 'OPTIMIZE_RATES', DATE);
  t.ok(await daily.isDone(to, 'OPTIMIZE_RATES', DATE));
  await daily.done(to, 'OPTIMIZE_RATES', DATE);
  t.same(await due(), [two]);
  t.same(await due(DATE + 1), [one, two]);
  t.same(await daily.due('rival', 'OPTIMIZE_RATES', clock, DATE), []);
  await daily.forget('acme', DATE);
  t.same(await due(), [two], 'not before');
  await daily.forget('acme', DATE + 1);
  t.same(await due(), [one, two]);
});

t.test('a day is closed for properties that existed before it ended, within the retention', async (t) => {
  const clock = { timezone: 'Europe/Lisbon', hour: 3 };
  const { propertyId } = await storedProperty(admin, 'closing');
  // A minute before the roll from the 26th to the 27th, by Lisbon's winter time.
  const born = `update properties set created_at = $1 where tenant_id = 'closing'`;
  await admin.query(born, ['2027-03-27T02:59:00Z']);
  const due = (date: number) => daily.due('closing', 'NIGHT_AUDIT', clock, date);
  const missed = async (date: number) =>
    (await daily.missed('closing', 'NIGHT_AUDIT', clock, date)).map((one) => one.date);
  t.same(await due(DATE - 2), []);
  t.same(await due(DATE - 1), [propertyId]);
  t.same(await missed(DATE), [DATE - 1]);
  await admin.query(born, ['2027-03-27T03:00:00Z']);
  t.same(await due(DATE - 1), [], 'it was not there on the 26th');
  t.same(await due(DATE), [propertyId]);
  await admin.query(born, ['2026-01-01T00:00:00Z']);
  await daily.done({ tenantId: 'closing', propertyId }, 'NIGHT_AUDIT', DATE - 3);
  await daily.done({ tenantId: 'closing', propertyId }, 'NO_SHOWS', DATE - 4);
  t.same(await missed(DATE), [DATE - 1, DATE - 2, DATE - 4, DATE - 5, DATE - 6]);
  t.same(await daily.missed('rival', 'NIGHT_AUDIT', clock, DATE), []);
  t.same(await daily.missed('closing', 'NIGHT_AUDIT', { ...clock, hour: 4 }, DATE), []);
});
