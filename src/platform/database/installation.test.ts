import t from 'tap';

import { withTestDatabase } from '../../testing/database.ts';
import { connect } from './connection.ts';
import { installationOf } from './installation.ts';

const { url } = await withTestDatabase(t);

t.test('a database has one name, which its address does not reveal', async (t) => {
  const client = await connect(url, 'innkeeper_system');
  t.teardown(() => client.end());
  const id = await installationOf(async () => client);
  t.match(id, /^[0-9a-f]+-\d+$/);
  t.equal(await installationOf(async () => client), id);
});
