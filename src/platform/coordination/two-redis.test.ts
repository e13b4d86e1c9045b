import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Test, test } from 'tap';

import { ownServicesOrSkip } from '../../../test/services/needed.ts';
import { PlacedNode } from '../../testing/cluster/placed-node.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { redisHealth } from '../../wiring/counters.ts';
import { UNSEEN_MS } from './members.ts';
import type { ClusterView, Member } from './ports.ts';

/** What a wrong rule would do within, and a right one never does. */
const A_WHILE_MS = 2_500;

const property = (n: number) => ({ tenantId: 'acme', propertyId: `p-${n}` });
const ids = ({ members }: ClusterView) => members.map(({ nodeId }) => nodeId);
const SPLIT = 'these nodes have a lease, and the Redis of this node does not name them';

void test('nodes of one database that see two Redis servers', async (t) => {
  const one = (await ownServicesOrSkip(t, ['redis']))?.redis;
  const other = (await ownServicesOrSkip(t, ['redis']))?.redis;
  if (!one || !other) return;
  const { admin, url: database } = await withTestDatabase(t);
  /** A cluster of its own for one test. */
  const cluster = (t: Test) => {
    const name = randomUUID();
    return async (nodeId: string, redis = one.url, { isJoined = true, ...more }: Given = {}) => {
      const node = new PlacedNode(database, nodeId, more);
      node.isJoined = isJoined;
      t.teardown(() => node[Symbol.asyncDispose]());
      return node.start({ redis, database, cluster: name });
    };
  };
  const all = (nodes: PlacedNode[], expected: string[]) =>
    untilTime(() => nodes.every(({ placement }) => ids(placement.view).join() === expected.join()), expected.join());
  const oneNumber = (nodes: PlacedNode[]) =>
    untilTime(() => new Set(nodes.map(({ placement }) => placement.view.version)).size === 1, 'one number');

  await t.test('come to one view under one number, and each property has one owner', async (t) => {
    const start = cluster(t);
    const here = [await start('a'), await start('b'), await start('c')];
    const odd = await start('d', other.url);
    const nodes = [...here, odd];
    await all(nodes, ['a', 'b', 'c', 'd']);
    await oneNumber(nodes);
    for (let n = 0; n < 200; n++) {
      const owners = new Set(nodes.map(({ placement }) => placement.ownerOf(property(n))!.nodeId));
      t.equal(owners.size, 1);
    }
    const e = await start('e');
    await all([...nodes, e], ['a', 'b', 'c', 'd', 'e']);
    await oneNumber([...nodes, e]);
    const { version } = odd.placement.view;
    await pause(A_WHILE_MS);
    t.equal(odd.placement.view.version, version, 'and the number rests');
  });

  await t.test(
    'hear at once of one that leaves, though it has its lease still, and do not add it again',
    async (t) => {
      const start = cluster(t);
      const a = await start('a');
      const b = await start('b');
      const odd = await start('d', other.url);
      await all([a, b, odd], ['a', 'b', 'd']);
      await b.placement.leave();
      const began = performance.now();
      await all([a, odd], ['a', 'd']);
      const ms = performance.now() - began;
      t.ok(ms < UNSEEN_MS, `${Math.round(ms)} ms`);
      for (const node of [a, odd]) node.views.length = 0;
      await pause(A_WHILE_MS);
      t.ok(b.lease.held);
      for (const view of [a, odd].flatMap(({ views }) => views)) t.same(ids(view), ['a', 'd']);
      await odd.placement.leave();
      await all([a], ['a']);
    },
  );

  await t.test('add nobody who has a lease and has not joined, also when it has its lease anew', async (t) => {
    const start = cluster(t);
    const a = await start('a');
    const early = await start('d', other.url, { isJoined: false });
    await pause(A_WHILE_MS);
    t.same(ids(a.placement.view), ['a']);
    t.equal(a.views.length, 0);
    early.isJoined = true;
    await all([a, early], ['a', 'd']);
  });

  await t.test('take a build that announces itself in Redis alone from there, and from nowhere else', async (t) => {
    const start = cluster(t);
    const a = await start('a');
    // As a row of a build from before: it has no word on it.
    await admin.query(
      `insert into system.cluster_node (node_id, lease_until, lock_key, incarnation, address, role, build)
       values ('old', now() + interval '1 hour', 0, gen_random_uuid(), '127.0.0.1:9009', 'all', '0.9')`,
    );
    t.teardown(() => admin.query(`delete from system.cluster_node where node_id = 'old'`));
    await pause(A_WHILE_MS);
    t.same(ids(a.placement.view), ['a']);
    a.line.cut();
    await all([a], ['a', 'old']);
    a.line.mend();
    await all([a], ['a']);
  });

  await t.test('keep one that its Redis has lost sight of, without a moment in which it is nowhere', async (t) => {
    const start = cluster(t);
    const a = await start('a');
    const b = await start('b');
    await all([a, b], ['a', 'b']);
    a.views.length = 0;
    b.line.isStuck = true;
    await untilTime(() => a.placement.redisMissing.length > 0);
    await pause(A_WHILE_MS);
    for (const view of a.views) t.same(ids(view), ['a', 'b']);
    t.same(ids(a.placement.view), ['a', 'b']);
    // What was swallowed is lost without an error: nothing can go on over the same connection.
    b.line.isStuck = false;
    await untilTime(() => a.placement.redisMissing.length === 0 && b.placement.redisTrouble === undefined);
    await oneNumber([a, b]);
  });

  await t.test('drop one whose main thread stands still, though its lease is renewed', async (t) => {
    const start = cluster(t);
    const a = await start('a');
    const b = await start('b');
    const odd = await start('d', other.url);
    await all([a, b, odd], ['a', 'b', 'd']);
    b.standStill();
    const began = performance.now();
    await all([a, odd], ['a', 'd']);
    const ms = performance.now() - began;
    t.ok(ms > 1_000, `${Math.round(ms)} ms`);
    t.ok(b.lease.held);
    t.equal(a.placement.figures.deaths, 0, 'nobody has taken it for dead');
  });

  await t.test('say it once, in health and in a figure, and that it is over', async (t) => {
    const start = cluster(t);
    const a = await start('a');
    const odd = await start('d', other.url);
    await untilTime(() => [a, odd].every(({ placement }) => placement.redisMissing.length === 1));
    t.same(
      [a, odd].flatMap(({ placement }) => placement.redisMissing),
      ['d', 'a'],
    );
    const health = redisHealth(a.redis.health, a.placement);
    t.match(await health.check(), { status: 'DOWN', details: { missing: ['d'] } });
    await pause(A_WHILE_MS);
    for (const { said } of [a, odd]) t.equal(said.filter((line) => line === SPLIT).length, 1, said.join());
    await odd.placement.leave();
    await odd[Symbol.asyncDispose]();
    await start('d');
    await untilTime(() => a.placement.redisMissing.length === 0);
    t.same(await health.check(), { status: 'UP' });
    t.ok(a.said.includes('the Redis of this node names every node with a lease'));
  });

  await t.test('find a node that is in no view by its lease', async (t) => {
    const start = cluster(t);
    const a = await start('a');
    const b = await start('b', other.url, { isJoined: false, port: 9_007 });
    t.match(await a.placement.lookUp('b'), { incarnation: b.member.incarnation, host: '127.0.0.1', port: 9_007 });
    t.equal(await a.placement.lookUp('nobody'), undefined);
    await b.kill();
    a.placement.suspect(b.member);
    await untilTime(async () => (await a.placement.lookUp('b')) === undefined, 'its death is checked as always');
  });
});

type Given = Partial<Member> & { isJoined?: boolean };
