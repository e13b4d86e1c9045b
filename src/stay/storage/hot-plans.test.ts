import type { Client } from 'pg';
import t from 'tap';

import { LEASE } from '../../notifications/storage/notification-sql.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { databaseInventoryAudit } from '../../property-store/storage/inventory-audit.ts';
import { PostgresPropertyStore } from '../../property-store/storage/property-store.ts';
import { takenIn } from '../../testing/actors/store-conformance.ts';
import { WHOLE } from '../../testing/cluster/whole-partition.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { plansOf } from '../../testing/plans.ts';
import { StoredHolds } from './hold-sweep.ts';
import { databaseReservationReader } from './reservation-reader.ts';

/** Every query of a booking uses an index, however many properties a tenant has. */
const { admin, url } = await withTestDatabase(t);
await fill(admin);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
const to = { tenantId: 'chain', propertyId: 'p500' };

/** Tables that grow with the business; small ones, such as partitions of future months, may be scanned. */
const LARGE =
  /^(room_availability|base_rates|reservations|holds|payments|guests|property_actor|properties|rooms|invoice)/;

/** Calls of a function after which its plans are cached, with some margin. */
const PLAN_IS_CACHED = 8;

t.test('activating a property', async (t) => {
  await takenIn(store, to);
  const plans = await plansOf(database, to.tenantId, () => store.committed(to));
  t.same(
    plans.scanned.filter((table) => LARGE.test(table)),
    [],
    'no large table is read from end to end',
  );
  const ring = await plansOf(database, to.tenantId, () => store.recent(to, 5, 1_024));
  t.ok(
    ring.indexes.some((index) => index.startsWith('journal_20')),
    'the journal by its key',
  );
  for (const index of ['room_availability_pkey', 'base_rates_pkey', 'property_actor_pkey'])
    t.ok(plans.indexes.includes(index), index);
  t.same(
    plans.sorted.filter((key) => key.includes('serial')),
    [],
    'of its invoices only the last of each sequence are read',
  );
  t.same((await store.committed(to)).serials, [
    { kind: 'INVOICE', year: 2026, serial: 20_000 },
    { kind: 'INVOICE', year: 2025, serial: 20_000 },
  ]);
});

t.test('checking that a property exists, and reading a hold', async (t) => {
  t.same((await plansOf(database, to.tenantId, () => store.exists(to))).scanned, []);
  const holds = new StoredHolds(() => Promise.reject(new Error('not asked')), database, WHOLE);
  const id = '00000000-0000-7000-8000-000000000000';
  t.same((await plansOf(database, to.tenantId, () => holds.hold(to, id))).scanned, []);
});

t.test('auditing a property reads that property only', async (t) => {
  const audit = databaseInventoryAudit(database);
  const plans = await plansOf(database, to.tenantId, () => audit(to));
  t.same(
    plans.scanned.filter((table) => LARGE.test(table)),
    [],
  );
});

t.test('finding guests, while they are so few that the planner would rather read them all', async (t) => {
  const wanted = JSON.stringify([{ n: 0, email_key: 'g5@x', last_name_key: 'l5' }]);
  await admin.query('begin; set local role innkeeper_app');
  for (let n = 0; n < PLAN_IS_CACHED; n++) {
    const { rows } = await admin.query('select id from find_guests_v1($1, $2)', ['chain', wanted]);
    t.equal(rows.length, 1);
  }
  const read = `select seq_scan::int as scanned, idx_scan::int as looked from pg_stat_xact_user_tables
    where relname in ('guests', 'guest_keys')`;
  const byIndex = { scanned: 0, looked: PLAN_IS_CACHED };
  t.same((await admin.query(read)).rows, [byIndex, byIndex]);
  await admin.query('rollback');
});

t.test('taking notifications that are due, however many wait', async (t) => {
  await admin.query(`begin; set local role innkeeper_app; set local innkeeper.tenant = 'chain'`);
  const values = [`'MAIL'`, '2e12', '8', '2e12'];
  const plan = await planOf(
    admin,
    LEASE.replaceAll('?', () => values.shift()!),
  );
  await admin.query('rollback');
  t.match(plan, /notifications_due/);
  t.notMatch(plan, /Seq Scan|Anti Join|Sort/);
});

t.test('removing a hold, while there are so few that the planner would rather read them all', async (t) => {
  await admin.query(`begin; set local role innkeeper_writer; set local innkeeper.batch_tenants = 'chain'`);
  const { rows: holds } = await admin.query(
    `select tenant_id as t, property_id as p, id from holds limit ${PLAN_IS_CACHED}`,
  );
  for (const hold of holds)
    await admin.query(
      `select system.write_bookings_v3(counts => '{}', guests => null, new_reservations => null, new_payments => null,
         new_holds => null, reservations => null, history => null, payments => null, holds => null,
         holds_removed => $1)`,
      [JSON.stringify([hold])],
    );
  const read = `select seq_scan::int as scanned, idx_scan::int as looked, idx_tup_fetch::int as rows,
    n_tup_del::int as removed from pg_stat_xact_user_tables where relname = 'holds'`;
  const { rows } = await admin.query(read);
  await admin.query('rollback');
  t.match(rows[0], { scanned: 1, removed: PLAN_IS_CACHED });
  t.equal(rows[0].rows, PLAN_IS_CACHED, 'no other hold was read');
});

t.test('fencing and sweeping', async (t) => {
  await admin.query(`set role innkeeper_writer; set innkeeper.batch_tenants = 'chain'`);
  const fence = `update property_actor set seq = 1
    where tenant_id = 'chain' and property_id = 'p5' and epoch = 0 and seq = 0`;
  t.notMatch(await planOf(admin, fence), /Seq Scan/);
  await admin.query('set role innkeeper_system');
  const expired = `select distinct tenant_id, property_id from holds
    where kind <> 'LATE' and expires_at < now() - interval '1 hour' limit 100`;
  t.match(await planOf(admin, expired), /holds_expiry/);
  await admin.query('reset role');
});

async function planOf(client: Client, sql: string): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

async function fill(client: Client): Promise<void> {
  await client.query(`
    insert into tenants (tenant_id, name) values ('chain', 'Chain');
    insert into properties (tenant_id, property_id, name)
      select 'chain', 'p' || n, 'House' from generate_series(1, 2000) n;
    insert into property_actor (tenant_id, property_id, business_date)
      select 'chain', 'p' || n, current_date from generate_series(1, 2000) n;
    insert into availability.room_availability (tenant_id, property_id, room_type, date, total_rooms, available_rooms)
      select 'chain', 'p' || n, 'STD', current_date + d, 10, 10
      from generate_series(1, 2000) n, generate_series(0, 19) d;
    insert into base_rates (tenant_id, property_id, room_type, rate_date, rate, currency)
      select 'chain', 'p' || n, 'STD', current_date + d, 100, 'EUR'
      from generate_series(1, 2000) n, generate_series(0, 19) d;
    insert into rooms (tenant_id, property_id, room_number, room_type)
      select 'chain', 'p' || n, r::text, 'STD' from generate_series(1, 2000) n, generate_series(1, 10) r;
    insert into guests (tenant_id, id, email, email_key, last_name, last_name_key)
      select 'chain', gen_random_uuid(), 'g' || n || '@x', 'g' || n || '@x', 'l' || n, 'l' || n
      from generate_series(1, 3000) n;
    insert into guest_keys (tenant_id, guest_id, wrapped) select tenant_id, id, 'k1:wrapped' from guests;
    insert into notifications (tenant_id, reservation_id, kind, channel, occasion, property_id, at, due_at)
      select 'chain', gen_random_uuid(), 'CONFIRMATION', 'MAIL', n, 'p' || n % 2000, now(), now()
      from generate_series(1, 5000) n;
    insert into holds (tenant_id, property_id, id, kind, room_type, check_in, check_out, expires_at)
      select 'chain', 'p' || n % 2000, gen_random_uuid(), 'PENDING', 'STD', current_date, current_date + 1,
        now() + n * interval '1 second' from generate_series(1, 5000) n;
    insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
      select 'chain', 'p' || n % 2000, n / 2000, now(), 'TICK', 's', 'r', 'e', '{}', 'h'
      from generate_series(1, 20000) n;
    insert into reservations (tenant_id, id, property_id, confirmation_number, status, check_in, check_out, nights,
        adults, room_type, currency)
      select 'chain', gen_random_uuid(), 'p' || n % 2000, n::text, 'CONFIRMED', current_date + n % 20,
        current_date + n % 20 + 2, 2, 2, 'STD', 'EUR' from generate_series(1, 20000) n;
    insert into invoice_documents (tenant_id, property_id, number, kind, year, serial, reservation_id,
        confirmation_number, issued_at, issued_by, issued_to, currency, lines)
      select 'chain', 'p500', 'INV-' || y || '-' || lpad(n::text, 6, '0'), 'INVOICE', y, n, gen_random_uuid(), 'x',
        now(), '{}', '{}', 'EUR', '[]' from generate_series(2025, 2026) y, generate_series(1, 20000) n;
    analyze`);
}
