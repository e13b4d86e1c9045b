import tap, { type Test, test } from 'tap';

import { DatabasePair } from '../../src/testing/fail-over/database-pair.ts';
import { auditIsClean } from './audit.ts';
import { BlackboxProperty } from './property.ts';
import { Service } from './service.ts';
import { SteadyBookers } from './steady-bookers.ts';
import { pause, until } from './waiting.ts';

/**
 * The database machine is lost, and its synchronous standby promoted (docs/guide/production.md#fail-over-of-the-database).
 * `npm run prove -- fail-over` does it many times and with more faults.
 */
tap.setTimeout(240_000);

const CLIENTS = 4;
const BACK_WITHIN_MS = 60_000;
/** Longer than any answer that the service still waits for from a server that stood still. */
const THAWED_MS = 6_000;

const pair = await DatabasePair.open('synchronous');
tap.teardown(() => pair[Symbol.asyncDispose]());
const service = await Service.start({ DATABASE_URL: pair.url });
tap.teardown(() => service.remove());
const roomy = await BlackboxProperty.open(service, { rooms: { DLX: 500 }, pricedNights: 90 });
const small = await BlackboxProperty.open(service, { rooms: { DLX: 1 }, pricedNights: 90 });

/** Bookings go on over a fault and the promotion that follows. @returns them, ended */
async function promotedWhileBooking(t: Test, fault: () => Promise<void> | void): Promise<SteadyBookers> {
  const bookers = new SteadyBookers(CLIENTS, () => (Math.random() < 0.7 ? roomy : small));
  await until('bookings', BACK_WITHIN_MS, () => bookers.acknowledged.length > 10 || undefined);
  const began = performance.now();
  await fault();
  await pair.promote();
  const promoted = performance.now();
  const back = await until('bookings again', BACK_WITHIN_MS, () => bookers.firstAfter(promoted));
  t.comment(`bookings went on ${Math.round(back - began)} ms after the fault`);
  return bookers;
}

async function allThere(t: Test, bookers: SteadyBookers): Promise<void> {
  t.same(bookers.strange, []);
  const stored = await pair.primary.ask<{ id: string }>(`select id from reservations where status = 'CONFIRMED'`);
  const there = new Set(stored.map(({ id }) => id));
  const lost = bookers.acknowledged.filter(({ reservationId }) => !there.has(reservationId));
  t.same(lost, [], `all ${bookers.acknowledged.length} acknowledged bookings are there`);
  const generations = await pair.primary.ask('select distinct generation from property_actor');
  t.same(generations, [{ generation: 1 }], 'no history was rewound');
  for (const property of [roomy, small]) await auditIsClean(t, property);
}

void test('the primary is killed, the standby promoted: bookings go on there, none that was acknowledged is missing', async (t) => {
  const { pid } = service.dev;
  const bookers = await promotedWhileBooking(t, () => pair.primary.kill());
  await pause(500);
  await bookers.end();
  await allThere(t, bookers);
  t.equal(service.dev.pid, pid);
});

void test('a primary that stood still comes back after another was promoted: nothing is written there any more', async (t) => {
  await pair.rejoin();
  const earlier = pair.primary;
  const bookers = await promotedWhileBooking(t, () => earlier.signal('SIGSTOP'));
  earlier.signal('SIGCONT');
  const thawed = new Date();
  await pause(THAWED_MS);
  const sessions = `select application_name, state, left(query, 60) as query from pg_stat_activity
    where application_name like 'innkeeper%' and wait_event is distinct from 'SyncRep'`;
  t.same(await earlier.ask(sessions), [], 'no session that could write');
  t.same(await earlier.ask('select type, at from journal where at > $1', [thawed]), [], 'no row');
  const [row] = await earlier.ask<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  t.equal(row?.standby, false, 'although it would take writes');
  await bookers.end();
  await allThere(t, bookers);
});
