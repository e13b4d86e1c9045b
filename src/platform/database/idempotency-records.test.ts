import t from 'tap';

import { withTestDatabase } from '../../testing/database.ts';
import { openDatabase } from './database.ts';
import { onceUnderKey } from './idempotency-records.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());

const by = { tenantId: 'a', subject: 'u-1', requestId: 'r-1' };
const key = (name: string, fingerprint = 'f') => ({ key: name, fingerprint });
let done = 0;
const once = (named: ReturnType<typeof key> | undefined, who = by) =>
  database.inTenant(who.tenantId, (em) => onceUnderKey(em, who, named, async () => ({ n: ++done })));

t.test('the same request again gets the answer of the first, and nothing is done', async (t) => {
  const first = await once(key('k1'));
  t.strictSame(await once(key('k1')), { ...first, replayed: true });
  t.notSame((await once(undefined)).result, first.result, 'without a key each is a request of its own');
  t.equal((await once(key('k1'), { ...by, subject: 'u-2' })).replayed, false, 'keys are of a user');
  t.equal((await once(key('k1'), { ...by, tenantId: 'b' })).replayed, false, 'and of a tenant');
});

t.test('the answer is that of the first to the letter', async (t) => {
  const answer = { zebra: 1.5, a: [{ y: null, x: 'ä' }], big: 99_999_999.99 };
  const work = () =>
    database.inTenant('a', (em) => onceUnderKey(em, by, key('letter'), () => Promise.resolve(answer)));
  const first = await work();
  const again = await work();
  t.equal(JSON.stringify(again.result), JSON.stringify(first.result));
  t.equal(again.replayed, true);
});

t.test('another request under the key is refused', async (t) => {
  await once(key('k2'));
  await t.rejects(once(key('k2', 'another')), { code: 'IDEMPOTENCY_MISMATCH' });
});

t.test('while the first still runs the second gets IDEMPOTENCY_IN_PROGRESS', async (t) => {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  let begun = (): void => {};
  const running = new Promise<void>((resolve) => (begun = resolve));
  const first = database.inTenant('a', (em) =>
    onceUnderKey(em, by, key('k3'), async () => {
      begun();
      await ended;
      return 'first';
    }),
  );
  await running;
  await t.rejects(once(key('k3')), { code: 'IDEMPOTENCY_IN_PROGRESS', details: { retryAfterSeconds: 1 } });
  end();
  t.strictSame(await first, { result: 'first', replayed: false });
  t.strictSame(await once(key('k3')), { result: 'first', replayed: true });
});

t.test('what came to nothing leaves the key free', async (t) => {
  const failing = database.inTenant('a', (em) =>
    onceUnderKey(em, by, key('k4'), () => Promise.reject(new Error('nothing'))),
  );
  await t.rejects(failing, /nothing/);
  t.equal((await once(key('k4'))).replayed, false);
});

t.test('a key that a property works under is not free, and after a day it is', async (t) => {
  await admin.query(
    `insert into idempotency (tenant_id, subject, key, fingerprint, state, property_id, ref, expires_at)
     values ('a', 'u-1', 'k5', 'f', 'IN_PROGRESS', 'p', 'hold', app_now() + interval '1 hour')`,
  );
  await t.rejects(once(key('k5')), { code: 'IDEMPOTENCY_IN_PROGRESS' });
  await admin.query(`update idempotency set expires_at = app_now() where key = 'k5'`);
  t.equal((await once(key('k5'))).replayed, false);
  t.equal((await once(key('k5'))).replayed, true);
});
