import { randomUUID } from 'node:crypto';
import t from 'tap';

import type { TimeReading } from '../../kernel/ports.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { connect } from '../database/connection.ts';
import { Lease, type LeaseOptions } from './lease.ts';

const { admin, url } = await withTestDatabase(t);
const client = () => connect(url, 'innkeeper_system');
const silent = { renewed: () => {}, lost: () => {} };
const node = (nodeId: string) => ({ nodeId, incarnation: randomUUID() });
const taken = async (nodeId: string, options: Partial<LeaseOptions> = {}) =>
  Lease.take({ node: node(nodeId), client: await client(), ...silent, ...options });

void t.test('one process at a time is a node; its end frees the node at once', async (t) => {
  const first = await taken('n1');
  t.ok(first.held);
  const second = await client();
  await t.rejects(taken('n1', { client: second }), /another Innkeeper runs as node n1/);
  const other = await taken('n2');
  t.ok(other.held, 'another node is free');
  await first[Symbol.asyncDispose]();
  t.notOk(first.held);
  const third = await taken('n1', { client: second });
  t.ok(third.held);
  const { rows } = await admin.query('select node_id from system.cluster_node order by 1');
  t.same(rows, [{ node_id: 'n1' }, { node_id: 'n2' }]);
  await Promise.all([other[Symbol.asyncDispose](), third[Symbol.asyncDispose]()]);
  t.same((await admin.query('select 1 from system.cluster_node')).rows, []);
});

void t.test('a lease whose connection dies is lost at once, and reported once', async (t) => {
  const connection = await client();
  let lost = 0;
  const lease = await taken('n3', { client: connection, lost: () => (lost += 1) });
  const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
  await admin.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
  await untilTime(() => lost > 0);
  t.notOk(lease.held);
  t.equal(lost, 1);
  await lease[Symbol.asyncDispose]();
});

void t.test('each renewal reports the time of the database, and the moments around the query', async (t) => {
  const readings: TimeReading[] = [];
  await admin.query('update system.clock set offset_ms = 86400000');
  const lease = await taken('n4', { renewed: ({ time }) => readings.push(time) });
  const { database, ahead, sent, received } = readings[0]!;
  t.equal(ahead, 86_400_000);
  t.ok(sent <= database && database <= received + 1);
  await untilTime(() => readings.length > 1);
  await lease[Symbol.asyncDispose]();
  await admin.query('update system.clock set offset_ms = 0');
});

void t.test('a node that was declared dead, or has a newer incarnation, renews nothing', async (t) => {
  for (const end of [
    `delete from system.cluster_node where node_id = 'n5'`,
    `update system.cluster_node set incarnation = gen_random_uuid() where node_id = 'n5'`,
    `update system.cluster_node set lease_until = clock_timestamp() where node_id = 'n5'`,
  ]) {
    const why: string[] = [];
    const lease = await taken('n5', { lost: (text) => why.push(text) });
    await admin.query(end);
    await untilTime(() => why.length > 0);
    t.match(why, ['the database has declared this node dead']);
    t.notOk(lease.held);
    await lease[Symbol.asyncDispose]();
    await admin.query(`delete from system.cluster_node where node_id = 'n5'`);
  }
});

void t.test('the row says who the node is, and a renewal that nobody suspects it any more', async (t) => {
  const who = { ...node('n6'), address: 'here:1', role: 'actors', build: '1.2.3' };
  const lease = await taken('n6', { node: who });
  const sql = `select node_id as "nodeId", incarnation, address, role, build, suspected_at is null as well
    from system.cluster_node where node_id = 'n6'`;
  t.same((await admin.query(sql)).rows, [{ ...who, well: true }]);
  await admin.query(`update system.cluster_node set suspected_at = now() where node_id = 'n6'`);
  await untilTime(async () => (await admin.query<{ well: boolean }>(sql)).rows[0]!.well);
  await lease[Symbol.asyncDispose]();
});
