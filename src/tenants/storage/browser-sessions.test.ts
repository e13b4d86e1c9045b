import { setTimeout as pause } from 'node:timers/promises';
import tap, { type Test } from 'tap';

import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { memorySessions } from '../../testing/partners/memory-sessions.ts';
import type { BrowserSessionStore } from '../ports.ts';
import { databaseBrowserSessions } from './browser-sessions.ts';

const { admin, url } = await withTestDatabase(tap);
const database = await openDatabase(url);
tap.teardown(() => database[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
/** Longer than two queries take on a busy machine. */
const TURN_MS = 1_500;

/** Conformance suite of session stores. */
async function keepsSessions(t: Test, store: BrowserSessionStore): Promise<void> {
  const place = { tenantId: 'demo', id: 'one' };
  const soon = () => Date.now() + HOUR_MS;

  await t.test('a session is found where it was kept, and in no other tenant', async (t) => {
    await store.store(place, { sealed: 'first', endsAt: soon() });
    t.equal(await store.find(place), 'first');
    t.equal(await store.find({ ...place, tenantId: 'rival' }), undefined);
    t.equal(await store.find({ ...place, id: 'another' }), undefined);
  });
  await t.test('one caller may renew a session, until it is renewed or the lock expires', async (t) => {
    t.same(await Promise.all([1, 2, 3].map(() => store.claim(place, 60_000))).then((all) => all.filter(Boolean)), [
      true,
    ]);
    await store.renew(place, { sealed: 'second', endsAt: soon() });
    t.equal(await store.find(place), 'second');
    t.equal(await store.claim(place, TURN_MS), true);
    t.equal(await store.claim(place, TURN_MS), false);
    await pause(TURN_MS + 50);
    t.equal(await store.claim(place, TURN_MS), true, 'who had it has not come back');
    t.equal(await store.claim({ ...place, id: 'another' }, TURN_MS), false);
  });
  await t.test('an ended session stays ended', async (t) => {
    t.equal(await store.end(place), 'second');
    t.equal(await store.find(place), undefined);
    await store.renew(place, { sealed: 'third', endsAt: soon() });
    t.equal(await store.find(place), undefined, 'by whoever renews it meanwhile');
    t.equal(await store.end(place), undefined);
  });
  await t.test('a session is over at its end', async (t) => {
    await store.store({ ...place, id: 'old' }, { sealed: 'x', endsAt: Date.now() - 1_000 });
    t.equal(await store.find({ ...place, id: 'old' }), undefined);
    t.equal(await store.claim({ ...place, id: 'old' }, 50), false);
  });
}

void tap.test('in memory', (t) => keepsSessions(t, memorySessions()));

void tap.test('in the database', async (t) => {
  const store = databaseBrowserSessions(database);
  await t.test('like in memory', (t) => keepsSessions(t, store));
  await t.test('a sign-in removes expired sessions', async (t) => {
    await store.store({ tenantId: 'demo', id: 'new' }, { sealed: 'x', endsAt: Date.now() + HOUR_MS });
    const { rows } = await admin.query('select id from browser_sessions');
    t.same(rows, [{ id: 'new' }]);
  });
});

void tap.test('a few session queries run at a time, some wait, and the rest gets a retryable error', async (t) => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let asking = 0;
  let most = 0;
  const slow: typeof database.readTenant = async () => {
    most = Math.max(most, (asking += 1));
    await answered;
    asking -= 1;
    return [] as never;
  };
  const store = databaseBrowserSessions({ readTenant: slow, inTenant: database.inTenant.bind(database) });
  const all = Array.from({ length: 110 }, (_, n) => store.find({ tenantId: 'demo', id: `${n}` }));
  const seen = Promise.allSettled(all);
  await t.rejects(all.at(-1)!, { code: 'NOT_EXECUTED', details: { retryAfterSeconds: 2 } });
  answer();
  const refused = (await seen).filter(({ status }) => status === 'rejected');
  t.equal(refused.length, 8);
  t.equal(most, 2, 'bookings find a connection');
});
