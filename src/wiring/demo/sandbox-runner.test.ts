import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';

import { gridAt } from '../../history/operations/rebuild-grid.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Command } from '../../kernel/rules/commands.ts';
import { WEEKDAYS } from '../../kernel/rules/dates.ts';
import { isSandbox } from '../../kernel/rules/sandbox-id.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { connect } from '../../platform/database/connection.ts';
import { databaseLogins } from '../../platform/database/logins.ts';
import { createLog, Loggers } from '../../platform/telemetry/telemetry.ts';
import { createPropertyBody } from '../../properties/contracts/properties.ts';
import { creationOf } from '../../properties/operations/set-up-property.ts';
import { auditProperty } from '../../property-store/operations/audit-property.ts';
import type { Sandboxes } from '../../sandbox/ports.ts';
import type { SandboxState } from '../../sandbox/rules/sandbox-state.ts';
import { databaseSandboxes } from '../../sandbox/storage/sandboxes.ts';
import { auditMoney } from '../../stay/operations/audit-money.ts';
import { seedTenants } from '../../tenants/storage/seed-tenants.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { openContext } from '../context.ts';
import { SandboxRunner } from './sandbox-runner.ts';

const OF = { tenantId: 'own', propertyId: 'inn' };
const CALLER = { tenantId: 'own', subject: 'owner', role: 'OWNER' as const, requestId: 'sandbox' };

const { url, admin } = await withTestDatabase(t);
const folder = mkdtempSync(join(tmpdir(), 'innkeeper-sandbox-'));
const config = loadConfig({ NODE_ENV: 'development', DATA_DIR: folder, DATABASE_URL: url, DEMO: '0' });
const log = createLog({ level: 'error', name: 'sandbox' });
const context = await openContext(config, new Loggers(log));
const { services, database } = context;
const system = await connect(url, 'innkeeper_system');
t.teardown(async () => {
  await system.end();
  await context[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
await seedTenants(database, [{ tenantId: 'own', name: 'Own Hotels', type: 'INDEPENDENT', users: [] }]);
const runner = (own: Partial<typeof services> = {}): SandboxRunner =>
  new SandboxRunner({
    services: { ...services, ...own },
    store: databaseSandboxes(database),
    nodeId: context.node.nodeId,
    system: async () => system,
    secretKeys: config.secretKeys,
    databaseUrl: databaseLogins(config).app,
    ownerUrl: databaseLogins(config).owner,
    log,
  });

/** Waits for one of these states: a year takes seconds, on a loaded machine more. */
async function stateOf(sandboxes: Sandboxes, wanted: readonly SandboxState[]): Promise<void> {
  while (!wanted.includes((await sandboxes.of(OF)).state)) await pause(200);
}

async function run(command: Command, to: Address = OF): Promise<void> {
  await services.properties.execute(to, { command, subject: 'owner', requestId: 'r', deadline: Infinity });
}

/** Six rooms of two types, with prices for half a year. */
async function setUp(): Promise<void> {
  const policies = { taxPercent: 6, feePerPersonNight: 2 };
  const metadata = { currency: 'EUR', timezone: 'Europe/Lisbon', policies, bookingPage: { enabled: true } };
  await run(creationOf(createPropertyBody.parse({ propertyId: 'inn', name: 'Bay Inn', metadata }), {}));
  const limits = { maxAdults: 2, maxChildren: 1, maxGuests: 3, amenities: [] };
  for (const [roomType, totalRooms, rate] of [
    ['DBL', 4, 9_000],
    ['STE', 2, 15_000],
  ] as const) {
    await run({ type: 'PUT_ROOM_TYPE', mode: 'put', roomType: { roomType, name: roomType, totalRooms, ...limits } });
    const rooms = Array.from({ length: totalRooms }, (_, n) => ({
      roomNumber: `${roomType}${n}`,
      roomType,
      floor: 1,
      features: [],
      updatedAt: 0,
    }));
    await run({ type: 'PUT_ROOMS', mode: 'put', rooms });
    const { businessDate: start } = await services.properties.view(OF);
    const rates = WEEKDAYS.map((weekday) => ({ weekday, rate }));
    await run({
      type: 'SET_BASE_RATES',
      rateId: crypto.randomUUID(),
      roomType,
      start,
      end: start + 180,
      rates,
      seasons: [],
    });
  }
}

/** Tables with rows of a property or of its guests, with their number. */
async function rowsOf(propertyId: string): Promise<Record<string, number>> {
  const { rows } = await admin.query<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.columns
     where column_name = 'property_id' and table_schema in ('public', 'availability') and table_name !~ '^journal_(\\d|default)'`,
  );
  const found: Record<string, number> = {};
  for (const { name } of rows) {
    const { rows: counted } = await admin.query<{ n: number }>(
      `select count(*)::int as n from ${name} where property_id = $1`,
      [propertyId],
    );
    if (counted[0]!.n > 0) found[name] = counted[0]!.n;
  }
  for (const name of ['guests', 'guest_keys', 'reservation_status_history', 'invoice_items']) {
    const { rows: counted } = await admin.query<{ n: number }>(`select count(*)::int as n from ${name}`);
    if (counted[0]!.n > 0) found[name] = counted[0]!.n;
  }
  return found;
}

t.test('a sandbox is a copy with a year of guests, without a difference, and leaves nothing behind', async (t) => {
  await setUp();
  const before = await rowsOf('inn');
  await using sandboxes = runner();
  t.same(await sandboxes.of(OF), { state: 'NONE', percent: 0 });
  const [first, second] = await Promise.all([sandboxes.begin(CALLER, OF), sandboxes.begin(CALLER, OF)]);
  t.equal(first.sandboxId, second.sandboxId, 'pressed twice it is made once');
  await stateOf(sandboxes, ['READY', 'STOPPED']);
  const { sandboxId, ...made } = await sandboxes.of(OF);
  t.same(made, { state: 'READY', percent: 100 });
  t.ok(isSandbox(sandboxId!));
  const to = { ...OF, propertyId: sandboxId! };
  const { violations, oversold } = await auditProperty(services, CALLER, sandboxId!);
  t.same({ violations, oversold }, { violations: [], oversold: [] }, 'inventory and revenue');
  t.same((await auditMoney(services, to)).violations, [], 'money');
  const view = await services.properties.view(to);
  t.equal(view.setup.property.name, 'Bay Inn (invented guests)');
  t.notOk(view.setup.property.metadata.bookingPage, 'nobody books an invented room');
  t.same(
    view.setup.plans.map(({ code, maxAdvanceBooking }) => [code, maxAdvanceBooking]),
    (await services.properties.view(OF)).setup.plans.map(({ code, maxAdvanceBooking }) => [code, maxAdvanceBooking]),
  );
  const auditsOf = () => services.analytics.list('own', { propertyId: sandboxId! }, 500);
  // They follow behind; a year of them is much to read.
  while ((await auditsOf()).items.length < 366) await pause(2_000);
  const audits = await auditsOf();
  const sold = audits.items.reduce((all, { content }) => all + content.house.roomsSold, 0) / audits.items.length;
  t.ok(sold > 2.5 && sold < 5.5, `${sold} rooms a night`);
  const was = await services.archive.read(to, (journal) =>
    gridAt(services, journal, services.clock.now() - 200 * 86_400_000),
  );
  t.ok(was, 'time travel knows the past');
  const rows = await rowsOf(sandboxId!);
  t.ok(rows['public.reservations']! > 500, JSON.stringify(rows));
  t.same(rows['public.notifications'], undefined, 'no mail');
  t.same(await sandboxes.begin(CALLER, OF), { state: 'READY', sandboxId, percent: 100 }, 'it stays');
  await t.rejects(sandboxes.begin(CALLER, to), { code: 'INVALID_STATE' }, 'a sandbox has none');

  await sandboxes.end(CALLER, OF);
  await stateOf(sandboxes, ['NONE', 'STOPPED']);
  t.same(await sandboxes.of(OF), { state: 'NONE', percent: 0 });
  await t.rejects(services.properties.view(to), { code: 'PROPERTY_NOT_FOUND' });
  const left = await rowsOf(sandboxId!);
  delete left['public.property_actor'];
  t.same(left, {}, 'no row of it is left');
  const after = await rowsOf('inn');
  t.same(
    { ...after, 'public.sandboxes': 0 },
    { ...before, 'public.sandboxes': 0 },
    'its own property has what it had',
  );
});

t.test('a run that was killed is thrown away, or replaced by the next one', async (t) => {
  {
    await using killed = runner();
    await killed.begin(CALLER, OF);
  }
  const stale = `update sandboxes set touched_at = touched_at - interval '1 minute'`;
  await admin.query(stale);
  await using sandboxes = runner();
  t.equal((await sandboxes.of(OF)).state, 'STOPPED');
  await sandboxes.end(CALLER, OF);
  await stateOf(sandboxes, ['NONE', 'STOPPED']);
  {
    await using killed = runner();
    await killed.begin(CALLER, OF);
  }
  await admin.query(stale);
  const again = await sandboxes.begin(CALLER, OF);
  t.equal(again.state, 'PLAYING');
  await sandboxes.end(CALLER, OF);
  await stateOf(sandboxes, ['NONE', 'STOPPED']);
  t.same(await rowsOf(again.sandboxId!), {}, 'and nothing of it is written');
});

t.test('a copy stays whatever follows it, and takes nobody along who is a guest of the tenant', async (t) => {
  const { promise: failed, resolve: fails } = Promise.withResolvers<void>();
  const store = async (): Promise<never> => {
    fails();
    throw new Error('another job is at it');
  };
  await using sandboxes = runner({ analytics: { ...services.analytics, store } });
  await sandboxes.begin(CALLER, OF);
  await failed;
  await pause(500);
  const { state, sandboxId } = await sandboxes.of(OF);
  t.equal(state, 'READY', 'audits that fail are made by the daily job');
  const { rows } = await admin.query<{ id: string }>(
    `select guest_id as id from sandbox_guests where property_id = $1 order by 1 limit 3`,
    [sandboxId],
  );
  const [survivor, merged, alone] = rows.map(({ id }) => id);
  // A guest of the tenant whose profile was merged into that of an invented one, and another invented one.
  const own = crypto.randomUUID();
  await admin.query(
    `insert into guests select (jsonb_populate_record(g, jsonb_build_object(
       'id', $1::uuid, 'email_key', null, 'merged_into', g.id, 'merged_at', now()))).* from guests g where id = $2`,
    [own, survivor],
  );
  await admin.query('update guests set merged_into = $2, merged_at = now() where id = $1', [merged, survivor]);
  await services.properties.execute(
    { ...OF, propertyId: sandboxId! },
    { command: { type: 'DELETE_PROPERTY' }, subject: 'owner', requestId: 'r', deadline: Infinity },
  );
  t.equal((await sandboxes.of(OF)).state, 'STOPPED', 'a copy that was deleted by hand is not shown as one');
  await sandboxes.end(CALLER, OF);
  await stateOf(sandboxes, ['NONE']);
  const left = async (table: string, column: string): Promise<Set<string>> => {
    const all = [own, survivor, merged, alone];
    const found = await admin.query<{ id: string }>(
      `select ${column} as id from ${table} where ${column} = any ($1)`,
      [all],
    );
    return new Set(found.rows.map(({ id }) => id));
  };
  t.same(await left('guests', 'id'), new Set([own, survivor]), 'the profile of the own guest stays');
  t.same(await left('guest_keys', 'guest_id'), new Set([survivor]), 'and can be read');
  await admin.query('delete from guests where id = any ($1)', [[own, survivor]]);
  await admin.query('delete from guest_keys where guest_id = $1', [survivor]);
});

t.test('a property without rooms or prices cannot have one', async (t) => {
  const to = { ...OF, propertyId: 'empty' };
  const metadata = { currency: 'EUR', timezone: 'Europe/Lisbon' };
  await run(creationOf(createPropertyBody.parse({ propertyId: 'empty', name: 'Empty', metadata }), {}), to);
  await using sandboxes = runner();
  await t.rejects(sandboxes.begin(CALLER, to), { code: 'INVALID_STATE' });
  t.notOk(
    createPropertyBody.safeParse({ propertyId: 'inn--sandbox-1', name: 'x', metadata }).success,
    'the id is taken',
  );
});
