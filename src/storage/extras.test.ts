import t from 'tap';
import { withDatabase } from '../testing/database.ts';
import { storedHouse } from '../testing/stored-house.ts';
import { openDatabase } from './database.ts';
import { databaseExtras } from './extras.ts';

const { admin, url } = await withDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const extras = databaseExtras(database);

const BREAKFAST = { code: 'BREAKFAST', name: 'Breakfast', price: 1_850, taxPercent: 7.5, active: true };

t.test('an extra is put, replaced, removed and put again, in its house alone', async (t) => {
  const [one, two] = [await storedHouse(admin), await storedHouse(admin)];
  const spa = { ...BREAKFAST, code: 'A-SPA', description: 'Two hours', category: 'Wellness', active: false };
  await extras.put(one, BREAKFAST, 'EUR');
  await extras.put(one, spa, 'EUR');
  t.strictSame(await extras.list(one), [spa, BREAKFAST]);
  t.same(await extras.list(two), []);
  t.same(await extras.list({ ...one, tenantId: 'rival' }), []);
  const dearer = { ...BREAKFAST, price: 9_999_999_999 };
  await extras.put(one, dearer, 'EUR');
  t.strictSame(await extras.list(one), [spa, dearer]);
  t.equal(await extras.remove(two, 'BREAKFAST'), false);
  t.equal(await extras.remove(one, 'BREAKFAST'), true);
  t.equal(await extras.remove(one, 'BREAKFAST'), false);
  await extras.put(one, BREAKFAST, 'EUR');
  t.strictSame(await extras.list(one), [spa, BREAKFAST]);
});
