import t from 'tap';

import type { FollowFrom, LiveFeed, LiveListener } from '../src/kernel/property-actors.ts';
import type { JournalEntry } from '../src/kernel/rules/journal.ts';
import { errorOf, RunningHost, type HostTeardown } from '../src/testing/actors/running-host.ts';
import { Gate, untilTime } from '../src/testing/fake-clock.ts';
import { bookCommand, DAY, PROPERTY_ID } from '../src/testing/property-world.ts';
import type { Host } from './host.ts';

const seqs = (entries: readonly JournalEntry[] | undefined): number[] | undefined => entries?.map(({ seq }) => seq);

/** A follower that records the numbers it received. */
class Watcher implements LiveListener {
  readonly received: number[] = [];
  lostTimes = 0;
  entry({ seq }: JournalEntry): void {
    this.received.push(seq);
  }
  lost(): void {
    this.lostTimes += 1;
  }
}

let stays = 0;
/** A booking of nights that nobody else wants. */
const another = (): ReturnType<typeof bookCommand> => {
  stays += 1;
  return bookCommand({ stay: { checkIn: DAY + stays, checkOut: DAY + stays + 1 } });
};

/** A property with a past that was just activated by another process, and how often its ring was read. */
async function woken(t: HostTeardown): Promise<{ running: RunningHost; host: Host; seq: number; reads(): number }> {
  const running = await RunningHost.property(t, { policies: { paymentRequired: false } });
  await running.send(another());
  running.crash();
  const { seq } = await running.host.view(PROPERTY_ID);
  let reads = 0;
  const { store } = running;
  const recent = store.recent.bind(store);
  store.recent = (...of) => {
    reads += 1;
    return recent(...of);
  };
  return { running, host: running.host, seq, reads: () => reads };
}

/** The feed, and what came after it, are every number once. */
const wholeStory = ({ missed }: LiveFeed, { received }: Watcher): number[] => [...(seqs(missed) ?? []), ...received];

const from = (seq: number, continues?: boolean): FollowFrom => ({
  generation: 1,
  seq,
  ...(continues && { continues }),
});

void t.test(
  'an activated property sells before its older entries are read, and resuming clients wait for them',
  async (t) => {
    const { running, host, seq, reads } = await woken(t);
    await running.send(another());
    t.equal(reads(), 0, 'nobody has wanted them');
    const gate = new Gate();
    running.store.recentGate = gate.opened;
    const watcher = new Watcher();
    const following = host.follow(PROPERTY_ID, from(seq - 2), watcher);
    await untilTime(() => reads() === 1);
    await running.send(another());
    t.same(watcher.received, [], 'the missed entries come first');
    gate.open();
    const feed = await following;
    t.same(seqs(feed.missed), [seq - 1, seq, seq + 1, seq + 2]);
    t.same(
      seqs(feed.history),
      Array.from({ length: seq + 2 }, (_, n) => n + 1),
    );
    t.equal(feed.view.seq, seq + 2);
    await running.send(another());
    t.same(wholeStory(feed, watcher), [seq - 1, seq, seq + 1, seq + 2, seq + 3]);
    await host.follow(PROPERTY_ID, undefined, new Watcher());
    t.equal(reads(), 1, 'once for all');
  },
);

void t.test('a client that resumes at the activation or later needs nothing older', async (t) => {
  const { running, host, seq, reads } = await woken(t);
  await running.send(another());
  const at = await host.follow(PROPERTY_ID, from(seq, true), new Watcher());
  t.same(seqs(at.missed), [seq + 1]);
  const later = await host.follow(PROPERTY_ID, from(seq + 1, true), new Watcher());
  t.same(later.missed, []);
  t.equal(reads(), 0);
  const before = await host.follow(PROPERTY_ID, from(seq - 1, true), new Watcher());
  t.same(seqs(before.missed), [seq, seq + 1]);
  t.equal(reads(), 1);
  const rewound = await host.follow(PROPERTY_ID, { generation: 2, seq, continues: true }, new Watcher());
  t.equal(rewound.missed, undefined);
  t.equal(rewound.recent.length, 2, 'he begins anew, with what is older');
});

void t.test('a new client at the activation sees the bookings from before', async (t) => {
  const { host, seq } = await woken(t);
  const feed = await host.follow(PROPERTY_ID, from(seq), new Watcher());
  t.same(feed.missed, []);
  t.equal(feed.recent.length, 1);
});

void t.test('a failed read is a clear error, the property sells on, and the next caller succeeds', async (t) => {
  const { running, host, seq } = await woken(t);
  const { store } = running;
  const recent = store.recent.bind(store);
  store.recent = async () => {
    throw new Error('the connection broke');
  };
  t.equal(await errorOf(host.follow(PROPERTY_ID, undefined, new Watcher())), 'STORE_UNAVAILABLE');
  await running.send(another());
  store.recent = recent;
  const feed = await host.follow(PROPERTY_ID, from(seq - 1), new Watcher());
  t.same(seqs(feed.missed), [seq, seq + 1]);
});

void t.test('a property that leaves while its older entries are read leaves nobody behind', async (t) => {
  const { running, host, seq, reads } = await woken(t);
  const gate = new Gate();
  running.store.recentGate = gate.opened;
  const watcher = new Watcher();
  const following = host.follow(PROPERTY_ID, from(seq - 1), watcher);
  await untilTime(() => reads() === 1);
  await host.release(PROPERTY_ID);
  t.equal(host.figures.actors, 0, 'it did not wait for them');
  // Another node activates it and sells; then it is here again.
  const other = running.fresh();
  await other.view(PROPERTY_ID);
  await other[Symbol.asyncDispose]();
  gate.open();
  const feed = await following;
  await running.send(another());
  t.same(wholeStory(feed, watcher), [seq, seq + 1], 'he follows the life after that one');
  t.equal(watcher.lostTimes, 0);
  feed.close();
  t.equal(host.figures.actors, 1);
});

void t.test('a node that loses its lease while older entries are read notifies nobody', async (t) => {
  const { running, host, seq, reads } = await woken(t);
  const gate = new Gate();
  running.store.recentGate = gate.opened;
  const watcher = new Watcher();
  const following = errorOf(host.follow(PROPERTY_ID, from(seq - 1), watcher));
  await untilTime(() => reads() === 1);
  running.mayOwn = false;
  host.abandon();
  gate.open();
  t.equal(await following, 'NOT_EXECUTED');
  t.same([host.figures.actors, watcher.received.length, watcher.lostTimes], [0, 0, 0]);
});
