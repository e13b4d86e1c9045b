import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Runs test files in a few processes, in each one after the other, and prints the TAP that tap would:
 * `together.ts --jobs=2 --timeout=300 <file>...`. A process for each file is most of what a short one costs. A process
 * that ends before its file does fails that file, and those that are left go on in another. So does a file that leaves
 * changed what the next one begins with. A comment says the processor seconds of each file. What files share
 * (last-file.ts) ends with the last of their process.
 *
 * With `--apart` each file has a process of its own all the same, which costs half of what it costs with tap. Files
 * begin in the order in which they are named, which tap does not promise.
 */
const WORKER = new URL('together-worker.ts', import.meta.url);
/** The line that ends a file. */
const ENDED = /^(not ok|ok) \d+/;
/** Files are held to their time by tap; this is for a loop that never lets tap come to it. */
const GRACE_SECONDS = 3;
/** What a worker says: what the file before has changed and used, and a limit of its own that the file has set. */
type Said = { changed?: string[]; processor?: number; limitMs?: number };

const args = process.argv.slice(2);
const numberOf = (name: string, otherwise: number): number =>
  Number(args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise);
const jobs = numberOf('jobs', 1);
const seconds = numberOf('timeout', 120);
const isApart = args.includes('--apart');
const files = args.filter((arg) => !arg.startsWith('--'));
const running = new Set<ChildProcess>();
let count = 0;

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    files.length = 0;
    for (const child of running) child.kill(signal);
  });

function print(lines: readonly string[], ended: string): void {
  count += 1;
  console.log([...lines, ended.replace(/^((?:not )?ok) \d+/, `$1 ${count}`)].join('\n'));
  if (ended.startsWith('not')) process.exitCode = 1;
}

/**
 * Plays files in one process until there is none left, or the process ends.
 * @returns whether it came to a file: another process would not either
 */
async function play(): Promise<boolean> {
  const env = { ...process.env, TAP: '1' };
  const own = isApart ? files.splice(0, 1) : [];
  const [whose = 'one of several files'] = own;
  // By its argument processor-time.ts knows whose process it is.
  const child = fork(WORKER, own, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  running.add(child);
  let isReady = false;
  let file: string | undefined;
  let isOver = false;
  let hasFailed = false;
  let lines: string[] = [];
  let overdue: NodeJS.Timeout | undefined;
  const endAfter = (ms: number): void => {
    clearTimeout(overdue);
    overdue = setTimeout(() => child.kill('SIGKILL'), ms + GRACE_SECONDS * 1_000);
  };
  child.on('message', ({ changed, processor, limitMs }: Said) => {
    if (limitMs !== undefined) endAfter(limitMs);
    // tap says things of its own to whoever started it.
    if (changed === undefined) return;
    endAfter(seconds * 1_000);
    isReady = true;
    if (changed.length > 0 && !isApart)
      print([], `not ok 0 - ${file}: it changed ${changed.join(', ')} for the next file`);
    if (processor !== undefined && !isApart) console.log(`# processor ${processor.toFixed(2)} ${file}`);
    file = (isApart ? own : files).shift();
    isOver = false;
    // What keeps the process running now is something that a file has left open.
    if (file === undefined) return child.disconnect();
    child.send({ file, seconds });
  });
  const ended = new Promise<number | string | null>((done) => {
    child.once('exit', (code, signal) => done(code ?? signal));
  });
  for await (const line of createInterface(child.stdout!)) {
    lines.push(line);
    if (!ENDED.test(line)) continue;
    print(lines.slice(0, -1), line);
    lines = [];
    isOver = true;
    hasFailed ||= line.startsWith('not');
  }
  const how = await ended;
  clearTimeout(overdue);
  running.delete(child);
  if (!isReady) print(lines, `not ok 0 - ${whose}: no process for tests: ${how}`);
  else if (file !== undefined && !isOver) print(lines, `not ok 0 - ${file}: its process ended: ${how}`);
  else if (file === undefined && how !== 0 && !hasFailed)
    print(lines, `not ok 0 - ${whose}: its process ended late: ${how}`);
  return isReady;
}

console.log(`TAP version 14\n1..${files.length}`);
await Promise.all(
  Array.from({ length: jobs }, async () => {
    while (files.length > 0) if (!(await play())) return;
  }),
);
