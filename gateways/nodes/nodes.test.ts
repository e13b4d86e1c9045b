import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect, createServer } from 'node:net';
import t from 'tap';

import type { LiveView } from '../../src/kernel/property-actors.ts';
import type { JournalEntry } from '../../src/kernel/rules/journal.ts';
import { ForwardRequest } from '../../src/platform/coordination/ports.ts';
import { errorOf } from '../../src/testing/actors/running-host.ts';
import { FakeClock, untilTime } from '../../src/testing/fake-clock.ts';
import { TestNode, TwoNodes } from '../../src/testing/nodes/two-nodes.ts';
import {
  baseRates,
  bookCommand,
  envelope,
  PROPERTY_ID,
  id,
  keyed,
  settingUp,
} from '../../src/testing/property-world.ts';

/** Two nodes with the property of tests; who owns it comes first. */
async function property(t: Parameters<typeof TwoNodes.start>[0]) {
  const nodes = await TwoNodes.start(t);
  for (const command of settingUp()) await nodes.a.directory.execute(PROPERTY_ID, envelope(command));
  const owner = nodes.a.host.has(PROPERTY_ID) ? nodes.a : nodes.b;
  return { nodes, owner, other: owner === nodes.a ? nodes.b : nodes.a };
}

void t.test('a command goes to the owner of its property from any node', async (t) => {
  const { owner, other } = await property(t);
  const here = await owner.directory.execute(PROPERTY_ID, envelope(bookCommand()));
  const there = await other.directory.execute(PROPERTY_ID, envelope(bookCommand()));
  t.equal(there.seq, here.seq + 1, 'one sequence');
  t.notOk(other.host.has(PROPERTY_ID), 'nobody else has it in memory');
  t.equal((await owner.directory.view(PROPERTY_ID)).seq, there.seq);
  t.equal((await other.directory.view(PROPERTY_ID)).seq, there.seq, 'a read on another node sees what is committed');
  t.notOk(other.host.has(PROPERTY_ID), 'and activates nothing');
  t.equal(await errorOf(other.directory.view({ ...PROPERTY_ID, propertyId: 'nowhere' })), 'PROPERTY_NOT_FOUND');
});

void t.test('an error comes back as it was decided', async (t) => {
  const { other } = await property(t);
  const full = envelope(bookCommand({ stay: { roomType: 'NONE' } }));
  await t.rejects(other.directory.execute(PROPERTY_ID, full), { code: 'UNKNOWN_ROOM_TYPE', details: { seq: /\d+/ } });
});

void t.test('a request that has not begun goes on as a whole, one that has is finished from here', async (t) => {
  const { other } = await property(t);
  await t.rejects(
    other.requestScopes.run({ begun: false }, () => other.directory.view(PROPERTY_ID)),
    ForwardRequest,
  );
  await t.rejects(
    other.requestScopes.run({ begun: false }, () => other.directory.execute(PROPERTY_ID, envelope(bookCommand()))),
    ForwardRequest,
  );
  const done = await other.requestScopes.run({ begun: true }, () =>
    other.directory.execute(PROPERTY_ID, envelope(bookCommand())),
  );
  t.ok(done.result.reservation);
});

void t.test('a property moves under load: nothing is refused, lost or done twice', async (t) => {
  const { nodes, owner, other } = await property(t);
  const stop = new AbortController();
  const seqs: number[] = [];
  const clients = [owner, other].map(async (node) => {
    while (!stop.signal.aborted) {
      const { seq } = await node.directory.execute(PROPERTY_ID, envelope(baseRates('STD', 100_00 + seqs.length)));
      seqs.push(seq);
      // The store of tests needs no time at all.
      await new Promise((done) => setImmediate(done));
    }
  });
  for (let moves = 0; moves < 6; moves++) {
    const from = seqs.length;
    await untilTime(() => seqs.length >= from + 5, 'commands between two moves');
    nodes.members(moves % 2 === 0 ? other : owner);
    await untilTime(() => (moves % 2 === 0 ? other : owner).host.has(PROPERTY_ID));
  }
  stop.abort();
  await Promise.all(clients);
  t.equal(new Set(seqs).size, seqs.length, 'no number was given twice');
  const journal = nodes.store.properties.get('acme:anchor')!.journal.map(({ seq }) => seq);
  t.same(
    journal,
    journal.map((_, at) => at + 1),
    'and none is missing',
  );
  t.ok(owner.directory.releasedCount + other.directory.releasedCount >= 5);
});

void t.test('a call with an older view is answered so, and the newer view holds', async (t) => {
  const { nodes, owner, other } = await property(t);
  const { self } = other.placement;
  // Only the other node knows yet that it is alone.
  other.placement.give({ version: 50, members: [self] });
  owner.placement.newest = { version: 50, members: [self] };
  const { seq } = await other.directory.execute(PROPERTY_ID, envelope(bookCommand()));
  t.ok(seq > 0);
  t.ok(other.host.has(PROPERTY_ID));
  t.notOk(owner.host.has(PROPERTY_ID), 'its owner was requested to release it');
  t.equal(owner.placement.view.version, 50);
  t.ok(nodes);
});

void t.test(
  'an owner that is in no view is found by its lease, in its present life, and has the command',
  async (t) => {
    const { nodes, owner } = await property(t);
    const odd = await TestNode.start('node-x', nodes.store, nodes.clock);
    t.teardown(() => odd.end());
    const { self } = owner.placement;
    // Both believe that the property is theirs: each sees another Redis.
    odd.placement.give({ version: 70, members: [odd.placement.self] });
    await errorOf(odd.directory.view(PROPERTY_ID));
    odd.placement.leased.set(self.nodeId, self);
    const { seq } = await odd.directory.execute(PROPERTY_ID, envelope(bookCommand()));
    t.equal((await owner.directory.view(PROPERTY_ID)).seq, seq);
    t.notOk(odd.host.has(PROPERTY_ID));
    // It was known in a life before, at another port, where nobody is.
    const early = { ...self, incarnation: randomUUID(), port: 1 };
    const late = await TestNode.start('node-y', nodes.store, nodes.clock);
    t.teardown(() => late.end());
    late.placement.give({ version: 80, members: [late.placement.self, early] });
    late.placement.give({ version: 81, members: [late.placement.self] });
    late.placement.leased.set(self.nodeId, self);
    t.ok((await late.directory.execute(PROPERTY_ID, envelope(bookCommand()))).seq > seq);
    t.ok(late.placement.suspected.length > 0, 'its death is checked as always');
  },
);

void t.test('a property is followed at its owner, without a gap through a move', async (t) => {
  const { nodes, owner, other } = await property(t);
  const seen: [JournalEntry, LiveView][] = [];
  let lost = 0;
  const listener = {
    entry: (entry: JournalEntry, view: LiveView) => void seen.push([entry, view]),
    lost: () => void (lost += 1),
  };
  const feed = await other.directory.follow(PROPERTY_ID, undefined, listener);
  const local = await owner.directory.view(PROPERTY_ID);
  t.equal(feed.view.seq, local.seq);
  t.same(feed.view.grid(0, 100_000), local.grid(0, 100_000), 'the whole state comes first');
  t.same(feed.view.grid(0, 100_000, 'DLX'), local.grid(0, 100_000, 'DLX'));
  t.equal(feed.history.length, local.seq);
  const { seq } = await owner.directory.execute(PROPERTY_ID, envelope(bookCommand()));
  await untilTime(() => seen.length === 1);
  t.equal(seen[0]![0].seq, seq);
  t.equal(seen[0]![1].seq, seq);
  t.same(seen[0]![0].facts.cells?.length, 2);

  nodes.members(other);
  await untilTime(() => lost === 1);
  const { generation } = feed.view;
  const again = await other.directory.follow(PROPERTY_ID, { generation, seq: seq - 1, continues: true }, listener);
  t.same(
    again.missed?.map((entry) => entry.seq),
    [seq],
    'the ring of the new owner has what was missed',
  );
  again.close();
  t.equal(lost, 1);
});

void t.test('a follower is no request, even within one', async (t) => {
  const { other } = await property(t);
  const listener = { entry: () => {}, lost: () => {} };
  const feed = await other.requestScopes.run({ begun: false }, () =>
    other.directory.follow(PROPERTY_ID, undefined, listener),
  );
  t.ok(feed.view.seq > 0);
  feed.close();
});

void t.test('who has the state gets no cells again, and who leaves is forgotten', async (t) => {
  const { owner, other } = await property(t);
  const listener = { entry: () => {}, lost: () => {} };
  const { generation, seq } = await owner.directory.view(PROPERTY_ID);
  const light = await other.directory.follow(PROPERTY_ID, { generation, seq, continues: true }, listener);
  t.same([light.missed, light.history, light.view.grid(0, 100_000)], [[], [], []]);
  light.close();
  const far = await other.directory.follow(PROPERTY_ID, { generation, seq: 1, continues: true }, listener);
  t.ok(far.view.grid(0, 100_000).length > 0, 'a state of another shape is sent whole');
  far.close();
  t.ok(owner.host.residentAddresses().length === 1);
});

void t.test('a node that is gone: what may have run is unknown, what carries a key is retried', async (t) => {
  const { nodes, owner, other } = await property(t);
  await other.directory.execute(PROPERTY_ID, envelope(bookCommand()));
  // The commit waits, and meanwhile the owner is gone.
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  nodes.store.gate = gate;
  const { requests: asked } = owner;
  const plain = errorOf(other.directory.execute(PROPERTY_ID, envelope(bookCommand())));
  const keyedOne = other.directory.execute(PROPERTY_ID, envelope(bookCommand(), keyed('k1', id(1))));
  await untilTime(() => owner.requests === asked + 2);
  await owner.unplug();
  t.equal(await plain, 'OUTCOME_UNKNOWN');
  t.same(
    other.placement.suspected.map(({ nodeId }) => nodeId).includes(owner.placement.self.nodeId),
    true,
    'the node is checked',
  );
  nodes.store.gate = Promise.resolve();
  open();
  nodes.store.alive.delete(owner.placement.self.nodeId);
  other.placement.give({ version: 60, members: [other.placement.self] });
  t.ok((await keyedOne).seq > 0, 'the repeat is answered by the new owner');
});

void t.test('who does not know the secret is turned away, and nothing is done', async (t) => {
  const { nodes, owner } = await property(t);
  const stranger = await TestNode.start('node-x', nodes.store, nodes.clock, 'another secret of nodes');
  t.teardown(() => stranger.end());
  const { members } = owner.placement.view;
  stranger.placement.give({ version: 99, members: [...members, stranger.placement.self] });
  const { seq } = await owner.directory.view(PROPERTY_ID);
  // Also when it is reported while the owner is busy, or while another connection of it is closed.
  await Promise.all(
    Array.from({ length: 5 }, () =>
      t.rejects(stranger.links.introduce(), { message: /may not join.*CLUSTER_SECRET/ }),
    ),
  );
  await t.rejects(stranger.links.execute(owner.placement.self, PROPERTY_ID, envelope(bookCommand())), {
    name: 'LinkLost',
    mayHaveRun: false,
    message: /CLUSTER_SECRET/,
  });
  t.equal((await owner.directory.view(PROPERTY_ID)).seq, seq);
});

void t.test('nobody says that nothing was done of what may have been done', async (t) => {
  const { nodes, owner, other } = await property(t);
  await other.directory.execute(PROPERTY_ID, envelope(bookCommand()));
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  nodes.store.gate = gate;
  t.teardown(open);
  const { requests: asked } = owner;
  const keyedOne = errorOf(other.directory.execute(PROPERTY_ID, envelope(bookCommand(), keyed('k2', id(2)))));
  await untilTime(() => owner.requests > asked);
  await owner.unplug();
  t.equal(await keyedOne, 'OUTCOME_UNKNOWN', 'the commit may come yet');
  const next = errorOf(other.directory.execute(PROPERTY_ID, envelope(bookCommand(), keyed('k3', id(3)))));
  t.equal(await next, 'NOT_EXECUTED', 'this one has reached nobody');
});

void t.test(
  'a peer at the address of a node learns nothing before it has proved that it knows the secret',
  async (t) => {
    const { other } = await property(t);
    let heard = '';
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        heard += data.toString();
        const id = /"id":"([^"]+)"/.exec(data.toString())?.[1];
        const answer = JSON.stringify({ id, response: { ok: { view: 1, proof: 'guessed' } }, isDisposed: true });
        socket.write(`${answer.length}#${answer}`);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    t.teardown(() => server.close());
    const { port } = server.address() as AddressInfo;
    const member = { ...other.placement.self, nodeId: 'node-y', incarnation: randomUUID(), port };
    await t.rejects(other.links.execute(member, PROPERTY_ID, envelope(bookCommand())), {
      name: 'LinkLost',
      mayHaveRun: false,
    });
    t.match(heard, /greet/);
    t.notMatch(heard, /BOOK|acme|"proof":"[^"]/);
  },
);

void t.test('nor does a peer that relays the handshake to that node', async (t) => {
  const { owner, other } = await property(t);
  let heard = '';
  const { port } = owner.placement.self;
  const between = createServer((socket) => {
    const onward = connect(port, '127.0.0.1');
    for (const one of [socket, onward]) one.on('error', () => undefined);
    socket.on('data', (data) => (heard += data.toString()));
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
  t.teardown(() => between.close());
  const member = { ...owner.placement.self, port: (between.address() as AddressInfo).port };
  await t.rejects(other.links.execute(member, PROPERTY_ID, envelope(bookCommand())), { message: /CLUSTER_SECRET/ });
  t.match(heard, /greet/);
  t.notMatch(heard, /BOOK|"proof":"[^"]/);
});

void t.test('the connection to the owner breaks before it answers a follower: another node is called', async (t) => {
  const { owner, other, nodes } = await property(t);
  const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
  owner.nodeRpc.properties!.followHere = () => (wasAsked(), new Promise(() => undefined));
  const listener = { entry: () => {}, lost: () => {} };
  const following = other.directory.follow(PROPERTY_ID, undefined, listener);
  await asked;
  nodes.store.alive.delete(owner.placement.self.nodeId);
  await owner.unplug();
  other.placement.give({ version: 60, members: [other.placement.self] });
  t.ok((await following).view.seq > 0);
});

void t.test('a property of which much was changed is followed as well', async (t) => {
  const { owner, other } = await property(t);
  const seqs: number[] = [];
  const listener = { entry: ({ seq }: JournalEntry) => void seqs.push(seq), lost: () => {} };
  const { followHere } = owner.nodeRpc.properties!;
  owner.nodeRpc.properties!.followHere = async (...of) => {
    const feed = await followHere(...of);
    const entry = { ...feed.history.at(-1)!, subject: 'x'.repeat(100_000) };
    const many = Array.from({ length: 300 }, (_, at) => ({ ...entry, seq: feed.view.seq - 299 + at }));
    return { ...feed, missed: many, history: many };
  };
  const feed = await other.directory.follow(PROPERTY_ID, { generation: 0, seq: 0 }, listener);
  t.equal(feed.missed, undefined, 'who missed so much begins anew');
  t.equal(feed.history.at(-1)!.seq, feed.view.seq, 'the newest are sent');
  t.ok(feed.history.length < 300);
  const { seq } = await owner.directory.execute(PROPERTY_ID, envelope(bookCommand()));
  await untilTime(() => seqs.includes(seq));
});

void t.test('a property that cannot be released keeps no caller waiting without a bound', async (t) => {
  const { nodes, owner } = await property(t);
  const { promise: never, resolve: end } = Promise.withResolvers<void>();
  const release = nodes.store.release.bind(nodes.store);
  nodes.store.release = () => never;
  const left = owner.host.release(PROPERTY_ID);
  t.teardown(async () => {
    nodes.store.release = release;
    end();
    await left;
  });
  const late = new Promise<string>((done) => setTimeout(done, 5_000, 'nobody answers').unref());
  t.equal(
    await Promise.race([errorOf(owner.directory.execute(PROPERTY_ID, envelope(bookCommand()))), late]),
    'NOT_EXECUTED',
  );
});

void t.test('nor does it keep its node from ending', async (t) => {
  const { nodes, owner } = await property(t);
  const { promise: never, resolve: end } = Promise.withResolvers<void>();
  const release = nodes.store.release.bind(nodes.store);
  nodes.store.release = () => never;
  t.teardown(() => {
    nodes.store.release = release;
    end();
  });
  owner.placement.give({ version: 90, members: [] });
  const late = new Promise<string>((done) => setTimeout(done, 8_000, 'it goes on').unref());
  t.equal(await Promise.race([owner.directory.leave().then(() => 'gone'), late]), 'gone');
});

void t.test('a node whose clock is wrong is reached, and reaches others', async (t) => {
  const { nodes, owner } = await property(t);
  const clock = new FakeClock();
  const slow = await TestNode.start('node-z', nodes.store, clock);
  t.teardown(() => slow.end());
  nodes.clock.pass(3_600_000);
  slow.placement.give({ version: 99, members: [...owner.placement.view.members, slow.placement.self] });
  // Longer than the interval of pings.
  await new Promise((done) => setTimeout(done, 1_500));
  await untilTime(() => slow.links.reaches(owner.placement.self), 'it reaches others');
  t.same(slow.placement.suspected, []);
});

void t.test('when the clock of development is put forward, other nodes are notified at once', async (t) => {
  const { owner, other } = await property(t);
  let moved = 0;
  owner.nodeRpc.clockMoved = async () => void (moved += 1);
  await other.links.clockMoved(owner.placement.self);
  t.equal(moved, 1);
});
