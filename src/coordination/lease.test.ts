import t from 'tap';
import { quiet } from '../../actors/testing/running-host.ts';
import { connect } from '../storage/connection.ts';
import { withDatabase } from '../testing/database.ts';
import { until } from '../testing/fake-clock.ts';
import { KeptLease } from './kept-lease.ts';
import { Lease } from './lease.ts';

const { admin, url } = await withDatabase(t);
const client = () => connect(url, 'innkeeper_system');
const silent = { log: quiet, renewed: () => {} };

void t.test('one process at a time is a node; its end frees the node at once', async (t) => {
  const first = await Lease.take({ nodeId: 'n1', client: await client(), ...silent, lost: () => {} });
  t.ok(first.held);
  const second = await client();
  await t.rejects(
    Lease.take({ nodeId: 'n1', client: second, ...silent, lost: () => {} }),
    /another Innkeeper runs as node n1/,
  );
  const other = await Lease.take({ nodeId: 'n2', client: await client(), ...silent, lost: () => {} });
  t.ok(other.held, 'another node is free');
  await first[Symbol.asyncDispose]();
  t.notOk(first.held);
  const third = await Lease.take({ nodeId: 'n1', client: second, ...silent, lost: () => {} });
  t.ok(third.held);
  const { rows } = await admin.query('select node_id from system.cluster_node order by 1');
  t.same(rows, [{ node_id: 'n1' }, { node_id: 'n2' }]);
  await Promise.all([other[Symbol.asyncDispose](), third[Symbol.asyncDispose]()]);
  t.same((await admin.query('select 1 from system.cluster_node')).rows, []);
});

void t.test('a lease whose connection dies is lost at once, and told once', async (t) => {
  const connection = await client();
  let lost = 0;
  const lease = await Lease.take({ nodeId: 'n3', client: connection, ...silent, lost: () => (lost += 1) });
  const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
  await admin.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
  await until(() => lost > 0);
  t.notOk(lease.held);
  t.equal(lost, 1);
  await lease[Symbol.asyncDispose]();
});

void t.test('each renewal tells the time of the database', async (t) => {
  const times: number[] = [];
  await admin.query('update system.clock set offset_ms = 86400000');
  const lease = await Lease.take({
    nodeId: 'n4',
    client: await client(),
    log: quiet,
    renewed: (now) => times.push(now),
    lost: () => {},
  });
  t.ok(Math.abs(times[0]! - Date.now() - 86_400_000) < 10_000);
  await lease[Symbol.asyncDispose]();
  await admin.query('update system.clock set offset_ms = 0');
});

void t.test('a lost lease is taken again when the database is back, and ends for good when told to', async (t) => {
  const kept = await KeptLease.take({ nodeId: 'n5', connect: client, ...silent });
  let lost = 0;
  kept.onLost(() => (lost += 1));
  const { rows } = await (await kept.client()).query<{ pid: number }>('select pg_backend_pid() as pid');
  await admin.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
  await until(() => lost === 1);
  t.notOk(kept.held);
  await t.rejects(kept.client(), /lost/);
  await until(() => kept.held);
  t.ok(await kept.client());
  await kept[Symbol.asyncDispose]();
  t.notOk(kept.held);
});
