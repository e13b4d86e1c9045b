import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import { openDatabase } from '../../platform/database/database.ts';
import type { CountedCell } from '../../rates/ports.ts';
import { databaseQuoteCounts } from '../../rates/storage/quote-counts.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { learnDemand } from '../rules/demand-learning/learn-demand.ts';
import { databaseDemandRecords } from './demand-records.ts';

const { url, admin } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const records = databaseDemandRecords(database);
const add = databaseQuoteCounts(database);

/** A Friday. */
const ARRIVAL = dayOf('2027-03-05');
const TO = { tenantId: 'acme', propertyId: 'anchor' };
const OF = { timezone: 'Europe/Berlin', from: ARRIVAL - 400, today: ARRIVAL };

const cell = (over: Partial<CountedCell> = {}): CountedCell => ({
  propertyId: 'anchor',
  roomType: 'STD',
  arrival: ARRIVAL,
  lead: 4,
  nights: 2,
  ratio: 10,
  market: 0,
  shown: 5,
  booked: 0,
  ...over,
});

void t.test('counts are added to what is there, of this tenant and property alone', async (t) => {
  await add('acme', [cell(), cell({ ratio: 12, shown: 3, booked: 1 }), cell({ nights: 3 })]);
  await add('acme', [cell({ shown: 2, booked: 1 }), cell({ propertyId: 'other', shown: 100, booked: 50 })]);
  await add('rival', [cell({ shown: 1_000, booked: 500 })]);
  const { counted, totals } = await records.read(TO, OF);
  t.same(
    [...counted],
    [
      [1, 4, 1, 10, 0, 7, 1],
      [1, 4, 1, 12, 0, 3, 1],
    ].flat(),
    'a group with one price says nothing',
  );
  t.same(totals[1], { quotes: 0, bookings: 0 });
  t.same(totals[3], { quotes: 15, bookings: 2 }, 'of 14 days before a weekend');
  t.same((await records.read({ ...TO, tenantId: 'none' }, OF)).counted.length, 0);
});

void t.test('only arrivals of the period are read, and old ones are forgotten', async (t) => {
  const old = ARRIVAL - 401;
  await add('acme', [cell({ arrival: old, booked: 1 }), cell({ arrival: old, ratio: 15 })]);
  const before = await records.read(TO, OF);
  t.equal((await records.read(TO, { ...OF, from: old })).counted.length, before.counted.length + 14);
  await records.forget(TO, ARRIVAL - 400);
  t.same((await records.read(TO, { ...OF, from: old })).counted, before.counted);
});

void t.test('summaries are for the others of the tenant', async (t) => {
  const { summary } = learnDemand(await records.read(TO, OF));
  await records.store(TO, ARRIVAL, summary);
  await records.store(TO, ARRIVAL + 1, summary);
  t.same((await records.read(TO, OF)).others, []);
  t.same((await records.read({ ...TO, propertyId: 'other' }, OF)).others, [summary]);
  t.same((await records.read({ ...TO, propertyId: 'other' }, { ...OF, today: ARRIVAL + 90 })).others, [], 'too old');
  t.same((await records.read({ tenantId: 'rival', propertyId: 'other' }, OF)).others, []);
});

void t.test('lengths of stay are counted by lead, in days of the property', async (t) => {
  await admin.query(`set session_replication_role = 'replica'`);
  const stay = async (createdAt: string, nights: number, group: string | null = null): Promise<void> => {
    const { rows } = await admin.query<{ name: string; type: string; label: string | null }>(
      `select a.attname as name, format_type(a.atttypid, null) as type,
         (select min(enumlabel) from pg_enum e where e.enumtypid = a.atttypid) as label
       from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = 'reservations'::regclass and a.attnum > 0 and a.attnotnull and d.oid is null
         and a.attidentity = '' and a.attgenerated = ''`,
    );
    const sample = (type: string): unknown => {
      if (type === 'uuid') return crypto.randomUUID();
      if (type.startsWith('json')) return '{}';
      return /int|numeric/.test(type) ? 0 : 'X';
    };
    const row: Record<string, unknown> = {
      ...Object.fromEntries(rows.map(({ name, type, label }) => [name, label ?? sample(type)])),
      tenant_id: 'acme',
      property_id: 'anchor',
      check_in: '2027-03-05',
      check_out: new Date(Date.UTC(2027, 2, 5 + nights)).toISOString().slice(0, 10),
      nights,
      created_at: createdAt,
      group_id: group,
      confirmation_number: crypto.randomUUID().slice(0, 20),
    };
    const names = Object.keys(row);
    await admin.query(
      `insert into reservations (${names.join()}) values (${names.map((_, n) => `$${n + 1}`).join()})`,
      Object.values(row),
    );
  };
  // Half past eleven in the evening of the day before is the day of arrival in Berlin.
  await stay('2027-02-26T23:30:00Z', 1);
  await stay('2027-02-26T22:30:00Z', 2);
  await stay('2027-03-06T10:00:00Z', 2);
  await stay('2026-03-01T10:00:00Z', 30);
  await stay('2026-03-01T10:00:00Z', 3, crypto.randomUUID());
  await admin.query('reset session_replication_role');
  const { lengths } = await records.read(TO, OF);
  t.same(lengths, [
    [1, 1, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 1],
  ]);
});
