import { Pool } from 'pg';
import t from 'tap';

import { Line } from '../../testing/cluster/line.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { connect } from './connection.ts';
import { Connections, LimitedClient } from './limited-client.ts';

const { url } = await withTestDatabase(t);

void t.test('a pool never hands out again what had no answer in time', async (t) => {
  const { line, url: through } = await Line.to(url);
  const pool = new Pool({ connectionString: through, max: 1, query_timeout: 500, Client: LimitedClient });
  pool.on('error', () => {});
  const before = (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
  line.loseOpen();
  await t.rejects(pool.query('select 1'), /read timeout|terminated/i);
  const after = (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
  t.not(after, before, 'on a new connection');
  await pool.end();
  await line[Symbol.asyncDispose]();
});

void t.test('a connection that had no answer in time is over, and its end is bounded', async (t) => {
  const { line, url: through } = await Line.to(url);
  const client = await connect(through, 'innkeeper_system', { answerWithinMs: 300 });
  let ended = false;
  client.once('end', () => (ended = true));
  line.loseOpen();
  await t.rejects(client.query('select 1'), /read timeout/i);
  await untilTime(() => ended);
  await t.rejects(client.query('select 1'), /not queryable|terminated|closed/i);
  const { line: other, url: others } = await Line.to(url);
  const idle = await connect(others, 'innkeeper_system');
  other.loseOpen();
  await idle.end();
  t.pass('an idle connection to nowhere ends too');
  await line[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

void t.test('all connections of a node are cut at once, in every pool', async (t) => {
  const connections = new Connections();
  const single = await connect(url, 'innkeeper_system', { Client: connections.Client });
  const pool = new Pool({ connectionString: url, max: 2, Client: connections.Client });
  pool.on('error', () => {});
  await pool.query('select 1');
  t.equal(connections.size, 2);
  const sleeping = [single.query('select pg_sleep(60)'), pool.query('select pg_sleep(60)')];
  for (const one of sleeping) one.catch(() => undefined);
  connections.cutAll();
  for (const one of sleeping) await t.rejects(one, /terminated/i);
  await untilTime(() => connections.size === 0);
  t.equal((await pool.query('select 1')).rowCount, 1, 'the pool goes on with a new one');
  await pool.end();
});
