import t from 'tap';

import type { Address } from '../src/kernel/rules/caller.ts';
import type { JournalEntry } from '../src/kernel/rules/journal.ts';
import { quiet, errorOf, RunningHost } from '../src/testing/actors/running-host.ts';
import { Gate, untilTime } from '../src/testing/fake-clock.ts';
import {
  baseRates,
  bookCommand,
  cancelCommand,
  DAY,
  envelope,
  PROPERTY_ID,
  modifyCommand,
  NOW,
  paid,
  plan,
  startBookingCommand,
} from '../src/testing/property-world.ts';
import { Host } from './host.ts';
import { RATE_FRESHNESS_LIMITS } from './limits.ts';
import { RateVersions } from './rate-versions.ts';
import { VirtualTime } from './simulation/virtual-time.ts';

const { checkAfterMs, trustMs } = RATE_FRESHNESS_LIMITS;

/** Somebody changes what the fifth night costs in STD. */
function changeExternally({ store }: RunningHost, rate: number, to: Address = PROPERTY_ID): void {
  store.changeRates(to, ({ rates }) => {
    const key = `STD ${DAY + 5}`;
    rates.set(key, { ...rates.get(key)!, rate });
  });
}

const shown = async ({ host }: RunningHost): Promise<number | null> =>
  (await host.view(PROPERTY_ID)).grid(DAY + 5, DAY + 5, 'STD')[0]!.rate;
const seqOf = async ({ host }: RunningHost): Promise<number> => (await host.view(PROPERTY_ID)).seq;
const journalOf = ({ store }: RunningHost): JournalEntry[] => store.properties.get('acme:anchor')!.journal;

void t.test('foreign rates are read at the old price for 240 s, then loaded in the background', async (t) => {
  const running = await RunningHost.property(t);
  const seq = await seqOf(running);
  changeExternally(running, 12_000);
  running.monotonic = checkAfterMs - 1;
  t.equal(await shown(running), 10_000);
  t.same(running.store.versionCalls, [], 'the database was not queried');
  running.monotonic = checkAfterMs;
  t.equal(await shown(running), 10_000, 'who triggers the check does not wait for it');
  await untilTime(async () => (await shown(running)) === 12_000);
  t.equal(await seqOf(running), seq + 1);
  t.match(journalOf(running).at(-1), { type: 'RELOAD', subject: 'system', facts: { foreign: { version: 1 } } });
  t.same(running.store.versionCalls, [1]);
  t.equal(running.host.figures.rateReloads, 1);
});

void t.test('when nothing was changed, a check is one question and the next is due 240 s later', async (t) => {
  const running = await RunningHost.property(t);
  const seq = await seqOf(running);
  for (let round = 1; round <= 3; round++) {
    running.monotonic = round * trustMs;
    await Promise.all(Array.from({ length: 20 }, () => shown(running)));
    running.monotonic += checkAfterMs - 1;
    await shown(running);
    t.equal(running.store.versionCalls.length, round);
  }
  t.equal(await seqOf(running), seq);
});

void t.test('a property that nobody reads is not checked, and its first reader sees what is true', async (t) => {
  const running = await RunningHost.property(t);
  changeExternally(running, 12_000);
  running.monotonic = 10 * trustMs;
  await new Promise((done) => setTimeout(done, 20));
  t.same(running.store.versionCalls, []);
  t.equal(await shown(running), 12_000);
});

void t.test('from 300 s on readers and sellers wait for the one check', async (t) => {
  const running = await RunningHost.property(t);
  const gate = new Gate();
  changeExternally(running, 12_000);
  running.store.versionGate = gate.opened;
  running.monotonic = trustMs;
  let answered = 0;
  const reads = [1, 2, 3].map(() => shown(running).finally(() => (answered += 1)));
  const sale = running.send(bookCommand()).finally(() => (answered += 1));
  await untilTime(() => running.store.versionCalls.length > 0);
  t.equal(answered, 0);
  gate.open();
  t.same(await Promise.all(reads), [12_000, 12_000, 12_000]);
  const { reservation } = (await sale).result;
  t.same(
    reservation.nights.map(({ rate }) => rate),
    [12_000, 10_000],
    'sold at what is true',
  );
  t.same(running.store.versionCalls, [1]);
});

void t.test('a check that gives no answer in time is STALE, with when to come again', async (t) => {
  const running = await RunningHost.property(t);
  const { result } = await running.send(bookCommand({ stay: { checkIn: DAY + 8, checkOut: DAY + 9 } }));
  const started = startBookingCommand();
  const { attempt } = (await running.send(started)).result;
  const gate = new Gate();
  running.store.versionGate = gate.opened;
  running.monotonic = trustMs;
  await t.rejects(shown(running), { code: 'STALE', details: { retryAfterSeconds: 1 } });
  const id = result.reservation.id;
  const relying = [bookCommand(), startBookingCommand(), modifyCommand(id, { nights: 1 }), baseRates('STD', 1)];
  const codes = await Promise.all(relying.map((command) => errorOf(running.send(command))));
  t.same(codes, ['STALE', 'STALE', 'STALE', 'STALE']);
  const quote = { quoteId: 'q', expiresAt: NOW + 1_000, nightly: [9_000, 9_000] };
  t.equal(await errorOf(running.send(bookCommand({ quote }))), 'accepted', 'a quote brings its price along');
  const confirm = { type: 'CONFIRM_BOOKING', holdId: started.holdId, payment: paid(attempt) } as const;
  t.equal(await errorOf(running.send(confirm)), 'accepted', 'what was begun comes to an end');
  t.equal(await errorOf(running.send(cancelCommand(id))), 'accepted');
  gate.open();
  await untilTime(async () => (await errorOf(shown(running))) === 'accepted');
  t.same(running.store.versionCalls, [1], 'the answer that came late is good for all');
});

void t.test('without a database reads go on until 300 s, then they are STALE, until it is back', async (t) => {
  const running = await RunningHost.property(t);
  running.store.reachable = false;
  running.monotonic = trustMs - 1;
  t.equal(await shown(running), 10_000);
  await untilTime(() => running.store.versionCalls.length > 0);
  t.equal(await shown(running), 10_000);
  running.monotonic = trustMs;
  t.equal(await errorOf(shown(running)), 'STALE');
  running.store.reachable = true;
  t.equal(await shown(running), 10_000);
});

void t.test('own rates set while external ones are read stay: those are read again', async (t) => {
  const running = await RunningHost.property(t);
  const gate = new Gate();
  running.store.ratesGate = gate.opened;
  changeExternally(running, 12_000);
  running.monotonic = checkAfterMs;
  const seq = await seqOf(running);
  await untilTime(() => running.store.versionCalls.length > 0);
  await new Promise((done) => setTimeout(done, 5));
  // The rows are on their way, from before this.
  await running.send(baseRates('STD', 15_000, DAY + 6, DAY + 8));
  gate.open();
  await untilTime(async () => (await shown(running)) === 12_000);
  const view = await running.host.view(PROPERTY_ID);
  t.same(
    view.grid(DAY + 5, DAY + 9, 'STD').map(({ rate }) => rate),
    [12_000, 15_000, 15_000, 15_000, 10_000],
  );
  t.equal(view.seq, seq + 2);
  t.same(
    journalOf(running)
      .slice(-2)
      .map(({ type }) => type),
    ['SET_BASE_RATES', 'RELOAD'],
  );
});

void t.test('foreign rows that make no sense are logged, and the property goes on with what it had', async (t) => {
  const running = await RunningHost.property(t);
  const wrong = { ...plan({ code: 'ODD' }), strategy: 'GUESS' as 'FIXED' };
  running.store.changeRates(PROPERTY_ID, ({ plans }) => plans.set('ODD', wrong));
  running.monotonic = trustMs;
  const seq = await seqOf(running);
  t.equal(await shown(running), 10_000);
  t.match(running.errors, [{ property: 'acme:anchor', version: 1, error: /ODD/ }]);
  t.equal(await seqOf(running), seq);
  t.equal(await errorOf(running.send(bookCommand())), 'accepted');
  running.crash();
  t.equal(await shown(running), 10_000, 'the property also activates with it');
  t.equal(running.errors.length, 2);
  running.store.changeRates(PROPERTY_ID, ({ plans }) => plans.delete('ODD'));
  running.monotonic += trustMs;
  t.equal(await shown(running), 10_000);
  t.equal(running.errors.length, 2);
});

void t.test('a reload that cannot be written is tried again, and followers see it once', async (t) => {
  const running = await RunningHost.property(t);
  const entries: JournalEntry[] = [];
  await running.host.follow(PROPERTY_ID, undefined, { entry: (entry) => void entries.push(entry), lost: () => {} });
  changeExternally(running, 12_000);
  running.store.faults.push('unavailable');
  running.monotonic = trustMs;
  t.equal(await errorOf(shown(running)), 'STALE');
  running.store.faults.push('unknown, written');
  t.equal(await shown(running), 12_000);
  t.match(entries, [{ type: 'RELOAD', facts: { cells: [['STD', DAY + 5, 3, 0, 0, 0, 3, 12_000]] } }]);
  t.equal(entries.length, 1);
});

void t.test('an owner that was replaced without knowing it learns so by its check, and stops', async (t) => {
  const running = await RunningHost.property(t);
  const { host } = running;
  const other = running.fresh();
  t.teardown(() => other[Symbol.asyncDispose]());
  await other.view(PROPERTY_ID);
  const command = baseRates('STD', 15_000);
  await other.execute(PROPERTY_ID, envelope(command));
  let lost = 0;
  await host.follow(PROPERTY_ID, undefined, { entry: () => {}, lost: () => (lost += 1) });
  t.equal(await shown(running), 10_000, 'it believes itself');
  running.monotonic = checkAfterMs;
  await shown(running);
  await untilTime(() => lost === 1);
  t.equal(await shown(running), 15_000, 'and takes the property again at the next call');
  t.equal(await errorOf(other.execute(PROPERTY_ID, envelope(command))), 'NOT_EXECUTED');
  await other.execute(PROPERTY_ID, envelope(baseRates('STD', 16_000)));
  running.monotonic += trustMs;
  t.equal(await shown(running), 16_000, 'also for a read that has waited for the check');
});

void t.test('external changes while passive get their number before any read', async (t) => {
  const running = await RunningHost.property(t);
  const { seq, generation } = await running.host.view(PROPERTY_ID);
  changeExternally(running, 12_000);
  running.crash();
  const views = await Promise.all([running.host.view(PROPERTY_ID), running.host.view(PROPERTY_ID)]);
  t.same(
    views.map((view) => [view.seq, view.grid(DAY + 5, DAY + 5, 'STD')[0]!.rate]),
    [
      [seq + 1, 12_000],
      [seq + 1, 12_000],
    ],
  );
  const feed = await running.host.follow(PROPERTY_ID, { generation, seq }, { entry: () => {}, lost: () => {} });
  t.equal(feed.missed?.length, 1, 'clients connected before are notified');
  const [{ type, facts }] = feed.missed as [JournalEntry];
  t.equal(type, 'RELOAD');
  t.equal(facts.cells?.length, 62, 'of every night: what it cost before is not known');
  t.same(
    facts.cells?.find(([room, day]) => room === 'STD' && day === DAY + 5),
    ['STD', DAY + 5, 3, 0, 0, 0, 3, 12_000, 'none'],
  );
  feed.close();
  running.monotonic = trustMs;
  t.equal(await seqOf(running), seq + 1, 'and nothing is loaded twice');
  running.crash();
  t.equal(await seqOf(running), seq + 1);
});

void t.test(
  'a property whose external rates cannot be published yet activates later, and publishes them once',
  async (t) => {
    const running = await RunningHost.property(t);
    const seq = await seqOf(running);
    for (const [n, fault] of (['unavailable', 'unknown, lost', 'unknown, written'] as const).entries()) {
      changeExternally(running, 12_000 + n);
      running.crash();
      running.store.faults.push(fault);
      t.equal(await errorOf(shown(running)), 'NOT_EXECUTED', fault);
      t.equal(await shown(running), 12_000 + n);
      t.equal(await seqOf(running), seq + n + 1);
    }
    running.store.poison = ({ entries }) => entries.some(({ type }) => type === 'RELOAD');
    changeExternally(running, 13_000);
    running.crash();
    t.equal(await shown(running), 13_000, 'a row that the database refuses does not prevent activation');
    t.match(running.errors, [{ property: 'acme:anchor', outcome: 'rejected' }]);
  },
);

void t.test('a property that a dashboard follows is checked without reads, a passive one is not', async (t) => {
  const time = new VirtualTime();
  const giveBack = time.install();
  try {
    const entries: JournalEntry[] = [];
    const running = new RunningHost();
    t.teardown(() => running.host[Symbol.asyncDispose]());
    let ready = false;
    const begin = async (): Promise<void> => {
      await running.setUp();
      await running.setUp({ propertyId: 'beacon' });
      await running.host.follow(PROPERTY_ID, undefined, {
        entry: (entry) => void entries.push(entry),
        lost: () => {},
      });
      changeExternally(running, 12_000);
      running.monotonic = checkAfterMs;
      ready = true;
    };
    void begin();
    t.ok(await time.run(() => ready, 1_000));
    t.ok(await time.run(() => entries.length > 0, 1_000));
    t.match(entries, [{ type: 'RELOAD' }]);
    t.same(running.store.versionCalls, [1]);
  } finally {
    giveBack();
  }
});

void t.test('checks of all properties of a node that nobody waits for are one statement', async (t) => {
  const running = await RunningHost.property(t);
  const names = Array.from({ length: 60 }, (_, n) => `house-${n}`);
  for (const propertyId of names) await running.setUp({ propertyId });
  const readAll = () => Promise.all(names.map((propertyId) => running.host.view({ ...PROPERTY_ID, propertyId })));
  changeExternally(running, 9_000, { ...PROPERTY_ID, propertyId: 'house-7' });
  running.monotonic = checkAfterMs;
  await Promise.all([readAll(), readAll()]);
  await untilTime(() => running.host.figures.rateReloads === 1);
  t.same(running.store.versionCalls, [60]);
});

void t.test(
  '10,000 properties that are read in one moment are checked with a statement for each thousand',
  async (t) => {
    const calls: number[] = [];
    const store = {
      rateVersions: async (of: readonly Address[]) => {
        calls.push(of.length);
        return of.map(({ propertyId }) => ({ version: Number(propertyId), epoch: 1 }));
      },
    };
    using versions = new RateVersions(store, { ...RATE_FRESHNESS_LIMITS, gatherMs: 5 }, () => 42);
    const asked = Array.from({ length: 10_000 }, (_, n) =>
      versions.ask({ tenantId: `t${n % 9}`, propertyId: `${n}` }),
    );
    const answers = await Promise.all(asked);
    t.same(calls, Array<number>(10).fill(1_000));
    t.ok(answers.every(({ version, askedAt }, n) => version === n && askedAt === 42));
  },
);

void t.test('a statement that hangs is given up, and the next one goes', async (t) => {
  let calls = 0;
  const store = {
    rateVersions: (of: readonly Address[]) =>
      ++calls === 1 ? new Promise<never>(() => {}) : Promise.resolve(of.map(() => ({ version: 7, epoch: 1 }))),
  };
  using versions = new RateVersions(store, { ...RATE_FRESHNESS_LIMITS, gatherMs: 1, answerMs: 10 });
  const first = versions.ask(PROPERTY_ID);
  await untilTime(() => calls === 1);
  const second = versions.ask(PROPERTY_ID);
  await t.rejects(first, /does not answer/);
  t.equal((await second).version, 7);
});

void t.test('who waits does not wait for others to gather; one statement is under way at a time', async (t) => {
  const gates = [new Gate(), new Gate()];
  const calls: number[] = [];
  const store = {
    rateVersions: async (of: readonly Address[]) => {
      const gate = gates[calls.push(of.length) - 1]!;
      await gate.opened;
      return of.map(() => ({ version: 1, epoch: 1 }));
    },
  };
  using versions = new RateVersions(store, { ...RATE_FRESHNESS_LIMITS, gatherMs: 3_600_000 });
  const first = versions.ask(PROPERTY_ID);
  t.same(calls, []);
  versions.hurry();
  t.same(calls, [1]);
  const others = [versions.ask(PROPERTY_ID), versions.ask(PROPERTY_ID)];
  versions.hurry();
  t.same(calls, [1], 'those that come meanwhile go with the next');
  for (const gate of gates) gate.open();
  await Promise.all([first, ...others]);
  t.same(calls, [1, 2]);
});

void t.test('a reader whose rates are too old hurries the check that had been gathering', async (t) => {
  const running = new RunningHost();
  const { store, clock } = running;
  const trust = { gatherMs: 3_600_000, now: () => running.monotonic };
  running.host = new Host({ store, clock, log: quiet, lanes: 2, mayOwn: () => true, rateFreshness: trust });
  t.teardown(() => running.host[Symbol.asyncDispose]());
  await running.setUp();
  changeExternally(running, 12_000);
  running.monotonic = checkAfterMs;
  t.equal(await shown(running), 10_000);
  running.monotonic = trustMs;
  t.equal(await shown(running), 12_000);
});
