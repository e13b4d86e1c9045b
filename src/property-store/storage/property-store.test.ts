import fc from 'fast-check';
import t from 'tap';

import { Host } from '../../../actors/host.ts';
import { canonical } from '../../kernel/rules/canonical.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { databaseReservationReader } from '../../stay/storage/reservation-reader.ts';
import { activationConformance } from '../../testing/actors/activation-conformance.ts';
import { documentConformance } from '../../testing/actors/document-conformance.ts';
import { owningConformance } from '../../testing/actors/owning-conformance.ts';
import { paymentConformance } from '../../testing/actors/payment-conformance.ts';
import { moves } from '../../testing/actors/random-moves.ts';
import { RandomRun } from '../../testing/actors/random-run.ts';
import { quiet, errorOf } from '../../testing/actors/running-host.ts';
import { comparable, foundIn, Stored, storeConformance, takenIn } from '../../testing/actors/store-conformance.ts';
import { Line } from '../../testing/cluster/line.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { rewoundConformance } from '../../testing/fail-over/rewound-conformance.ts';
import { FakeClock, untilTime } from '../../testing/fake-clock.ts';
import { bookCommand, envelope, keyed, roomType, startBookingCommand } from '../../testing/property-world.ts';
import { databaseInventoryAudit } from './inventory-audit.ts';
import { COMMIT, ROW_LISTS, type RowList } from './lists.ts';
import { PostgresPropertyStore } from './property-store.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
const reservations = databaseReservationReader(database);
const as = (nodeId: string) => new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId });
const store = as('test');
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
const lives = (nodeId: string, alive: boolean) =>
  admin.query(
    `insert into system.cluster_node (node_id, lease_until, lock_key)
     values ($1, clock_timestamp() + $2 * interval '1 second', 1)
     on conflict (node_id) do update set lease_until = excluded.lease_until`,
    [nodeId, alive ? 60 : -1],
  );

documentConformance(t, store);
paymentConformance(t, store);
storeConformance(t, store, (to, roomType, day, rate) =>
  admin.query(
    `update base_rates set rate = $4::int / 100.0
     where tenant_id = $1 and property_id = $2 and room_type = $3 and rate_date = date '1970-01-01' + $5::int`,
    [to.tenantId, to.propertyId, roomType, rate, day],
  ),
);
owningConformance(t, store, { as, lives });
activationConformance(t, store, { as, lives });

void t.test(
  'of many nodes that acquire a property at the same moment, one owns it and the others know which',
  async (t) => {
    const names = Array.from({ length: 6 }, (_, n) => `racer-${n}`);
    for (const name of names) await lives(name, true);
    const racers = names.map(as);
    for (let round = 0; round < 20; round++) {
      const to = { tenantId: 'acme', propertyId: `race-${round}` };
      // Half of them belonged to a dead node.
      if (round % 2) await as('dead').take(to);
      const results = await Promise.all(racers.map((racer) => racer.take(to)));
      const winners = names.filter((_, n) => 'epoch' in results[n]!);
      t.equal(winners.length, 1);
      t.same(
        results.filter((result) => 'heldBy' in result),
        Array.from({ length: names.length - 1 }, () => ({ heldBy: winners[0] })),
      );
    }
  },
);

void t.test('a locked lease table is waited for a second, and not at all by the owner of the property', async (t) => {
  const { to } = await Stored.property(store);
  await admin.query('begin; lock table system.cluster_node');
  const began = performance.now();
  await t.rejects(as('other').take(to), { code: '55P03' });
  t.ok(performance.now() - began < 1_900);
  t.equal((await takenIn(store, to)).epoch, 2);
  await store.release([{ to, epoch: 2 }]);
  t.equal((await takenIn(as('other'), to)).epoch, 3, 'nor for one that nobody owns');
  await admin.query('rollback');
});

void t.test('after any random run, what is loaded equals what lived, and SQL counts the same', async () => {
  const audit = databaseInventoryAudit(database);
  await fc.assert(
    fc.asyncProperty(moves, async (played) => {
      const property = await Stored.property(store);
      const run = new RandomRun(property.scene);
      for (const move of played) run.play(move);
      const written = await property.write();
      const again = await foundIn(store, property.to);
      const { differences, seq } = await audit(property.to);
      const { usedQuotes: used, ...live } = comparable(property.scene.state);
      const { usedQuotes: found, ...loaded } = comparable(again);
      if (canonical(live) !== canonical(loaded))
        throw new Error(`live ${canonical(live)}\nfound ${canonical(loaded)}`);
      // A run takes hours, and only the store still has quotes that have expired.
      if (!used.every((quoteId) => found.includes(quoteId)))
        throw new Error(`used ${used.join()}, found ${found.join()}`);
      return written.every((outcome) => outcome === 'committed') && differences.length === 0 && seq === again.seq;
    }),
    // Shrinking would take longer than reading the failing run.
    { numRuns: 25, endOnFailure: true },
  );
});

void t.test('a host on the database and the host after it show the same grid at the same number', async (t) => {
  const property = await Stored.property(store);
  const clock = new FakeClock(property.scene.now);
  const options = { store, clock, log: quiet, lanes: 2, mayOwn: () => true };
  const [first, second] = [new Host(options), new Host(options)];
  t.teardown(async () => {
    await Promise.all([first[Symbol.asyncDispose](), second[Symbol.asyncDispose]()]);
  });
  const sent = Array.from({ length: 12 }, (_, n) =>
    (n % 2 ? bookCommand : startBookingCommand)({
      stay: { ...property.stay(n % 6), roomType: n % 3 ? 'STD' : 'DLX' },
    }),
  );
  const codes = await Promise.all(sent.map((command) => errorOf(first.execute(property.to, envelope(command)))));
  t.ok(codes.includes('accepted') && codes.every((code) => code === 'accepted' || code === 'ROOM_NOT_AVAILABLE'));
  const [live, loaded] = [await first.view(property.to), await second.view(property.to)];
  t.equal(loaded.seq, live.seq);
  t.same(loaded.grid(0, 99_999), live.grid(0, 99_999));
  t.equal(
    await errorOf(first.execute(property.to, envelope(bookCommand({ stay: property.stay(8) })))),
    'NOT_EXECUTED',
    'the first is fenced',
  );
});

void t.test('a backend that dies while it commits leaves the outcome unknown, and the lane comes back', async (t) => {
  const property = await Stored.property(store);
  property.scene.accept(bookCommand({ stay: property.stay() }));
  const [batch] = property.take();
  await admin.query('begin');
  await admin.query('select 1 from property_actor where property_id = $1 for update', [property.to.propertyId]);
  const result = store.commit(0, [batch!]);
  const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%commit_batch_v3%'`;
  let pid: number | undefined;
  const isWaiting = async (): Promise<boolean> => {
    pid = (await admin.query<{ pid: number }>(waiting)).rows[0]?.pid;
    return pid !== undefined;
  };
  await untilTime(isWaiting, 'the commit that waits');
  await admin.query('select pg_terminate_backend($1)', [pid]);
  t.same(await result, { outcome: 'unknown' });
  await admin.query('rollback');
  t.equal((await takenIn(store, property.to)).seq, batch!.oldSeq);
  t.equal((await store.commit(0, [{ ...batch!, epoch: batch!.epoch + 1 }])).outcome, 'committed');
});

void t.test(
  'a commit whose answer never comes is given up, said once, and the next one takes another way',
  async (t) => {
    const { line, url: through } = await Line.to(url);
    const said: string[] = [];
    const lost = new PostgresPropertyStore({
      databaseUrl: through,
      database,
      reservations,
      nodeId: 'test',
      commitWithinMs: 600,
      onOverdue: (why: string) => said.push(why),
    });
    const properties = [await Stored.property(store), await Stored.property(store)];
    for (const property of properties) property.scene.accept(bookCommand({ stay: property.stay() }));
    const [first, second] = properties.map((property) => property.take()[0]!);
    const { epoch } = await takenIn(store, properties[0]!.to);
    const warm = await lost.commit(0, [{ ...first!, epoch }]);
    t.same(warm, { outcome: 'committed' });
    line.loseOpen();
    t.same(await lost.commit(0, [second!]), { outcome: 'unknown' });
    t.same(said, ['a commit had no answer within 0.6 s']);
    t.equal((await lost.commit(0, [second!])).outcome, 'committed', 'it had not arrived, so it is written now');
    await lost[Symbol.asyncDispose]();
    await line[Symbol.asyncDispose]();
  },
);

void t.test('health shows a database that answers and writes no booking, as behind a locked table', async (t) => {
  const said: string[] = [];
  const onOverdue = (why: string) => said.push(why);
  const options = { databaseUrl: url, database, reservations, nodeId: 'test', commitWithinMs: 300, onOverdue };
  await using locked = new PostgresPropertyStore(options);
  const property = await Stored.property(store);
  property.scene.accept(bookCommand({ stay: property.stay() }));
  const [batch] = property.take();
  await admin.query('begin; lock table reservations in access exclusive mode');
  for (const status of ['UP', 'OUT_OF_SERVICE']) {
    t.same(await locked.commit(0, [batch!]), { outcome: 'unknown' });
    t.match(await locked.health.check(), { status });
  }
  await admin.query('rollback');
  await untilTime(async () => (await locked.commit(0, [batch!])).outcome !== 'unknown', 'a commit that is answered');
  t.match(await locked.health.check(), { status: 'UP' });
});

void t.test(
  'two calls that claim one key in the same moment: the second has to retry, and finds it recorded (I4)',
  async (t) => {
    const property = await Stored.property(store);
    const key = keyed(`race-${property.to.propertyId}`, 'mine');
    property.scene.batch(envelope(bookCommand({ stay: property.stay() }), key));
    await admin.query('begin');
    await admin.query(
      `insert into idempotency (tenant_id, subject, key, fingerprint, state, ref, expires_at)
     values ($1, 'tester', $2, 'body', 'IN_PROGRESS', 'theirs', now() + interval '1 day')`,
      [property.to.tenantId, key.key],
    );
    const batches = property.take();
    const result = store.commit(0, batches);
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%commit_batch_v3%'`;
    await untilTime(async () => (await admin.query(waiting)).rows.length > 0, 'the commit that waits');
    await admin.query('commit');
    t.same(await result, { outcome: 'raced' });
    t.match(await store.commit(0, batches), { outcome: 'known-keys', keys: [{ ref: 'theirs', answer: null }] });
    t.equal((await takenIn(store, property.to)).seq, property.scene.state.seq - 1);
  },
);

void t.test('in a deadlock of a commit with a change of tables the commit may be retried', async (t) => {
  const property = await Stored.property(store);
  property.scene.accept(bookCommand({ stay: property.stay() }));
  const batches = property.take();
  await admin.query('begin');
  // Only the commit checks for deadlocks, so PostgreSQL aborts it.
  await admin.query(`set local deadlock_timeout = '1h'`);
  await admin.query('lock table reservations in access exclusive mode');
  const result = store.commit(0, batches);
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%commit_batch_v3%'`;
  await untilTime(async () => (await admin.query(waiting)).rows.length > 0, 'the commit that waits');
  await admin.query('lock table property_actor in access exclusive mode');
  await admin.query('commit');
  t.same(await result, { outcome: 'raced' });
  t.same(await store.commit(0, batches), { outcome: 'committed' });
});

void t.test('a call writes rows of its own tenants only, whatever its rows say (I8)', async (t) => {
  const property = await Stored.property(store);
  const rival = await Stored.property(store, 'rival');
  property.scene.accept(bookCommand({ stay: property.stay() }));
  const [batch] = property.take();
  const { oldSeq, oldHead, newSeq } = batch!;
  const [cell] = batch!.changes.cells;
  const { tenantId: t1, propertyId: p } = property.to;
  const fence = { t: t1, p, epoch: property.epoch, old: oldSeq, seq: newSeq, before: oldHead, headHash: 'x' };
  const theirs = { t: 'rival', p: rival.to.propertyId, roomType: 'STD', day: '2030-01-01', at: new Date() };
  const none = { held: 0, groupBlocked: 0, outOfOrder: 0, externalBlocked: 0, shortfall: 0 };
  const given: Partial<Record<RowList, unknown[]>> = {
    fences: [fence],
    cells: [{ ...theirs, total: cell!.total, available: 0, booked: 9, ...none }],
  };
  const lists = ROW_LISTS.map((name) => (given[name] ? JSON.stringify(given[name]) : null));
  await admin.query('begin; set local role innkeeper_app');
  const forged = admin.query(COMMIT, [t1, '{"cells": 1}', ...lists]);
  await t.rejects(forged, /row-level security|were written/);
  await admin.query('rollback');
  t.equal((await store.commit(0, [batch!])).outcome, 'committed', 'and nothing of the forged call was written');
});

void t.test('a row that the database refuses is poison for its batch only, and says why', async (t) => {
  const property = await Stored.property(store);
  property.scene.accept({
    type: 'PUT_ROOM_TYPE',
    roomType: roomType('STD', 3, { name: 'x'.repeat(101) }),
    mode: 'put',
  });
  t.match(await store.commit(0, property.take()), { outcome: 'rejected', reason: 'poison', detail: /22001/ });
  const other = await Stored.property(store);
  other.scene.accept(bookCommand({ stay: other.stay() }));
  const [batch] = other.take();
  t.match(
    await store.commit(0, [{ ...batch!, at: NaN }]),
    { outcome: 'rejected', reason: 'poison' },
    'also one that cannot be sent',
  );
  t.equal((await store.commit(0, [batch!])).outcome, 'committed');
});

void t.test('a store that cannot be reached says that nothing was sent', async (t) => {
  const nowhere = new PostgresPropertyStore({
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    database,
    reservations,
    nodeId: 'x',
  });
  t.match(await nowhere.commit(0, []), { outcome: 'unavailable' });
});

void t.test('a room type that is removed and made again is found as it lived', async (t) => {
  const property = await Stored.property(store);
  const day = property.scene.state.today + 3;
  property.scene.accept({ type: 'SET_INVENTORY', roomType: 'DLX', start: day, end: day, blockedRooms: 1 });
  property.scene.accept({ type: 'REMOVE_ROOM_TYPE', roomType: 'DLX' });
  property.scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('DLX', 4), mode: 'create' });
  await property.write();
  t.equal(canonical(comparable(await foundIn(store, property.to))), canonical(comparable(property.scene.state)));
});

void t.test('external stamps of a night are read as they were, and the nights beside it without', async (t) => {
  const property = await Stored.property(store);
  const day = property.scene.state.today + 3;
  const setStamped = (at: number, seq: number | null, totalRooms: number) =>
    property.scene.accept({
      type: 'SET_INVENTORY',
      roomType: 'DLX',
      start: day,
      end: day,
      totalRooms,
      blockedRooms: 1,
      told: { at, seq },
    });
  setStamped(1_700_000_000_122, null, 4);
  t.same(await property.write(), ['committed']);
  setStamped(1_700_000_000_123, 2 ** 40, 5);
  t.same(setStamped(1_700_000_000_121, null, 9), { oversold: [], stale: 1 });
  property.scene.accept({ type: 'SET_INVENTORY', roomType: 'DLX', start: day + 1, end: day + 1, totalRooms: 7 });
  property.scene.accept({
    type: 'SET_INVENTORY',
    roomType: 'STD',
    start: day,
    end: day,
    totalRooms: 5,
    told: { at: 1, seq: null },
  });
  t.ok((await property.write()).every((outcome) => outcome === 'committed'));
  const state = await foundIn(store, property.to);
  t.equal(canonical(comparable(state)), canonical(comparable(property.scene.state)));
  const slab = state.slabs.get('DLX')!;
  for (const one of [slab, slab.copy(), slab.moved(day - 1, 30), slab.moved(day, 3).copy()])
    t.same(one.stamp(day), { at: 1_700_000_000_123, seq: 2 ** 40 }, 'also in a copy and a window that has moved');
});

void t.test('a property code of the tenant that is taken is said to be taken', async (t) => {
  const [one, two] = [await Stored.property(store), await Stored.property(store)];
  const coded = ({ scene }: Stored) =>
    scene.accept({ type: 'UPDATE_PROPERTY', property: { ...scene.state.property!, propertyCode: 'CODE-1' } });
  coded(one);
  coded(two);
  t.same(await one.write(), ['committed']);
  const result = await store.commit(0, two.take());
  t.notMatch(result, { reason: 'poison' });
});

rewoundConformance(t, store);
