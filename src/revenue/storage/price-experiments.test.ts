import { randomUUID } from 'node:crypto';
import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import type { PriceExperiment } from '../rules/price-experiments/price-experiment.ts';
import { databasePriceExperiments } from './price-experiments.ts';

const { url, admin } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const experiments = databasePriceExperiments(database);

const TO = { tenantId: 'acme', propertyId: 'anchor' };
const BY = { tenantId: 'acme', subject: 'boss', requestId: 'r' };
const FIRST = dayOf('2027-03-05');
const at = (text: string): number => Date.parse(text);

const experiment = (over: Partial<PriceExperiment> = {}): PriceExperiment => ({
  id: randomUUID(),
  propertyId: 'anchor',
  name: 'Weekends',
  rateCode: 'BAR',
  treatment: { strategy: 'WEEKEND', strategyRules: { weekendPercent: 20 } },
  control: { strategy: 'FIXED', strategyRules: undefined },
  first: FIRST,
  blockDays: 2,
  settleDays: 1,
  arms: ['TREATMENT', 'CONTROL', 'CONTROL', 'TREATMENT'],
  status: 'RUNNING',
  days: [],
  createdAt: at('2027-03-01T10:00:00.123Z'),
  createdBy: 'boss',
  ...over,
});

t.test('an experiment is read as it was written, with the days on which rates were switched', async (t) => {
  const one = experiment();
  await experiments.create(BY, one);
  t.same(await experiments.find('acme', one.id), one);
  t.equal(await experiments.find('rival', one.id), undefined);
  await t.rejects(experiments.create(BY, experiment()), { code: 'ALREADY_EXISTS' });
  await experiments.create(BY, experiment({ propertyId: 'other' }));
  const days = [
    { day: FIRST, arm: 'TREATMENT' as const, at: at('2027-03-05T03:00:10Z') },
    { day: FIRST + 1, arm: 'CONTROL' as const, at: at('2027-03-06T03:00:10Z') },
  ];
  for (const day of days) await experiments.switched(TO, one.id, day);
  t.same((await experiments.running(TO))?.days, days);
  await experiments.end(BY, one.id, { status: 'STOPPED', reason: 'PLAN_CHANGED' });
  t.match(await experiments.list(TO), [{ id: one.id, status: 'STOPPED', stopReason: 'PLAN_CHANGED', days }]);
  t.equal(await experiments.running(TO), undefined);
  await t.rejects(experiments.end(BY, one.id, { status: 'COMPLETED' }), { code: 'INVALID_STATE' });
  const { rows } = await admin.query(
    `select action from administration_journal where tenant_id = 'acme' and entity = 'priceExperiment' and entity_id = $1 order by seq`,
    [one.id],
  );
  t.same(rows, [{ action: 'CREATED' }, { action: 'STOPPED' }]);
});

t.test('bookings count on the day of sale on which they were made, unless they were cancelled', async (t) => {
  await admin.query(`set session_replication_role = 'replica'`);
  const stay = (createdAt: string, nights: number, amount: number, over: object = {}): Promise<unknown> =>
    admin.query(
      `insert into reservations (tenant_id, id, property_id, confirmation_number, status, check_in, check_out, nights,
         adults, currency, base_amount, total_amount, balance_due, group_id, created_at)
       select 'acme', gen_random_uuid(), 'anchor', left(gen_random_uuid()::text, 20), coalesce(o ->> 'status', 'CONFIRMED')::reservation_status,
         '2027-06-01'::date, '2027-06-01'::date + $2::int, $2::int, 1, coalesce(o ->> 'currency', 'EUR'), $3, $3, $3, (o ->> 'group')::uuid, $1
       from (select $4::json as o) given`,
      [createdAt, nights, amount, JSON.stringify(over)],
    );
  await stay('2027-03-05T02:59:59Z', 1, 1_000);
  await stay('2027-03-05T03:00:00Z', 2, 200);
  await stay('2027-03-06T02:59:00Z', 1, 99.5);
  await stay('2027-03-05T12:00:00Z', 1, 500, { status: 'CANCELLED' });
  await stay('2027-03-05T12:00:00Z', 1, 500, { group: randomUUID() });
  await stay('2027-03-05T12:00:00Z', 1, 60_000, { currency: 'JPY' });
  await stay('2027-03-07T12:00:00Z', 3, 300);
  await stay('2027-03-08T03:00:00Z', 1, 1_000);
  const starts = ['05', '06', '07', '08'].map((day) => at(`2027-03-${day}T03:00:00Z`));
  const booked = await experiments.booked(TO, starts, 'EUR');
  t.same(
    booked.toSorted((one, other) => one.index - other.index),
    [
      { index: 0, rooms: 3, revenue: 29_950 },
      { index: 2, rooms: 3, revenue: 30_000 },
    ],
  );
});
