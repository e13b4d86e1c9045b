import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

import { ROOT } from './needs.ts';
import { ProcessorTime } from './processor-time.ts';
import { type Shard, shardsOfCi, shardsOfTheNight } from './shards.ts';
import { Tally } from './tally.ts';

/**
 * Runs what CI runs, or with `--nightly` what it leaves to the night; with names only those shards. A shard that fails
 * stops no other. The last lines name what took most processor time and all that failed, and count the tests. A skip is a failure where
 * CI is set; at a desk not everything is there.
 */
const SAY_EVERY_MS = 30_000;
/** Files whose processor time is said at the end: where the time of the next run can be saved. */
const SHOWN_FILES = 15;
/** How files that share a process say theirs (test/loop/together.ts). */
const PROCESSOR = /^# processor (\S+) (.+)$/;

/** Where services of the black box leave a database for those after them (test/blackbox/demo-template.ts). */
const demos = mkdtempSync(join(tmpdir(), 'innkeeper-demos-'));
// PostgreSQL runs under another account than root.
chmodSync(demos, 0o755);
process.once('exit', () => rmSync(demos, { recursive: true, force: true }));

using processor = new ProcessorTime();
const running = new Set<ChildProcess>();
let isStopped = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    isStopped = true;
    for (const child of running) child.kill(signal);
  });

type Result = { name: string; tally: Tally; minutes: number };

const minutesSince = (began: number): number => (performance.now() - began) / 60_000;

const used = (shard: string): string => `${processor.secondsOf(shard).toFixed(0)} s of processor`;

async function play({ name, command, env, isTap }: Shard): Promise<Result> {
  const tally = new Tally();
  const began = performance.now();
  const say = (line: string): void => console.log(`${name}: ${line}`);
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: ROOT,
    // A suite that needs a service runs here, or fails.
    env: { ...process.env, REQUIRE_SERVICES: 'all', INNKEEPER_DEMOS: demos, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  if (child.pid !== undefined) processor.track(child.pid, name);
  // A file's lines come when those before it are through, so a long one holds the count up.
  const saying = setInterval(() => {
    const files = isTap ? `, ${tally.counts.files} of ${tally.planned ?? '?'} files` : '';
    say(`${minutesSince(began).toFixed(1)} min${files}`);
  }, SAY_EVERY_MS);
  const ended = new Promise<number>((resolve) => {
    child.once('error', (error) => (say(error.message), resolve(1)));
    child.once('close', (code) => resolve(code ?? 1));
  });
  for await (const line of createInterface(child.stdout)) {
    const [, seconds, file] = PROCESSOR.exec(line) ?? [];
    if (!isTap) say(line);
    else if (file !== undefined) processor.add(`${basename(file)} (${name})`, Number(seconds));
    else if (tally.shows(line)) say(line);
  }
  const code = await ended;
  clearInterval(saying);
  running.delete(child);
  const minutes = minutesSince(began);
  tally.close(code, isTap);
  const { files, passed, failed, skipped } = tally.counts;
  say(
    `${passed} passed, ${failed} failed, ${skipped} skipped, ${files} files, ${minutes.toFixed(1)} min, ${used(name)}`,
  );
  return { name, tally, minutes };
}

async function playLane(shards: readonly Shard[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const shard of shards) if (!isStopped) results.push(await play(shard));
  return results;
}

const args = process.argv.slice(2);
const isNightly = args.includes('--nightly');
const names = args.filter((arg) => !arg.startsWith('--'));
const { lanes, alone } = await (isNightly ? shardsOfTheNight() : shardsOfCi());
const all = [...lanes.flat(), ...alone];
const unknown = names.filter((name) => !all.some((shard) => shard.name === name));

if (args.includes('--list')) for (const { name } of all) console.log(name);
else if (unknown.length > 0) {
  console.error(`there is no shard ${unknown.join(', ')}: ${all.map(({ name }) => name).join(', ')}`);
  process.exitCode = 2;
} else {
  const began = performance.now();
  const wanted = (shards: readonly Shard[]): Shard[] =>
    shards.filter(({ name }) => names.length === 0 || names.includes(name));
  const results = (await Promise.all(lanes.map((lane) => playLane(wanted(lane))))).flat();
  results.push(...(await playLane(wanted(alone))));
  const sum = (key: keyof Tally['counts']): number =>
    results.reduce((total, { tally }) => total + tally.counts[key], 0);
  for (const { name, tally } of results) {
    for (const [index, failure] of tally.failures.entries()) {
      console.log(`FAILED ${name}: ${failure}`);
      for (const line of tally.details[index] ?? []) console.log(`  ${line}`);
    }
    for (const skip of tally.skips) console.log(`SKIPPED ${name}: ${skip}`);
  }
  console.log(`processor seconds of the ${SHOWN_FILES} largest files, with all that they start:`);
  for (const { file, seconds } of processor.largest(SHOWN_FILES))
    console.log(`${seconds.toFixed(1).padStart(8)} ${file}`);
  const shards = results.map(({ name }) => processor.secondsOf(name));
  const total = shards.reduce((a, b) => a + b, 0).toFixed(0);
  console.log(
    `${sum('passed')} tests passed, ${sum('failed')} failed, ${sum('skipped')} skipped, ` +
      `in ${sum('files')} files and ${minutesSince(began).toFixed(1)} min, ${total} s of processor`,
  );
  const mayNotBe = sum('failed') + (process.env['CI'] ? sum('skipped') : 0);
  if (isStopped || mayNotBe > 0 || sum('passed') === 0) process.exitCode = 1;
}
