import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';

import { quiet } from '../../testing/actors/running-host.ts';
import { Line } from '../../testing/cluster/line.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { connect } from '../database/connection.ts';
import { ReconnectingClient } from '../database/reconnecting-client.ts';
import { LeaseThread } from './keeper-thread.ts';
import { type FromKeeper, LeaseKeeper } from './lease-keeper.ts';
import { LeaseMemory } from './lease-memory.ts';
import { NodeLease, type NodeLeaseOptions } from './node-lease.ts';

/** Leases have to run out, under both runtimes. */
t.setTimeout(300_000);

const { admin, url } = await withTestDatabase(t);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const system = new ReconnectingClient(() => connect(url, 'innkeeper_system'));
t.teardown(() => system[Symbol.asyncDispose]());
const take = (nodeId: string, options: Partial<NodeLeaseOptions> = {}) =>
  NodeLease.take({
    node: { nodeId, incarnation: randomUUID() },
    databaseUrl: url,
    client: () => system.client(),
    log: quiet,
    renewed: () => {},
    ...options,
  });
const keepers = `select pid from pg_stat_activity where application_name = 'innkeeper_lease'`;
const killKeepers = () => admin.query(`select pg_terminate_backend(pid) from (${keepers}) k`);

void t.test('a lost lease is taken again when the database is back, and ends for good when closed', async (t) => {
  const lease = await take('n1');
  t.ok(lease.held);
  await untilTime(() => lease.state === 'fresh');
  const order: string[] = [];
  lease.onLost(() => order.push(`lost while ${lease.state}`));
  lease.onLost(() => order.push('announced'));
  await killKeepers();
  await untilTime(() => !lease.held);
  await untilTime(() => lease.held);
  t.same(order, ['lost while lost', 'announced'], 'announced before it is held again');
  await lease[Symbol.asyncDispose]();
  t.notOk(lease.held);
  t.same((await admin.query('select 1 from system.cluster_node')).rows, []);
});

void t.test('the connection for questions is another one: its loss does not lose the lease', async (t) => {
  const lease = await take('n2');
  lease.onLost(() => t.fail('lost'));
  const { rows } = await (await lease.client()).query<{ pid: number }>('select pg_backend_pid() as pid');
  await admin.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
  await untilTime(async () => {
    const asked = await lease
      .client()
      .then(
        (client) => client.query('select 1'),
        () => undefined,
      )
      .catch(() => undefined);
    return asked !== undefined;
  });
  t.ok(lease.held);
  await lease[Symbol.asyncDispose]();
});

void t.test('a second process under the same node id refuses to start with a clear line', async (t) => {
  const lease = await take('n3');
  await t.rejects(take('n3'), /^another Innkeeper runs as node n3 on this database; stop it, or give this one/);
  t.ok(lease.held);
  await lease[Symbol.asyncDispose]();
});

void t.test('a locked lease table: overdue, lost when the lease ends, and back by itself', async (t) => {
  const lease = await take('n4');
  const seen: string[] = [];
  await untilTime(() => lease.state === 'fresh');
  const states: string[] = [];
  lease.onLost(() => states.push(lease.state));
  const look = setInterval(() => {
    if (seen.at(-1) !== lease.state) seen.push(lease.state);
  }, 1);
  const began = performance.now();
  await admin.query('begin; lock table system.cluster_node');
  await untilTime(() => lease.state === 'overdue');
  await untilTime(() => !lease.held);
  const gone = performance.now() - began;
  t.ok(gone > 2_900, `lost after ${Math.round(gone)} ms`);
  await pause(1_500);
  t.notOk(lease.held, 'as long as it is locked');
  await admin.query('rollback');
  await untilTime(() => lease.held);
  await untilTime(() => seen.at(-1) === 'fresh');
  clearInterval(look);
  t.same(seen, ['fresh', 'overdue', 'lost', 'fresh']);
  t.same(states, ['lost']);
  await lease[Symbol.asyncDispose]();
});

void t.test('a database that hangs: lost when the lease ends, and taken anew when it is back', async (t) => {
  const lease = await take('n5');
  let lost = 0;
  lease.onLost(() => (lost += 1));
  const pids = (await admin.query<{ pid: number }>(keepers)).rows.map(({ pid }) => pid);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await untilTime(() => !lease.held);
  await untilTime(() => lost === 1);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  await untilTime(() => lease.held);
  t.equal(lost, 1);
  await lease[Symbol.asyncDispose]();
});

void t.test('a thread that ends loses the lease, and another one takes it', async (t) => {
  const thread = new LeaseThread();
  const lease = await take('n6', { thread });
  let lost = 0;
  lease.onLost(() => (lost += 1));
  await thread.worker.terminate();
  await untilTime(() => lost === 1);
  await untilTime(() => lease.held);
  t.equal(lost, 1);
  await lease[Symbol.asyncDispose]();
});

void t.test(
  'a thread that ends while the database is away: its successor waits, and takes the lease then',
  async (t) => {
    const { line, url: through } = await Line.to(url);
    const lines: string[] = [];
    const note = (_: object, text: string): unknown => lines.push(text);
    const log = { ...quiet, error: note, warn: note, info: note };
    const thread = new LeaseThread();
    const lease = await take('n12', { databaseUrl: through, thread, log });
    line.cut();
    await thread.worker.terminate();
    await untilTime(() => lines.some((text) => text.endsWith('it is tried on')));
    await pause(3_000);
    line.mend();
    await untilTime(() => lease.held);
    await untilTime(() => lines.includes('lease taken again'), 'the line that it is back');
    // By the cut, and by the end of the thread; not again for each try.
    t.ok(lines.filter((text) => text === 'lease lost').length <= 2, lines.join('; '));
    await lease[Symbol.asyncDispose]();
    await line[Symbol.asyncDispose]();
  },
);

void t.test('a main thread that hangs loses the lease, and takes it again when it speaks', async (t) => {
  const said: FromKeeper['type'][] = [];
  const memory = new LeaseMemory();
  const keeper = new LeaseKeeper({
    connect: (to) => connect(to, 'innkeeper_system'),
    notify: ({ type }) => void said.push(type),
    silenceMs: 4_000,
  });
  const clock = (): void => keeper.notified({ type: 'clock', now: performance.now() });
  const node = { nodeId: 'n7', incarnation: randomUUID() };
  keeper.notified({
    type: 'take',
    isAgain: false,
    node,
    databaseUrl: url,
    shared: memory.shared,
    now: performance.now(),
  });
  const speaking = setInterval(clock, 200);
  await untilTime(() => said.filter((type) => type === 'renewed').length > 3);
  t.notOk(said.includes('lost'), 'as long as it speaks');
  clearInterval(speaking);
  await untilTime(() => said.includes('lost'));
  t.equal(memory.state(0), 'lost');
  t.equal(memory.state(1), 'lost', 'not taken again behind its back');
  await pause(1_500);
  t.equal(memory.state(1), 'lost');
  clock();
  await untilTime(() => (clock(), memory.state(1) !== 'lost'));
  keeper.notified({ type: 'end' });
  await untilTime(() => said.includes('ended'));
});

void t.test(
  'a database that is away for longer than the silence of a dead main thread: the lease is back',
  async (t) => {
    const { line, url: through } = await Line.to(url);
    const lines: string[] = [];
    const log = {
      ...quiet,
      warn: (_: object, text: string) => lines.push(text),
      info: (_: object, text: string) => lines.push(text),
    };
    const lease = await take('n8', { databaseUrl: through, thread: new LeaseThread({ silenceMs: 2_500 }), log });
    line.cut();
    await untilTime(() => !lease.held);
    await pause(5_000);
    line.mend();
    await untilTime(() => lease.held);
    t.ok(lines.includes('the lease is not taken again yet; it is tried on'), 'what it waits for is said');
    await untilTime(() => lines.includes('lease taken again'), 'the line that it is back');
    await lease[Symbol.asyncDispose]();
    await line[Symbol.asyncDispose]();
  },
);

void t.test(
  'a way to the database that is lost without a word: the lease is taken anew on another connection',
  async () => {
    const { line, url: through } = await Line.to(url);
    const lease = await take('n9', { databaseUrl: through });
    let lost = 0;
    lease.onLost(() => (lost += 1));
    line.loseOpen();
    await untilTime(() => lost === 1);
    await untilTime(() => lease.held);
    await lease[Symbol.asyncDispose]();
    await line[Symbol.asyncDispose]();
  },
);

void t.test('a lease that is given up holds no longer at once, and is taken anew', async (t) => {
  const errors: object[] = [];
  const lease = await take('n10', { log: { ...quiet, error: (facts: object) => errors.push(facts) } });
  let lost = 0;
  lease.onLost(() => (lost += 1));
  lease.giveUp('a commit had no answer');
  t.notOk(lease.held, 'at once');
  lease.giveUp('again');
  await untilTime(() => lost === 1);
  await untilTime(() => lease.held);
  t.match(errors, [{ why: 'a commit had no answer' }]);
  t.equal(lost, 1);
  await lease[Symbol.asyncDispose]();
});

void t.test('a thread that hangs is replaced, and the lease held by the next', async (t) => {
  const thread = new LeaseThread({}, new URL('../../testing/cluster/hanging-lease-thread.ts', import.meta.url));
  const lease = await take('n11', { thread, clockEveryMs: 200 });
  t.ok(lease.held, 'as far as anybody knows');
  let lost = 0;
  lease.onLost(() => (lost += 1));
  await untilTime(() => lost === 1);
  await untilTime(() => lease.held);
  const { rows } = await admin.query(`select 1 from system.cluster_node where node_id = 'n11'`);
  t.equal(rows.length, 1, 'and this time in the database');
  await lease[Symbol.asyncDispose]();
});

/** A process that holds a lease, and the lines that it has said. */
class Life implements AsyncDisposable {
  readonly said: string[] = [];
  readonly process: ChildProcess;

  constructor(runtime: 'node' | 'deno', ...given: string[]) {
    const deno = ['run', '--no-prompt', '--node-modules-dir=manual', '--no-lock', '--no-remote', '-A'];
    const command = { node: ['--import', './src/platform/launch/strip-types.mjs'], deno }[runtime];
    const program = { node: process.execPath, deno: join(root, 'node_modules/.bin/deno') }[runtime];
    const env = { ...process.env, DENO_NO_UPDATE_CHECK: '1' };
    this.process = spawn(program, [...command, 'src/testing/cluster/lease-life.ts', url, ...given], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface(this.process.stdout!).on('line', (line) => this.said.push(line));
  }

  /** What it said of the lease, without the time. */
  get announced(): string[] {
    return this.said.filter((line) => !line.startsWith('time'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.process, 'exit', { signal: AbortSignal.timeout(60_000) });
    this.process.kill('SIGTERM');
    await ended;
  }
}

async function inProcess(t: Test, runtime: 'node' | 'deno'): Promise<void> {
  const standing = t.test(
    `${runtime}: a main loop that stands for 7 s neither loses the lease nor reports an old time`,
    async (t) => {
      await using life = new Life(runtime, `busy-${runtime}`, '7000');
      await untilTime(() => life.said.some((line) => line.startsWith('busy')));
      await untilTime(() => life.said.at(-1)!.startsWith('time'));
      t.strictSame(life.announced, ['held', 'busy true']);
      for (const line of life.said.filter((said) => said.startsWith('time')))
        t.ok(Math.abs(Number(line.slice(5))) < 1_000, line);
    },
  );

  const resumed = t.test(
    `${runtime}: a resumed process is notified of its loss before it holds a lease again`,
    async (t) => {
      await using life = new Life(runtime, `paused-${runtime}`);
      await untilTime(() => life.announced.length > 0);
      t.strictSame(life.announced, ['held']);
      life.process.kill('SIGSTOP');
      await pause(5_500);
      const { rows } = await admin.query(
        `select lease_until < clock_timestamp() as out from system.cluster_node where node_id = 'paused-${runtime}'`,
      );
      t.same(rows, [{ out: true }]);
      life.process.kill('SIGCONT');
      await untilTime(() => life.announced.length >= 4);
      t.strictSame(life.announced, ['held', 'gone', 'lost', 'held']);
    },
  );

  const refused = t.test(`${runtime}: a node whose lock is taken refuses to start`, async (t) => {
    const lease = await take(`mine-${runtime}`);
    const life = new Life(runtime, `mine-${runtime}`);
    const [code] = await once(life.process, 'exit', { signal: AbortSignal.timeout(60_000) });
    t.equal(code, 1);
    await untilTime(() => life.said.length > 0);
    t.match(life.said, [/^refused another Innkeeper runs as node mine-(node|deno) on this database/]);
    await lease[Symbol.asyncDispose]();
  });
  await Promise.all([standing, resumed, refused]);
}

// They wait nearly all of their time, each for its own node: all at once.
void t.test('processes on both runtimes', { jobs: 6 }, async (t) => {
  await Promise.all([inProcess(t, 'node'), inProcess(t, 'deno')]);
});
