import t from 'tap';

import { dayOf, formatDay } from '../src/kernel/rules/dates.ts';
import { MAX_NIGHTS } from '../src/kernel/rules/stay-days.ts';
import { withTestDatabase } from '../src/testing/database.ts';
import { PERSON_TABLES, SYSTEM_TABLES, TENANT_TABLES } from '../src/testing/tables.ts';

const { admin } = await withTestDatabase(t);

async function column<T>(sql: string, values: unknown[] = []): Promise<T[]> {
  const { rows } = await admin.query<unknown[]>({ text: sql, values, rowMode: 'array' });
  return rows.map((row) => row[0] as T);
}

/** Every table of ours, partitions left out: they belong to their table. */
const OUR_TABLES = `
  select c.oid, n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'f', 'm') and not c.relispartition
    and n.nspname not in ('pg_catalog', 'information_schema', 'bullmq') and n.nspname not like 'pg_toast%'`;

t.test('every table is listed with its class', async (t) => {
  const found = await column<string>(`select name from (${OUR_TABLES}) as ours order by name`);
  t.same(found, [...TENANT_TABLES, ...PERSON_TABLES, ...SYSTEM_TABLES].sort());
});

t.test('schemas public and availability hold data of tenants and people only, schema system none', async (t) => {
  t.same(
    [...TENANT_TABLES, ...PERSON_TABLES].filter((name) => !/^(public|availability)\./.test(name)),
    [],
  );
  t.same(
    SYSTEM_TABLES.filter((name) => !name.startsWith('system.')),
    [],
  );
});

t.test('every tenant table has tenant_id, text and not null, first in its primary key', async (t) => {
  const right = await column<string>(`
    select ours.name from (${OUR_TABLES}) as ours
    join pg_attribute a on a.attrelid = ours.oid and a.attname = 'tenant_id' and a.attnotnull
      and a.atttypid = 'text'::regtype
    join pg_index i on i.indrelid = ours.oid and i.indisprimary and i.indkey[0] = a.attnum
    order by ours.name`);
  t.same(right, [...TENANT_TABLES].sort());
});

t.test('every index of tenant data begins with tenant_id, but for five', async (t) => {
  const others = await column<string>(
    `select i.indexrelid::regclass::text from (${OUR_TABLES}) as ours
     join pg_index i on i.indrelid = ours.oid
     left join pg_attribute a on a.attrelid = ours.oid and a.attnum = i.indkey[0]
     where ours.name = any ($1) and a.attname is distinct from 'tenant_id' order by 1`,
    [TENANT_TABLES],
  );
  t.same(others, [
    'browser_sessions_person',
    'holds_expiry',
    'payments_transaction_id',
    'reservations_confirmation_number',
    'users_person',
  ]);
});

t.test('foreign keys begin with tenant_id and leave the rows of the actors alone', async (t) => {
  const { rows } = await admin.query(`
    select c.conrelid::regclass::text as source, c.confrelid::regclass::text as target, a.attname as first
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.connamespace <> 'system'::regnamespace`);
  t.same(
    rows.filter((row) => row.first !== 'tenant_id'),
    [],
  );
  const targets = new Set(rows.map((row) => row.target));
  const meant = [
    'channels',
    'companies',
    'imports',
    'invoices',
    'properties',
    'services',
    'subscriptions',
    'tenants',
    'users',
    'webhooks',
  ];
  t.same(targets, new Set(meant));
  const hot = new Set([
    'reservations',
    'payments',
    'holds',
    'journal',
    'guests',
    'properties',
    'room_types',
    'rooms',
  ]);
  t.same(
    rows.filter((row) => hot.has(row.source)),
    [],
  );
});

t.test('enums have the values that clients know', async (t) => {
  const { rows } = await admin.query<{ name: string; labels: string }>(`
    select t.typname as name, string_agg(e.enumlabel, ' ' order by e.enumsortorder) as labels
    from pg_type t join pg_enum e on e.enumtypid = t.oid group by 1`);
  t.same(Object.fromEntries(rows.map((row) => [row.name, row.labels])), {
    tenant_status: 'TRIAL ACTIVE SUSPENDED INACTIVE CANCELLED',
    tenant_type: 'INDEPENDENT CHAIN FRANCHISE MANAGEMENT_COMPANY',
    tenant_role: 'OWNER ADMIN MANAGER STAFF VIEWER',
    reservation_status: 'PENDING CONFIRMED CHECKED_IN CHECKED_OUT CANCELLED NO_SHOW',
    reservation_source: 'DIRECT WEBSITE PHONE WALKIN OTA CORPORATE GROUP AGENT',
    payment_status: 'PENDING PROCESSING COMPLETED FAILED CANCELLED REFUNDED',
    room_status: 'AVAILABLE OCCUPIED DIRTY CLEAN INSPECTED OUT_OF_ORDER',
    rate_strategy: 'FIXED DYNAMIC SEASONAL WEEKEND LASTMINUTE EARLYBIRD',
    rate_status: 'DRAFT ACTIVE INACTIVE',
    availability_status: 'OPEN LIMITED SOLD_OUT CLOSED',
    payment_method: 'CREDIT_CARD DEBIT_CARD CASH BANK_TRANSFER INVOICE CARD_ON_FILE TERMINAL',
    transaction_type: 'CHARGE REFUND VOID',
    metric_type: 'OCCUPANCY ADR REVPAR CANCELLATION_RATE PICKUP PENALTIES COMP_ROOMS',
    loyalty_tier: 'NONE SILVER GOLD PLATINUM',
    hold_kind: 'PAYING PENDING EXPLICIT LATE',
    maintenance_kind: 'OUT_OF_ORDER OUT_OF_SERVICE',
    waitlist_status: 'WAITING OFFERED BOOKED LAPSED EXPIRED REMOVED',
    inquiry_status: 'OPEN BOOKED EXPIRED CLOSED',
    event_effect: 'LOW MEDIUM HIGH',
    key_state: 'IN_PROGRESS DONE',
    time_granularity: 'DAY WEEK MONTH',
    notification_kind:
      'CONFIRMATION MODIFICATION CANCELLATION REMINDER PAYMENT_FAILED WAITLIST_OFFER INVOICE PAYMENT_LINK STAY_LINK',
    notification_channel: 'MAIL SMS',
    notification_state: 'WAITING SENDING SENT FAILED UNKNOWN DROPPED',
  });
});

/** Table, column, type with its bound, and whether it is required (R): what clients may rely on. */
const BOUNDS = `
  base_rates property_id varchar(50) R | base_rates room_type varchar(50) R | base_rates rate_date date R
  base_rates rate numeric(10,2) R | base_rates currency bpchar(3) R | base_rates day_of_week int4
  base_rates weekend bool R | base_rates seasonal_multiplier numeric(4,2) R
  promotions id uuid R | promotions property_id varchar(50) R | promotions promotion_name varchar(100) R
  promotions promo_code varchar(20) R | promotions discount_type varchar(20) R
  promotions discount_value numeric(10,2) R | promotions start_date date R | promotions end_date date R
  promotions stay_start_date date | promotions stay_end_date date | promotions conditions jsonb R
  promotions inventory_limit int4 | promotions used_inventory int4 R | promotions status varchar(20) R
  optimization_history property_id varchar(50) R | optimization_history optimization_date date R
  optimization_history algorithm_used varchar(50) R | optimization_history revenue_before numeric(12,2) R
  optimization_history revenue_after numeric(12,2) R | optimization_history performance_metrics jsonb R
  rates name varchar(100) R | rates strategy rate_strategy R | rates status rate_status R
  rates base_rate numeric(10,2) | rates currency bpchar(3) R | rates valid_from date | rates valid_to date
  rates rules jsonb R | tenants name varchar(200) R | tenants type tenant_type R | tenants status tenant_status R
  tenants config jsonb R | tenants subscription jsonb R | user_tenant_associations role tenant_role R
  reservations id uuid R | reservations property_id varchar(50) R | reservations confirmation_number varchar(20) R
  reservations guest_id uuid | reservations status reservation_status R | reservations check_in date R
  reservations check_out date R | reservations nights int4 R | reservations adults int4 R
  reservations children int4 R | reservations room_type varchar(50) | reservations room_number varchar(10)
  reservations total_amount numeric(10,2) R | reservations currency bpchar(3) R | reservations source varchar(50)
  reservations special_requests jsonb R | reservations paid_amount numeric(10,2) R
  reservations balance_due numeric(10,2) R | reservation_status_history reservation_id uuid R
  reservation_status_history old_status reservation_status | reservation_status_history changed_by varchar(100)
  reservation_status_history new_status reservation_status R | reservation_status_history changed_at timestamptz R
  properties name varchar(200) R | properties property_code varchar(50) | properties brand varchar(100)
  properties property_type varchar(50) R | properties metadata jsonb R | rooms status room_status R
  room_availability total_rooms int4 R | room_availability available_rooms int4 R
  room_availability booked_rooms int4 R | room_availability blocked_rooms int4 R
  room_availability status availability_status R | payments amount numeric(10,2) R | payments currency bpchar(3) R
  payments method payment_method | payments status payment_status R | payments transaction_id varchar(100)
  payments transaction_type transaction_type R | payments gateway_name varchar(100)
  payments gateway_response jsonb | channel_mappings channel_name varchar(100) R
  channel_mappings channel_code varchar(100) R | channel_mappings external_room_id varchar(100) R
  channel_mappings mapping_config jsonb R | analytics_metrics property_id varchar(50)
  analytics_metrics metric_type metric_type R | analytics_metrics metric_value numeric(15,2) R
  analytics_metrics date date R | analytics_metrics granularity time_granularity R
  analytics_metrics dimensions jsonb R | guests email varchar(254) | guests first_name varchar(100)
  guests last_name varchar(100) | guests phone varchar(30)`;

t.test('columns have the types and bounds that clients rely on', async (t) => {
  const { rows } = await admin.query<{ place: string; bound: string }>(`
    select table_name || ' ' || column_name as place, udt_name
      || coalesce('(' || character_maximum_length || ')', '')
      || case when udt_name = 'numeric' then '(' || numeric_precision || ',' || numeric_scale || ')' else '' end
      || case is_nullable when 'NO' then ' R' else '' end as bound
    from information_schema.columns where table_schema in ('public', 'availability')`);
  const found = new Map(rows.map((row) => [row.place, row.bound]));
  const wrong = BOUNDS.trim()
    .split(/\s*[|\n]\s*/)
    .filter((line) => {
      const [table, name, ...bound] = line.split(' ');
      return found.get(`${table} ${name}`) !== bound.join(' ');
    });
  t.same(wrong, []);
});

t.test('columns have their defaults', async (t) => {
  const { rows } = await admin.query<{ place: string; value: string }>(`
    select table_name || '.' || column_name as place, regexp_replace(column_default, '::.*', '') as value
    from information_schema.columns where table_schema = 'public' and column_default is not null`);
  const found = Object.fromEntries(rows.map((row) => [row.place, row.value]));
  t.match(found, {
    'base_rates.weekend': 'false',
    'base_rates.seasonal_multiplier': '1.00',
    'promotions.used_inventory': '0',
    'promotions.status': `'ACTIVE'`,
    'rates.currency': `'USD'`,
    'payments.currency': `'USD'`,
    'reservations.children': '0',
    'reservation_status_history.changed_at': 'app_now()',
  });
  const clocks = Object.entries(found).filter(([place, value]) => place.endsWith('_at') && value !== 'app_now()');
  t.same(clocks, [], 'every default of a moment is the clock of the database with its offset');
});

t.test('the database refuses what breaks an invariant', async (t) => {
  const insert = (values: Record<string, unknown>) => {
    const row = {
      tenant_id: 'a',
      id: crypto.randomUUID(),
      property_id: 'p',
      confirmation_number: crypto.randomUUID().slice(0, 20),
      status: 'CONFIRMED',
      check_in: '2027-01-01',
      check_out: '2027-01-03',
      nights: 2,
      adults: 1,
      currency: 'EUR',
      ...values,
    };
    const marks = Object.keys(row).map((_, index) => `$${index + 1}`);
    return admin.query(
      `insert into reservations (${Object.keys(row).join()}) values (${marks.join()})`,
      Object.values(row),
    );
  };
  await insert({ total_amount: '10.00', paid_amount: '4.00', balance_due: '6.00', confirmation_number: 'SAME' });
  const longest = formatDay(dayOf('2027-01-01') + MAX_NIGHTS);
  await t.resolves(insert({ check_out: longest, nights: MAX_NIGHTS }), 'the longest stay can be stored');
  await t.rejects(insert({ nights: 3 }), { message: /reservations_sums/ });
  await t.rejects(insert({ check_out: '2027-01-01', nights: 0 }), { message: /reservations_sums/ });
  await t.rejects(insert({ total_amount: '10.00', balance_due: '9.99' }), { message: /reservations_sums/ });
  await t.rejects(insert({ tenant_id: 'b', confirmation_number: 'SAME' }), { code: '23505' }, 'over all tenants');
  const cell = (columns: string, values: string) =>
    admin.query(
      `insert into availability.room_availability (tenant_id, property_id, room_type, date, total_rooms,
       available_rooms, ${columns}) values ('a', 'p', 'STD', '2027-01-01', 1, 1, ${values})`,
    );
  for (const name of ['booked_rooms', 'held_rooms', 'blocked_rooms', 'shortfall', 'overbooking_limit']) {
    await t.rejects(cell(name, '-1'), { code: '23514' }, `${name} below zero`);
  }
  for (const id of ['', 'a:b', 'a,b', 'a b']) {
    await t.rejects(admin.query('insert into tenants (tenant_id, name) values ($1, $2)', [id, 'T']), {
      code: '23514',
    });
  }
});
