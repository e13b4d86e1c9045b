import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

import { Host } from '../../../actors/host.ts';
import { RATE_FRESHNESS_LIMITS } from '../../../actors/limits.ts';
import { StoredGuests } from '../../guests/storage/guests.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { JournalEntry } from '../../kernel/rules/journal.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { partyOfPersons } from '../../rates/rules/stay.ts';
import { databaseReservationReader } from '../../stay/storage/reservation-reader.ts';
import { quiet, errorOf } from '../../testing/actors/running-host.ts';
import { foundIn, Stored } from '../../testing/actors/store-conformance.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { FakeClock, untilTime } from '../../testing/fake-clock.ts';
import { baseRates, bookCommand, envelope } from '../../testing/property-world.ts';
import { auditProperty } from '../operations/audit-property.ts';
import { databaseInventoryAudit } from './inventory-audit.ts';
import { PostgresPropertyStore } from './property-store.ts';

/** Rates changed in the database itself, and a resident property. */
const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
const guests = new StoredGuests(database, [{ id: 'k1', secret: new Uint8Array(32).fill(7) }]);
guests.open = async () => new Map();
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** A property in a host whose monotonic time the test moves. */
async function activated(test: { teardown(handler: () => Promise<void>): unknown }) {
  const stored = await Stored.property(store);
  const { to, scene } = stored;
  const time = { now: 0 };
  const errors: unknown[] = [];
  const host = new Host({
    store,
    clock: new FakeClock(scene.now),
    log: { ...quiet, error: (facts) => void errors.push(facts) },
    lanes: 2,
    mayOwn: () => true,
    rateFreshness: { gatherMs: 5, waitMs: 60_000, now: () => time.now },
  });
  test.teardown(() => host[Symbol.asyncDispose]());
  const day = scene.state.today + 3;
  const shown = async (night = day) => (await host.view(to)).grid(night, night, 'STD')[0]!.rate;
  await shown();
  return { to, stored, host, time, errors, day, shown, where: `property_id = '${to.propertyId}'` };
}

const night = (day: number): string => `rate_date = date '1970-01-01' + ${day}`;

void t.test(
  'a price that is changed in SQL is sold within 300 s, with one number, a delta, a clean audit',
  async (t) => {
    const { to, host, time, day, shown, where } = await activated(t);
    const entries: JournalEntry[] = [];
    const feed = await host.follow(to, undefined, { entry: (entry) => void entries.push(entry), lost: () => {} });
    const before = feed.view.seq;
    await admin.query(`update base_rates set rate = 123.45 where ${where} and room_type = 'STD' and ${night(day)}`);
    time.now = RATE_FRESHNESS_LIMITS.checkAfterMs - 1;
    t.equal(await shown(), 10_000, 'the old price is believed');
    time.now = RATE_FRESHNESS_LIMITS.trustMs;
    t.equal(await shown(), 12_345);
    t.match(entries, [{ seq: before + 1, type: 'RELOAD', facts: { cells: [['STD', day, 3, 0, 0, 0, 3, 12_345]] } }]);
    t.equal(entries.length, 1);
    const stay = { checkIn: day, checkOut: day + 1 };
    const { result, seq } = await host.execute(to, envelope(bookCommand({ stay })));
    t.match(result.reservation.nights, [{ rate: 12_345 }]);
    t.equal(seq, before + 2);
    const services = { properties: host, audit: databaseInventoryAudit(database) } as unknown as Services;
    const caller = { tenantId: to.tenantId } as Caller;
    t.match(await auditProperty(services, caller, to.propertyId), { violations: [], seq });
    t.match(verify(), { status: 0, output: /every chain is whole/ });
    feed.close();
    const live = (await host.view(to)).grid(0, 99_999);
    await host[Symbol.asyncDispose]();
    const again = new Host({ store, clock: new FakeClock(), log: quiet, lanes: 2, mayOwn: () => true });
    t.teardown(() => again[Symbol.asyncDispose]());
    t.same((await again.view(to)).grid(0, 99_999), live, 'the next owner shows the same');
  },
);

void t.test('our own rates make no version, and external ones beside them are stored too', async (t) => {
  const { to, host, time, day, shown, where } = await activated(t);
  await host.execute(to, envelope(baseRates('STD', 8_000, day, day + 2)));
  t.match(await store.rateVersions([to]), [{ version: 0 }]);
  await admin.query(`update base_rates set rate = 90 where ${where} and room_type = 'STD' and ${night(day + 1)}`);
  time.now = RATE_FRESHNESS_LIMITS.trustMs;
  t.same([await shown(day), await shown(day + 1), await shown(day + 2)], [8_000, 9_000, 8_000]);
});

void t.test('plans that are changed, added and switched off', async (t) => {
  const { to, host, time, day, where } = await activated(t);
  const quoted = async (rateCode: string) => {
    const query = { checkIn: day, checkOut: day + 1, roomType: 'STD', ...partyOfPersons(1), rateCode };
    return (await host.view(to)).quote(query, 0).rates[0]?.total;
  };
  t.equal(await quoted('FLEX'), 11_000);
  await admin.query(`update rates set rules = rules || '{"adjustmentPercent": 25}' where ${where} and code = 'FLEX';
    update rates set status = 'INACTIVE' where ${where} and code = 'NRF';
    insert into rates (tenant_id, id, property_id, code, name)
      values ('${to.tenantId}', gen_random_uuid(), '${to.propertyId}', 'BARE', 'Nothing but defaults')`);
  time.now = RATE_FRESHNESS_LIMITS.trustMs;
  t.equal(await quoted('FLEX'), 12_500);
  t.equal(await quoted('BARE'), 10_000);
  t.equal(await errorOf(quoted('NRF')), 'UNKNOWN_RATE_CODE');
});

void t.test('invalid rows are logged and refused; the property neither fails nor stays passive', async (t) => {
  const { to, stored, host, time, errors, shown, where, day } = await activated(t);
  await admin.query(`update base_rates set rate = 'NaN' where ${where} and ${night(day)}`);
  await admin.query(`update rates set rules = '"none"' where ${where} and code = 'FLEX'`);
  await admin.query(`update rates set rules = '{"adjustmentPercent": [1e400]}' where ${where} and code = 'NRF'`);
  await admin.query(`insert into base_rates (tenant_id, property_id, room_type, rate_date, rate, currency)
    values ('${to.tenantId}', '${to.propertyId}', 'STD', 'infinity', 1, 'EUR')`);
  const { seq } = await host.view(to);
  time.now = RATE_FRESHNESS_LIMITS.trustMs;
  t.equal(await shown(), 10_000);
  t.match(errors, [{ version: 4, error: /NRF/ }]);
  t.equal((await host.view(to)).seq, seq);
  t.equal(await errorOf(host.execute(to, envelope(bookCommand({ stay: stored.stay(5) })))), 'accepted');
  const next = await foundIn(store, to);
  t.equal(next.slabs.get('STD')!.base(day), -1, 'a night without sense has no rate for the next owner');
  t.notOk(next.plans.has('NRF'));
});

void t.test('a data fix that is left open keeps no booking waiting, and is seen when it commits', async (t) => {
  const { to, stored, host, time, shown, where } = await activated(t);
  await admin.query(`begin; update base_rates set rate = 66 where ${where} and room_type = 'STD'`);
  t.equal(await errorOf(host.execute(to, envelope(bookCommand({ stay: stored.stay() })))), 'accepted');
  time.now = RATE_FRESHNESS_LIMITS.trustMs;
  t.equal(await shown(), 10_000);
  await admin.query('commit');
  time.now = 2 * RATE_FRESHNESS_LIMITS.trustMs;
  await untilTime(async () => (await shown()) === 6_600);
});

function verify(): { status: number | null; output: string } {
  const path = fileURLToPath(new URL('../../commands/verify-audit.ts', import.meta.url));
  const env = { ...process.env, DATABASE_URL: url };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './src/platform/launch/strip-types.mjs', path],
    {
      env,
      encoding: 'utf8',
    },
  );
  return { status, output: stdout + stderr };
}
