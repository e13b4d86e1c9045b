import { randomBytes } from 'node:crypto';
import t from 'tap';

import { withTestDatabase } from '../../testing/database.ts';
import { connect } from './connection.ts';
import { checkSecretKeys } from './secret-keys.ts';

const { url } = await withTestDatabase(t);
const client = await connect(url, 'innkeeper_system');
t.teardown(() => client.end());

const named = (id: string) => ({ id, key: randomBytes(32) });
const first = named('k1');
const second = named('k2');

t.test('keys are recorded at the first start, and a node with the same keys starts', async (t) => {
  await checkSecretKeys(client, [first]);
  await checkSecretKeys(client, [first]);
  await checkSecretKeys(client, [second, first]);
  const { rows } = await client.query<{ id: string; proof: string }>(
    'select id, proof from system.secret_key order by 1',
  );
  t.same(
    rows.map(({ id }) => id),
    ['k1', 'k2'],
  );
  const text = JSON.stringify(rows);
  for (const { key } of [first, second])
    for (const as of ['base64', 'base64url', 'hex'] as const) t.notOk(text.includes(key.toString(as)));
});

t.test('a node without a key that was used does not start, and its error names it', async (t) => {
  await t.rejects(checkSecretKeys(client, [second]), { name: 'ConfigError', message: /the key k1 is missing/ });
});

t.test('a node with another key under a known name does not start, and leaves nothing behind', async (t) => {
  await t.rejects(
    checkSecretKeys(client, [named('k3'), named('k2'), first]),
    /the key k2 is another one than before/,
  );
  const { rows } = await client.query("select from system.secret_key where id = 'k3'");
  t.equal(rows.length, 0);
});
