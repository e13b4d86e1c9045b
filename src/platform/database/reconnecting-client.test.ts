import t from 'tap';

import { withTestDatabase } from '../../testing/database.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { connect } from './connection.ts';
import { ReconnectingClient } from './reconnecting-client.ts';

const { url, admin } = await withTestDatabase(t);

void t.test('concurrent queries run one after the other, and each gets its own result', async (t) => {
  await using connection = new ReconnectingClient(() => connect(url, 'innkeeper_system'));
  const client = await connection.client();
  const warned: string[] = [];
  const hear = (warning: Error): void => void warned.push(warning.message);
  process.on('warning', hear);
  const all = [1, 2, 3].map((n) => client.query<{ n: number }>('select $1::int as n', [n]));
  const wrong = client.query('select nothing');
  const after = client.query<{ n: number }>('select 4 as n');
  t.same(
    (await Promise.all(all)).map(({ rows }) => rows[0]?.n),
    [1, 2, 3],
  );
  await t.rejects(wrong, /nothing/);
  t.equal((await after).rows[0]?.n, 4, 'a wrong one keeps nobody from the next');
  await new Promise((done) => setImmediate(done));
  process.off('warning', hear);
  t.same(warned, []);
});

void t.test('a connection that was lost is opened again for the next question', async (t) => {
  await using connection = new ReconnectingClient(() => connect(url, 'innkeeper_system'));
  const client = await connection.client();
  t.equal(await connection.client(), client, 'as long as it is there it is the same');
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  let isLost = false;
  client.once('end', () => (isLost = true));
  await admin.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
  await untilTime(() => isLost, 'the end of the connection');
  t.not(await connection.client(), client);
});
