import t from 'tap';

import { VirtualTime } from '../../../actors/simulation/virtual-time.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { SimulatedThread } from '../../testing/liveness/thread.ts';
import type { KeeperThread } from './keeper-thread.ts';
import type { FromKeeper, ToKeeper } from './lease-keeper.ts';
import { LEASE_MS, LeaseMemory } from './lease-memory.ts';
import { NodeLease } from './node-lease.ts';

/** Far more events than a minute of one lease has. */
const MAX_EVENTS = 10_000;

/** `waits`: it answers, but the database does not give it the lease. */
type Mode = 'works' | 'waits' | 'hangs';

/** A lease thread without a database. */
class ScriptedThread implements KeeperThread {
  readonly memory = new LeaseMemory();
  readonly ended = Promise.resolve();
  readonly #now: () => number;
  mode: Mode;
  hasEnded = false;
  tell: (message: FromKeeper) => void = () => undefined;

  constructor(now: () => number, mode: Mode) {
    this.#now = now;
    this.mode = mode;
  }

  listen(hear: (message: FromKeeper) => void): void {
    this.tell = hear;
  }

  send({ type }: ToKeeper): void {
    if (this.mode === 'hangs' || this.hasEnded) return;
    if (type === 'clock') this.#post({ type: 'heard' });
    if (this.mode === 'waits') return;
    this.memory.hold(this.#now() + LEASE_MS);
    if (type === 'take') this.#post({ type: 'taken' });
  }

  /** Messages between threads arrive later. */
  #post(message: FromKeeper): void {
    queueMicrotask(() => this.tell(message));
  }

  async terminate(): Promise<void> {
    this.hasEnded = true;
  }
}

/** A lease that is being taken in virtual time. @param modes of its first threads; later ones work */
function takingLease(...modes: Mode[]) {
  const time = new VirtualTime();
  const began = time.now;
  const scheduler = new SimulatedThread(time, 0);
  const threads: ScriptedThread[] = [];
  const warnings: string[] = [];
  const startThread = (): ScriptedThread => {
    threads.push(new ScriptedThread(() => scheduler.now(), modes[threads.length] ?? 'works'));
    return threads.at(-1)!;
  };
  const taking = NodeLease.take({
    node: { nodeId: 'n1', incarnation: 'i1' },
    databaseUrl: '',
    client: () => Promise.reject(new Error('not asked')),
    log: { ...quiet, warn: (_: object, text: string) => void warnings.push(text) },
    renewed: () => undefined,
    scheduler,
    startThread,
  });
  const elapsedMs = (): number => time.now - began;
  const pass = (milliseconds: number): Promise<boolean> => {
    const until = time.now + milliseconds;
    return time.run(() => time.now >= until, MAX_EVENTS);
  };
  return { taking, time, threads, warnings, elapsedMs, pass };
}

void t.test('a lease thread that hangs before the first lease is replaced, and the start goes on', async (t) => {
  const { taking, time, threads, warnings, elapsedMs } = takingLease('hangs', 'hangs');
  let lease: NodeLease | undefined;
  void taking.then((taken) => (lease = taken));
  t.ok(await time.run(() => lease !== undefined, MAX_EVENTS), 'the start ends');
  t.ok(lease!.held);
  t.ok(elapsedMs() < 2 * 22_000, `after ${elapsedMs()} ms`);
  t.same(
    threads.map(({ hasEnded }) => hasEnded),
    [true, true, false],
    'those that hung are ended, with their connections',
  );
  t.equal(warnings.filter((text) => text.includes('does not answer')).length, 2, 'the log says what was waited for');
});

void t.test('a lease thread that answers, and has no lease yet, is waited for', async (t) => {
  const { taking, threads, pass } = takingLease('waits');
  await pass(60_000);
  t.equal(threads.length, 1);
  threads[0]!.mode = 'works';
  threads[0]!.tell({ type: 'taken' });
  await pass(1_000);
  t.ok((await taking).held);
});

void t.test('what a replaced lease thread still says is not taken for its successor', async (t) => {
  const { taking, threads, pass } = takingLease();
  const lease = await taking;
  threads[0]!.mode = 'hangs';
  await pass(30_000);
  t.equal(threads.length, 2);
  t.ok(lease.held, 'by the second thread');
  threads[0]!.tell({ type: 'lost', why: 'the lease ran out before it was renewed', losses: 1 });
  t.ok(lease.held, 'still');
});
