import { setTimeout as pause } from 'node:timers/promises';
import tap, { type Test } from 'tap';

import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { memorySessions } from '../../testing/partners/memory-sessions.ts';
import { personOf } from '../contracts/person-key.ts';
import type { BrowserSessionStore, People } from '../ports.ts';
import { databaseBrowserSessions } from './browser-sessions.ts';
import { databasePeople } from './people.ts';

const { admin, url } = await withTestDatabase(tap);
const database = await openDatabase(url);
tap.teardown(() => database[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
/** Longer than two queries take on a busy machine. */
const TURN_MS = 1_500;

/** Conformance suite of session stores. */
async function keepsSessions(t: Test, store: BrowserSessionStore, people: People): Promise<void> {
  const place = { tenantId: 'demo', id: 'one' };
  const soon = () => Date.now() + HOUR_MS;
  const token = (mark: string) => ({ mark, endsAt: soon() });

  await t.test('a session is found where it was kept, and in no other tenant', async (t) => {
    await store.store(place, { sealed: 'first', endsAt: soon(), token: token('1') });
    t.equal(await store.find(place), 'first');
    t.equal(await store.find({ ...place, tenantId: 'rival' }), undefined);
    t.equal(await store.find({ ...place, id: 'another' }), undefined);
  });
  await t.test('one caller may renew a session, until it is renewed or the lock expires', async (t) => {
    const claims = Array.from({ length: 30 }, () => store.claim(place, 60_000));
    t.same((await Promise.all(claims)).filter(Boolean), [true]);
    await store.renew(place, { sealed: 'second', endsAt: soon(), token: token('2') });
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
    await store.renew(place, { sealed: 'third', endsAt: soon(), token: token('3') });
    t.equal(await store.find(place), undefined, 'by whoever renews it meanwhile');
    t.equal(await store.end(place), undefined);
  });
  await t.test('a session is over at its end', async (t) => {
    await store.store({ ...place, id: 'old' }, { sealed: 'x', endsAt: Date.now() - 1_000, token: token('4') });
    t.equal(await store.find({ ...place, id: 'old' }), undefined);
    t.equal(await store.claim({ ...place, id: 'old' }, 50), false);
  });
  await t.test('a person sees the sessions of all tenants, and ends them with their tokens', async (t) => {
    const [person, other] = ['mara', 'vera'].map((subject) => personOf({ issuer: 'https://issuer', subject }));
    const at = (tenantId: string, id: string) => ({ tenantId, id });
    const use = async (where: ReturnType<typeof at>, by: string): Promise<void> => {
      await store.store(where, { sealed: where.id, endsAt: soon(), token: token(where.id) });
      await store.used(where, { person: by, browser: 'Firefox, Linux', token: token(where.id) });
    };
    await use(at('demo', 'a'), person!);
    await use(at('rival', 'b'), person!);
    await use(at('demo', 'c'), person!);
    await use(at('demo', 'd'), other!);
    const listed = await store.ofPerson(person!, 10);
    t.same(listed.map(({ tenantId, id }) => `${tenantId} ${id}`).sort(), ['demo a', 'demo c', 'rival b']);
    t.match(listed[0], { browser: 'Firefox, Linux', beganAt: Number, usedAt: Number });
    t.equal((await store.ofPerson(person!, 2)).length, 2);
    t.same(await store.endOfPerson(person!, { id: 'd' }), [], 'that of somebody else stays');
    await store.renew(at('rival', 'b'), { sealed: 'b', endsAt: soon(), token: token('b2') });
    t.match(await store.endOfPerson(person!, { id: 'b' }), [{ tenantId: 'rival', id: 'b', sealed: 'b' }]);
    t.equal(await people.hasEnded(person!, 'b'), true, 'also the token before the last');
    t.equal(await people.hasEnded(person!, 'b2'), true);
    t.equal(await people.hasEnded(other!, 'b2'), false);
    t.equal(await people.hasEnded(person!, 'a'), false);
    t.equal((await store.endOfPerson(person!, { butFor: 'a' })).length, 1);
    t.equal(await store.find(at('demo', 'a')), 'a');
    t.equal(await store.find(at('demo', 'c')), undefined);
    t.equal(await store.find(at('demo', 'd')), 'd');
    t.equal(await store.end(at('demo', 'a')), 'a');
    t.equal(await people.hasEnded(person!, 'a'), true, 'signing out ends the token too');
    await store.end(at('demo', 'd'));
  });
  await t.test('preferences are set member by member, and forgotten by null', async (t) => {
    const [person, other] = ['mara', 'vera'].map((subject) => personOf({ issuer: 'https://issuer', subject }));
    t.same(await people.preferences(person!), {});
    t.same(await people.prefer(person!, { language: 'de', clock: '12h' }), { language: 'de', clock: '12h' });
    t.same(await people.prefer(person!, { theme: 'dark', clock: null }), { language: 'de', theme: 'dark' });
    t.same(await people.preferences(person!), { language: 'de', theme: 'dark' });
    t.same(await people.preferences(other!), {});
  });
}

void tap.test('in memory', (t) => {
  const store = memorySessions();
  return keepsSessions(t, store, store.people);
});

void tap.test('in the database', async (t) => {
  const store = databaseBrowserSessions(database);
  await t.test('like in memory', (t) => keepsSessions(t, store, databasePeople(database)));
  await t.test('a row of the release before gets its person when it is used, and ends', async (t) => {
    const place = { tenantId: 'demo', id: 'before' };
    const person = personOf({ issuer: 'https://issuer', subject: 'before' });
    await admin.query(
      `insert into browser_sessions (tenant_id, id, sealed, ends_at) values ('demo', 'before', 'x', now() + interval '1 h')`,
    );
    const token = { mark: 'm', endsAt: Date.now() + HOUR_MS };
    await store.used(place, { person, browser: '', token });
    t.match(await store.ofPerson(person, 5), [{ id: 'before', browser: null, beganAt: null, usedAt: Number }]);
    t.equal(await store.end(place), 'x');
    t.equal(await databasePeople(database).hasEnded(person, 'm'), true);
  });
  await t.test('a change that waits for the lock of another goes on when that is committed', async (t) => {
    const place = { tenantId: 'demo', id: 'locked' };
    const token = { mark: 'l', endsAt: Date.now() + HOUR_MS };
    const person = personOf({ issuer: 'https://issuer', subject: 'locked' });
    const afterLock = async <T>(change: () => Promise<T>): Promise<T> => {
      await admin.query('begin');
      await admin.query(`update browser_sessions set browser = 'Other' where id = 'locked'`);
      const changed = change();
      const isWaiting = async () =>
        (
          await admin.query(
            `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
        ).rowCount;
      await untilTime(async () => (await isWaiting()) === 1);
      await admin.query('commit');
      return changed;
    };
    await store.store(place, { sealed: 'x', endsAt: Date.now() + HOUR_MS, token });
    t.equal(await afterLock(() => store.claim(place, 60_000)), true);
    await afterLock(() => store.used(place, { person, browser: '', token }));
    t.match(await afterLock(() => store.endOfPerson(person, { id: 'locked' })), [{ sealed: 'x' }]);
  });
  await t.test('marks of tokens that are over are removed with the next end', async (t) => {
    await admin.query(`update ended_tokens set ends_at = now() - interval '1 minute'`);
    await store.endOfPerson(personOf({ issuer: 'https://issuer', subject: 'vera' }), { butFor: undefined });
    t.same((await admin.query('select * from ended_tokens')).rows, []);
  });
  await t.test('members and values of another release are left out, and kept', async (t) => {
    const people = databasePeople(database);
    const person = personOf({ issuer: 'https://issuer', subject: 'later' });
    await people.prefer(person, { theme: 'dark' });
    await admin.query(
      `update person_preferences set preferences = preferences || '{"clock":"36h","sound":true}' where person = $1`,
      [person],
    );
    t.same(await people.prefer(person, { density: 'compact' }), { theme: 'dark', density: 'compact' });
    const { rows } = await admin.query('select preferences from person_preferences where person = $1', [person]);
    t.same(rows[0].preferences, { theme: 'dark', density: 'compact', clock: '36h', sound: true });
  });
  await t.test('a sign-in removes expired sessions', async (t) => {
    await store.store(
      { tenantId: 'demo', id: 'new' },
      {
        sealed: 'x',
        endsAt: Date.now() + HOUR_MS,
        token: { mark: 'n', endsAt: Date.now() + HOUR_MS },
      },
    );
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
  const store = databaseBrowserSessions({ ...database, readTenant: slow });
  const all = Array.from({ length: 110 }, (_, n) => store.find({ tenantId: 'demo', id: `${n}` }));
  const seen = Promise.allSettled(all);
  await t.rejects(all.at(-1)!, { code: 'NOT_EXECUTED', details: { retryAfterSeconds: 2 } });
  answer();
  const refused = (await seen).filter(({ status }) => status === 'rejected');
  t.equal(refused.length, 8);
  t.equal(most, 2, 'bookings find a connection');
});
