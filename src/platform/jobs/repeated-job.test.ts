import t from 'tap';

import type { JobRounds, JobRun, RoundNote, StoredRound } from '../../kernel/ports.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { Gate } from '../../testing/fake-clock.ts';
import { RepeatedJob } from './repeated-job.ts';
import { RoundRegistry } from './round-registry.ts';

const EVERY_MS = 60_000;
const IDLE_LIMIT_MS = 600_000;
const RUN: JobRun = { id: 'r', signal: new AbortController().signal, progress: async () => undefined };

/** What nodes note, on a server whose clock is its own. */
class Notes implements JobRounds {
  serverMs = 1_000_000;
  readonly notes: RoundNote[] = [];
  away = false;
  #claimedAt = -Infinity;
  #row: { completed?: number; advanced?: number; delivered?: number } = {};

  async all(): Promise<ReadonlyMap<string, StoredRound>> {
    return new Map(Object.keys(this.#row).length > 0 ? [['daily-check', this.row]] : []);
  }

  async note(_: string, what: RoundNote): Promise<StoredRound> {
    if (this.away) throw new Error('away');
    this.notes.push(what);
    for (const key of ['completed', 'advanced', 'delivered'] as const) if (what[key]) this.#row[key] = this.serverMs;
    return this.row;
  }

  async claim(_: string, forMs: number): Promise<boolean> {
    if (this.serverMs - this.#claimedAt < forMs) return false;
    this.#claimedAt = this.serverMs;
    return true;
  }

  get row(): StoredRound {
    const of = (at?: number) => (at === undefined ? undefined : { mark: String(at), ageMs: this.serverMs - at });
    const { completed, advanced, delivered } = this.#row;
    return { completed: of(completed), advanced: of(advanced), delivered: of(delivered) };
  }
}

/** A node at an installation whose time its test moves. */
class Node {
  static nowMs = 0;
  readonly registry = new RoundRegistry(() => Node.nowMs);
  readonly runs: string[] = [];
  work: (run: JobRun) => Promise<void> = async () => {};
  readonly job: RepeatedJob<string>;
  readonly notes: Notes;

  constructor(notes: Notes) {
    this.notes = notes;
    this.job = new RepeatedJob({
      round: this.registry.register('daily-check', EVERY_MS),
      handler: async (_, run) => {
        this.runs.push(run.id);
        await this.work(run);
        return `run ${this.runs.length}`;
      },
      stored: notes,
      log: quiet,
      now: () => Node.nowMs,
      idleLimitMs: IDLE_LIMIT_MS,
    });
  }

  deliver(): Promise<string> {
    return this.job.run({}, RUN, 'queue');
  }

  /** What a node does four times a period. */
  async look(): Promise<void> {
    this.job.giveUpIdle();
    this.job.saw((await this.notes.all()).get('daily-check'));
    if (this.job.isOverdue) await this.job.rescue(RUN.signal);
    await settled();
  }

  get figures() {
    return this.registry.figures()[0]!;
  }
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));
const pass = (notes: Notes, ms: number): void => {
  Node.nowMs += ms;
  notes.serverMs += ms;
};

t.test('a node hears of what another one ran, and leaves it alone', async (t) => {
  const notes = new Notes();
  const one = new Node(notes);
  const other = new Node(notes);
  for (let minute = 0; minute < 5; minute++) {
    t.equal(await one.deliver(), `run ${minute + 1}`);
    await one.job.done();
    for (let n = 0; n < 4; n++) {
      await one.look();
      await other.look();
      pass(notes, EVERY_MS / 4);
    }
  }
  t.same(other.runs, []);
  t.equal(one.runs.length, 5);
  t.match(other.figures, { ageSeconds: 60, hasRun: true, rescues: 0 });
  t.equal(other.job.lateSeconds, undefined);
});

t.test('what the queue does not bring is run by one node, and still counts as not brought', async (t) => {
  const notes = new Notes();
  const nodes = [new Node(notes), new Node(notes)];
  let oldestMs = 0;
  for (let n = 0; n < 40; n++) {
    for (const node of nodes) await node.look();
    oldestMs = Math.max(oldestMs, ...nodes.map(({ job }) => job.ageMs));
    pass(notes, EVERY_MS / 4);
  }
  t.ok(oldestMs < 2 * EVERY_MS, `${oldestMs} ms at most`);
  t.equal(nodes.flatMap(({ runs }) => runs).length, 5, 'ten minutes, once in two of them');
  t.equal(nodes[0]!.figures.rescues + nodes[1]!.figures.rescues, 5);
  t.ok(nodes.every(({ job }) => job.lateSeconds! >= 600));
  await nodes[0]!.deliver();
  await nodes[0]!.job.done();
  await nodes[1]!.look();
  t.same(
    nodes.map(({ job }) => job.lateSeconds),
    [undefined, undefined],
  );
});

t.test('a node that starts late in the day leaves the queue half a period, then runs what is overdue', async (t) => {
  const notes = new Notes();
  const before = new Node(notes);
  await before.deliver();
  await before.job.done();
  pass(notes, 8 * 3_600_000);
  const node = new Node(notes);
  await node.look();
  t.match(node.figures, { ageSeconds: 8 * 3_600 }, 'its age is that of the installation');
  t.same(node.runs, []);
  pass(notes, EVERY_MS / 2 + 1);
  await node.look();
  t.equal(node.runs.length, 1);
  t.match(node.figures, { ageSeconds: 0, rescues: 1 });
});

t.test('the clock of the server may jump: nothing is late by it, and nothing young', async (t) => {
  const notes = new Notes();
  const node = new Node(notes);
  await node.deliver();
  await node.job.done();
  for (const jumpMs of [86_400_000, -2 * 86_400_000]) {
    notes.serverMs += jumpMs;
    await node.look();
    t.match(node.figures, { ageSeconds: 0 });
  }
  pass(notes, 3 * EVERY_MS);
  await node.look();
  t.equal(node.runs.length, 2, 'the row is of the future, and the round overdue');
});

t.test('one run at a time in a process, and a long one is not late while it gets on', async (t) => {
  const notes = new Notes();
  const node = new Node(notes);
  const other = new Node(notes);
  const end = new Gate();
  node.work = () => end.opened;
  const both = [node.deliver(), node.deliver()];
  await settled();
  for (let n = 0; n < 60; n++) {
    pass(notes, EVERY_MS / 4);
    node.job.progressed();
    await settled();
    await other.look();
  }
  t.same([node.runs.length, other.runs.length], [1, 0]);
  t.ok(node.figures.ageSeconds < 1 && other.figures.ageSeconds < 20, 'a quarter of an hour, and not late');
  t.same([node.job.lateSeconds, other.job.lateSeconds], [undefined, undefined]);
  end.open();
  t.same(await Promise.all(both), ['run 1', 'run 1']);
  t.match(node.figures, { hasRun: true });
});

t.test('a run that hangs is given up, counted, and the next one begins', async (t) => {
  const notes = new Notes();
  const node = new Node(notes);
  node.work = () => (node.runs.length === 1 ? new Gate().opened : Promise.resolve());
  const hanging = node.deliver();
  hanging.catch(() => undefined);
  pass(notes, IDLE_LIMIT_MS - 1);
  await node.look();
  t.equal(node.runs.length, 1);
  pass(notes, 2);
  await node.look();
  await t.rejects(hanging, /no progress for 600 s/);
  t.match(node.figures, { failures: 1 });
  pass(notes, EVERY_MS / 4);
  await node.look();
  t.equal(node.runs.length, 2, 'it is overdue, so at the next look');
  t.ok(node.figures.ageSeconds < 1);
});

t.test('a run that fails is none, and one that cannot be noted is one of this node', async (t) => {
  const notes = new Notes();
  const node = new Node(notes);
  node.work = async () => Promise.reject(new Error('no'));
  await t.rejects(node.deliver(), /no/);
  await node.job.done();
  t.match(node.figures, { hasRun: false, failures: 1, error: 'no' });
  t.same(notes.notes, [{ completed: false, advanced: undefined, delivered: true }]);
  node.work = async () => {};
  notes.away = true;
  await node.deliver();
  await node.job.done();
  t.match(node.figures, { hasRun: true, ageSeconds: 0 });
});
