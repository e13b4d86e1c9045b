import t from 'tap';

import { withDatabase } from '../testing/database.ts';
import { openDatabase } from './database.ts';

const { url } = await withDatabase(t);

void t.test('a pool that ends waits for no question that hangs, and the process may say why it ends', async (t) => {
  const database = await openDatabase(url);
  let isAsked = true;
  const question = database
    .readTenant('acme', (em) => em.execute('select pg_sleep(8)'))
    .catch(() => undefined)
    .finally(() => (isAsked = false));
  await database[Symbol.asyncDispose]();
  t.ok(isAsked, 'it is over before the question is');
  await question;
});
