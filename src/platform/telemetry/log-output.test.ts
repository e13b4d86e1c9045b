import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'tap';

import { isAlive } from '../../testing/launch/throw-away.ts';
import { serviceCommand } from '../launch/runtimes.mjs';
import { LogOutput } from './log-output.ts';
import { terminalLine } from './terminal-lines.ts';

const RUNTIMES = ['deno', 'node'] as const;
type Runtime = (typeof RUNTIMES)[number];
/** A pipe takes 64 KB, a socket some 200 KB: this is more than both and the buffer together. */
const LINES = 6_000;
const WITHIN_MS = 60_000;

/**
 * Says more than anybody reads, then counts how often its event loop turns, in a file that is never half written;
 * ends at SIGTERM.
 */
const chatter = `
  import { renameSync, writeFileSync } from 'node:fs';
  import { createLog, droppedLogLines } from './src/platform/telemetry/telemetry.ts';
  const log = createLog({ level: 'debug' });
  for (let line = 0; line < ${LINES}; line += 1) log.debug({ line, more: 'x'.repeat(900) }, 'chatter');
  let turns = 0;
  process.on('SIGTERM', () => process.exit(0));
  process.on('SIGUSR2', () => log.info('after the pause'));
  setInterval(() => {
    turns += 1;
    writeFileSync(process.env.TURNS + '.new', JSON.stringify({ turns, dropped: droppedLogLines(), pid: process.pid }));
    renameSync(process.env.TURNS + '.new', process.env.TURNS);
  }, 20);`;

/** `script` gives a program a terminal; a reader that does not read its output has stopped that. */
const hasTerminal = { skip: spawnSync('script', ['--version']).status !== 0 && 'no script(1) here' };

type Seen = { turns: number; dropped: number; pid: number };
type Chatter = { child: ChildProcess; seen: () => Seen };

/** @param stderr `pipe` makes a socket, a number is a descriptor */
async function start(
  t: { teardown(work: () => unknown): void },
  runtime: Runtime,
  stderr: 'pipe' | 'terminal' | number,
): Promise<Chatter> {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-log-'));
  const turns = join(folder, 'turns.json');
  const script = join(folder, 'chatter.mts');

  writeFileSync(script, chatter.replaceAll("'./src/", `'${process.cwd()}/src/`));
  const { NODE_OPTIONS: _tap, ...inherited } = process.env;
  const env = { ...inherited, TURNS: turns, DATA_DIR: folder, INNKEEPER_ALLOW_ENV: 'TURNS' };
  const [program = '', ...args] = serviceCommand(runtime, script, { env });
  const child =
    stderr === 'terminal'
      ? spawn('script', ['-qefc', [program, ...args].join(' '), '/dev/null'], {
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        })
      : spawn(program, args, { env, stdio: ['ignore', 'ignore', stderr] });
  t.teardown(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const seen = (): Seen => {
    try {
      return JSON.parse(readFileSync(turns, 'utf8')) as Seen;
    } catch {
      return { turns: 0, dropped: 0, pid: 0 };
    }
  };
  return { child, seen };
}

async function eventually(what: () => boolean): Promise<boolean> {
  for (const end = Date.now() + WITHIN_MS; Date.now() < end && !what();) await sleep(20);
  return what();
}

async function endOf(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode;
  const late = sleep(WITHIN_MS, 'still there', { ref: false });
  return Promise.race([once(child, 'exit').then(([code, signal]) => code ?? signal), late]);
}

for (const runtime of RUNTIMES) {
  void test(`${runtime}: a socket that nobody reads stops nothing, and who reads again learns what is missing`, async (t) => {
    const { child, seen } = await start(t, runtime, 'pipe');
    t.ok(await eventually(() => seen().turns > 20), 'it goes on');
    t.ok(seen().dropped > 0, 'and counts what nobody took');
    const { dropped } = seen();
    let text = '';
    child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
    t.ok(await eventually(() => text.includes('lines of this log were dropped')), 'the reader learns of it');
    child.kill('SIGUSR2');
    t.ok(await eventually(() => text.includes('after the pause')), 'what comes later is read');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    t.equal(lines.filter(({ msg }) => msg === 'chatter').length, LINES - dropped, 'no line is cut');
    t.match(
      lines.find((line) => 'dropped' in line),
      { level: 'warn', dropped, droppedSinceStart: dropped },
    );
    child.kill('SIGTERM');
    t.equal(await endOf(child), 0);
  });

  void test(`${runtime}: a pipe that nobody reads stops nothing, not even the end`, async (t) => {
    // A pipe of the operating system, as a shell makes it; what Node calls one is a socket.
    const fifo = join(mkdtempSync(join(tmpdir(), 'innkeeper-fifo-')), 'pipe');
    await once(spawn('mkfifo', [fifo]), 'exit', { signal: AbortSignal.timeout(60_000) });
    const end = openSync(fifo, 'r+');
    const { child, seen } = await start(t, runtime, end);
    t.ok(await eventually(() => seen().turns > 20), 'it goes on');
    t.ok(seen().dropped > 0, 'and counts what nobody took');
    child.kill('SIGTERM');
    t.equal(await endOf(child), 0);
    closeSync(end);
    rmSync(fifo);
  });

  void test(`${runtime}: a terminal that is stopped stops nothing, not even the end`, hasTerminal, async (t) => {
    const { seen } = await start(t, runtime, 'terminal');
    t.ok(await eventually(() => seen().turns > 20), 'it goes on');
    const { pid } = seen();
    process.kill(pid, 'SIGTERM');
    t.ok(await eventually(() => !isAlive(pid)), 'and ends');
  });

  void test(`${runtime}: a reader that has gone stops nothing either`, async (t) => {
    const { child, seen } = await start(t, runtime, 'pipe');
    child.stderr!.destroy();
    t.ok(await eventually(() => seen().turns > 20), 'it goes on');
    child.kill('SIGTERM');
    t.equal(await endOf(child), 0);
  });
}

void test('a full disk drops lines and throws nothing', { skip: process.platform !== 'linux' }, (t) => {
  const full = openSync('/dev/full', 'w');
  const output = new LogOutput({ fd: full });
  output.write('first\n');
  output.flushNow();
  output.write('second\n');
  output.flushNow();
  t.equal(output.dropped >= 2, true);
  closeSync(full);
  t.end();
});

void test('a line at a terminal is short', (t) => {
  const line = { level: 'warn', time: '2026-11-23T10:20:30.123Z', pid: 7, name: 'innkeeper', logger: 'jobs' };
  const err = { name: 'Error', message: 'no route', stack: ['at x'] };
  t.equal(
    terminalLine(`${JSON.stringify({ ...line, round: 'night-audit', lateMs: 12, err, msg: 'a round is late' })}\n`),
    '10:20:30.123 WARN  [jobs] a round is late round=night-audit lateMs=12 (no route)\n',
  );
  t.equal(terminalLine('innkeeper: port 8083 is taken\n'), 'innkeeper: port 8083 is taken\n');
  t.end();
});
