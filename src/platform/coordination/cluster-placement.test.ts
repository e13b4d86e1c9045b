import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Test, test } from 'tap';

import { servicesOrSkip } from '../../../test/services/needed.ts';
import { PlacedNode, recordedLog, unheard } from '../../testing/cluster/placed-node.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { NOW } from '../../testing/property-world.ts';
import { connect } from '../database/connection.ts';
import { Lease } from './lease.ts';
import { Members, UNSEEN_MS } from './members.ts';
import type { ClusterView, Member } from './ports.ts';
import { Redis } from './redis.ts';

/** Nobody is dropped for his silence before: it lasts 3 s, and his last word may have been a second before. */
const BY_SILENCE_MS = 1_900;

const tenant = (n: number) => ({ tenantId: 'acme', propertyId: `p-${n}` });
const ids = ({ members }: ClusterView) => members.map(({ nodeId }) => nodeId);

void test('who is there and who owns what', async (t) => {
  const redis = servicesOrSkip(t, ['redis'])?.redis;
  if (redis === undefined) return;
  const { admin, url: database } = await withTestDatabase(t);
  const direct = await Redis.open(redis, recordedLog().log);
  t.teardown(() => direct[Symbol.asyncDispose]());
  /** A cluster of its own for one test. */
  const cluster = (t: Test) => {
    const world = { redis, database, cluster: randomUUID() };
    const key = `innkeeper:{${world.cluster}}:members`;
    const start = async (nodeId: string, more?: Partial<Member>, how?: 'cut') => {
      const node = new PlacedNode(database, nodeId, more);
      t.teardown(() => node[Symbol.asyncDispose]());
      await node.start(world, how);
      return node;
    };
    const wipe = () => direct.client.del([key, `${key}:seen`, `${key}:version`]);
    return { start, key, wipe, world };
  };
  const all = (nodes: PlacedNode[], expected: string[]) =>
    untilTime(() => nodes.every(({ placement }) => ids(placement.view).join() === expected.join()), expected.join());

  await t.test('nodes that join are known to all at once, and own about as much each', async (t) => {
    const { start } = cluster(t);
    const a = await start('a');
    t.same(ids(a.placement.view), ['a']);
    const b = await start('b');
    t.same(ids(b.placement.view), ['a', 'b'], 'it knows the others when it has joined');
    const startedAt = performance.now();
    await all([a], ['a', 'b']);
    t.ok(performance.now() - startedAt < 500, 'they are notified, and need not poll');
    const c = await start('c', { role: 'gateway' });
    await all([a, b, c], ['a', 'b', 'c']);
    const versions = [a, b, c].map(({ placement }) => placement.view.version);
    t.equal(new Set(versions).size, 1);
    const owners = Array.from({ length: 500 }, (_, n) => a.placement.ownerOf(tenant(n))!.nodeId);
    t.same([...new Set(owners)].sort(), ['a', 'b'], 'a gateway owns nothing');
    t.same(
      owners,
      Array.from({ length: 500 }, (_, n) => c.placement.ownerOf(tenant(n))!.nodeId),
      'all see the same owners',
    );
    t.match(c.placement.member('a'), { nodeId: 'a', port: 9_000 });
    t.match(a.placement.figures, { takeOvers: [] });
    t.equal(a.placement.redisTrouble, undefined);
  });

  await t.test('one that leaves is in no view any more, and calls on', async (t) => {
    const { start } = cluster(t);
    const a = await start('a');
    const b = await start('b');
    await all([a, b], ['a', 'b']);
    const before = b.placement.view.version;
    await b.placement.leave();
    await all([a, b], ['a']);
    t.ok(b.placement.view.version > before);
    t.equal(b.placement.ownerOf(tenant(1))?.nodeId, 'a');
    const c = await start('c');
    await all([a, b, c], ['a', 'c']);
    await pause(1_500);
    t.same(ids(c.placement.view), ['a', 'c'], 'and does not come back by itself');
  });

  await t.test('an emptied Redis is restored by the first request, and no view ever lacks a member', async (t) => {
    const { start, wipe } = cluster(t);
    const a = await start('a');
    const b = await start('b');
    const c = await start('c');
    await all([a, b, c], ['a', 'b', 'c']);
    const before = Math.max(...[a, b, c].map(({ placement }) => placement.view.version));
    for (const { views } of [a, b, c]) views.length = 0;
    await wipe();
    await untilTime(() => [a, b, c].every(({ placement }) => placement.view.version > before));
    await pause(1_200);
    for (const { views } of [a, b, c]) {
      for (const view of views) t.same(ids(view), ['a', 'b', 'c']);
      t.same(
        views.map(({ version }) => version).toSorted((x, y) => x - y),
        views.map(({ version }) => version),
      );
    }
  });

  await t.test('garbage in any key: the view of before holds, said once, and it heals', async (t) => {
    const { start, key, wipe } = cluster(t);
    const a = await start('a');
    const b = await start('b');
    await all([a, b], ['a', 'b']);
    const { client } = direct;
    const spoilt: (() => Promise<unknown>)[] = [
      () => client.set(key, 'nonsense'),
      () => client.set(`${key}:seen`, 'nonsense'),
      () => client.zAdd(`${key}:seen`, { score: 1e18, value: 'ghost' }),
      () => client.set(`${key}:version`, 'nonsense'),
      () => client.set(`${key}:version`, '-1e400'),
      () => client.set(`${key}:version`, '7.5'),
      () => client.del(`${key}:version`),
      () => client.hSet(key, 'ghost', '{"nodeId":"ghost"}'),
      () => client.hSet(key, 'a', 'nonsense'),
      () => client.hSet(key, { a: '{}', b: '[]' }),
      async () => {
        await client.hSet(key, 'ghost', 'nonsense');
        await client.zAdd(`${key}:seen`, { score: Date.now(), value: 'ghost' });
        await client.set(`${key}:version`, '1000000');
      },
      wipe,
    ];
    for (const spoil of spoilt) {
      for (const { views, said } of [a, b]) {
        views.length = 0;
        said.length = 0;
      }
      await spoil();
      await pause(1_100);
      const late = await start('late');
      await all([a, b], ['a', 'b', 'late']);
      await late[Symbol.asyncDispose]();
      await all([a, b], ['a', 'b']);
      for (const { views, said } of [a, b]) {
        for (const view of views) t.same(ids(view).slice(0, 2), ['a', 'b'], spoil.toString());
        t.ok(said.filter((line) => line.includes('nothing sensible')).length <= 1, said.join());
      }
    }
    t.equal(a.placement.redisTrouble, undefined);
  });

  await t.test(
    'one that says nothing sensible of itself is left out, said once, and spoils nothing for others',
    async (t) => {
      const { start, world } = cluster(t);
      const a = await start('a');
      const b = await start('b');
      await all([a, b], ['a', 'b']);
      // As builds did that took an IPv6 address apart at its first colon.
      const bad: Member = { ...a.member, nodeId: 'bad', incarnation: randomUUID(), host: '', port: 0 };
      const other = new Members(direct.client, world.cluster);
      const announce = () => other.announce(bad, { version: 0, members: [] });
      const { version } = await announce();
      await untilTime(() => [a, b].every(({ placement }) => placement.view.version >= version));
      const c = await start('c');
      await announce();
      await all([a, b, c], ['a', 'b', 'c']);
      for (const { placement, said } of [a, b, c]) {
        t.equal(placement.redisTrouble, undefined);
        t.equal(said.filter((line) => line.includes('cannot be read')).length, 1, said.join());
      }
    },
  );

  await t.test('without Redis the view of before holds; who comes then is known by its lease', async (t) => {
    const { start, wipe } = cluster(t);
    const a = await start('a');
    const b = await start('b');
    await all([a, b], ['a', 'b']);
    for (const { line } of [a, b]) line.cut();
    await untilTime(() => [a, b].every(({ placement }) => placement.redisTrouble !== undefined));
    await pause(3_500);
    for (const { placement } of [a, b]) t.same(ids(placement.view), ['a', 'b']);
    for (const { said } of [a, b]) t.equal(said.filter((line) => line.includes('nothing sensible')).length, 1);
    const c = await start('c', { port: 9_001 }, 'cut');
    t.same(ids(c.placement.view), ['a', 'b', 'c']);
    await all([a, b], ['a', 'b', 'c']);
    t.match(a.placement.member('c'), { incarnation: c.member.incarnation, port: 9_001, role: 'all' });
    await wipe();
    for (const { line } of [a, b, c]) line.mend();
    await untilTime(() => [a, b, c].every(({ placement }) => placement.redisTrouble === undefined));
    await all([a, b, c], ['a', 'b', 'c']);
    await untilTime(() => new Set([a, b, c].map(({ placement }) => placement.view.version)).size === 1);
    t.ok(a.said.includes('Redis tells of the cluster again'));
  });

  await t.test('views that a node has made itself end under the number that all have', async (t) => {
    const { start } = cluster(t);
    const a = await start('a');
    const b = await start('b');
    await all([a, b], ['a', 'b']);
    a.line.cut();
    await untilTime(() => a.placement.redisTrouble !== undefined);
    // Somebody who comes and goes without Redis: both know it from PostgreSQL, in steps of their own.
    const c = await start('c', {}, 'cut');
    await all([a, b], ['a', 'b', 'c']);
    await c.kill();
    a.placement.suspect(c.member);
    await all([a, b], ['a', 'b']);
    a.line.mend();
    await untilTime(() => a.placement.redisTrouble === undefined);
    await untilTime(() => a.placement.view.version === b.placement.view.version, 'one number');
    for (const { placement } of [a, b]) t.same(ids(placement.view), ['a', 'b']);
  });

  await t.test(
    'a suspect whose connection died is dead before its silence or its lease says so, to all, with Redis and without',
    async (t) => {
      const { start } = cluster(t);
      const a = await start('a');
      const b = await start('b');
      const c = await start('c');
      await all([a, b, c], ['a', 'b', 'c']);
      await c.kill();
      const began = performance.now();
      for (let n = 0; n < 5; n++) a.placement.suspect(c.member);
      await all([a], ['a', 'b']);
      const ms = performance.now() - began;
      t.ok(ms > 250, `${Math.round(ms)} ms`);
      await all([b], ['a', 'b']);
      t.match(a.placement.figures.takeOvers, [{ nodeId: 'c', at: NOW, why: 'its lock was free' }]);
      t.equal(a.placement.figures.takeOvers.length, 1);
      t.same((await admin.query(`select node_id from system.cluster_node order by 1`)).rows, [
        { node_id: 'a' },
        { node_id: 'b' },
      ]);
      a.line.cut();
      await untilTime(() => a.placement.redisTrouble !== undefined);
      await b.kill();
      const again = performance.now();
      a.placement.suspect(b.member);
      await all([a], ['a']);
      t.ok(performance.now() - again < BY_SILENCE_MS);
      a.line.mend();
      const next = await start('c');
      await all([a, next], ['a', 'c']);
      t.match(a.placement.member('c'), { incarnation: next.member.incarnation }, 'a new life is welcome at once');
    },
  );

  await t.test('who joins is seen also by a node that just made a view of the same number itself', async (t) => {
    const { start, world } = cluster(t);
    const a = await start('a');
    const b = await start('b');
    await all([a, b], ['a', 'b']);
    await untilTime(() => a.placement.view.version === b.placement.view.version);
    const { version } = a.placement.view;
    const c: Member = { ...a.member, nodeId: 'c', incarnation: randomUUID(), port: 9_002 };
    const lease = await Lease.take({
      node: { ...c, address: `${c.host}:${c.port}` },
      ...unheard,
      client: await connect(database, 'innkeeper_system'),
    });
    t.teardown(() => lease[Symbol.asyncDispose]());
    let joined: Promise<ClusterView> | undefined;
    let alone: ClusterView | undefined;
    // Between the death that it finds and its next word to Redis, which has not heard of it.
    a.placement.onChange((view) => {
      alone ??= view;
      joined ??= new Members(direct.client, world.cluster).announce(c, { version, members: [] });
    });
    // It would make a newer view itself, of its own death.
    b.line.isStuck = true;
    await admin.query(`delete from system.cluster_node where node_id = 'b'`);
    await untilTime(() => joined !== undefined);
    const began = performance.now();
    t.same(ids(alone!), ['a']);
    t.equal((await joined)!.version, alone!.version, 'the same number, and others in it');
    await all([a], ['a', 'c']);
    const ms = performance.now() - began;
    t.ok(ms < BY_SILENCE_MS, `before Redis changes again: ${Math.round(ms)} ms`);
    t.ok(a.placement.view.version > version + 1);
  });

  await t.test('a suspect that lives is left alone, and its row forgets the suspicion', async (t) => {
    const { start } = cluster(t);
    const a = await start('a');
    const b = await start('b');
    await all([a, b], ['a', 'b']);
    await admin.query(
      `update system.cluster_node set suspected_at = now() - interval '1 minute' where node_id = 'b'`,
    );
    const { version } = a.placement.view;
    for (let n = 0; n < 20; n++) {
      a.placement.suspect(b.member);
      await pause(50);
    }
    const suspicion = `select suspected_at from system.cluster_node where node_id = 'b'`;
    await untilTime(async () => (await admin.query(suspicion)).rows[0].suspected_at === null, 'it is forgotten');
    t.equal(a.placement.view.version, version);
  });

  await t.test(
    'a paused node is dropped when its lease ends, also without Redis, and is back when it has one',
    async (t) => {
      const { start } = cluster(t);
      const a = await start('a');
      const b = await start('b');
      await all([a, b], ['a', 'b']);
      a.line.cut();
      await untilTime(() => a.placement.redisTrouble !== undefined);
      // As a process that stands still: its connection and its lock are there, and nobody renews.
      const { rows } = await b.leaseClient.query<{ pid: number }>('select pg_backend_pid() as pid');
      process.kill(rows[0]!.pid, 'SIGSTOP');
      const began = performance.now();
      a.placement.suspect(b.member);
      await all([a], ['a']);
      const ms = performance.now() - began;
      t.ok(ms > 3_500, `${Math.round(ms)} ms`);
      process.kill(rows[0]!.pid, 'SIGCONT');
      await untilTime(() => !b.lease.held);
      const again = await connect(database, 'innkeeper_system');
      await b.leaseClient.end();
      b.lease = await Lease.take({ node: { ...b.member, address: '127.0.0.1:9000' }, client: again, ...unheard });
      await all([a], ['a', 'b']);
      t.match(a.placement.member('b'), { incarnation: b.member.incarnation });
    },
  );

  await t.test('a build that is too old for the others refuses to start; a newer one joins', async (t) => {
    const { start } = cluster(t);
    const a = await start('a', { protocol: 2, build: '2.0.0' });
    await t.rejects(start('b', { protocol: 1, build: '1.0.0' }), {
      message:
        'build 1.0.0 is too old for this cluster: node a (build 2.0.0) speaks protocol 2, this one 1; ' +
        'start the newer build',
    });
    t.same(ids(a.placement.view), ['a']);
    const c = await start('c', { protocol: 3 });
    await all([a, c], ['a', 'c']);
    t.ok(a.said.some((line) => line.includes('too old')));
  });

  await t.test('a newer view is requested when another node has one, for a second at most', async (t) => {
    const { start } = cluster(t);
    const a = await start('a');
    const b = await start('b');
    await all([a, b], ['a', 'b']);
    await a.placement.refresh(a.placement.view.version);
    a.line.isStuck = true;
    await pause(50);
    const began = performance.now();
    await a.placement.refresh(a.placement.view.version + 1);
    const ms = performance.now() - began;
    t.ok(ms > 900 && ms < UNSEEN_MS, `${Math.round(ms)} ms`);
    a.line.isStuck = false;
    await a.placement.refresh();
  });
});
