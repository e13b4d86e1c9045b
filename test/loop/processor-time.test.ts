import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';

import { type Seen, processOf, ProcessorTime, secondsSoFar } from './processor-time.ts';

/** A process of the table below: `[pid, parent, own, ofChildren]`; ids grow with time here. */
const seen = ([pid, parent, own, ofChildren]: readonly [number, number, number, number]): Seen => ({
  pid,
  parent,
  startedAt: pid,
  own,
  ofChildren,
});
const WORDS: Record<number, string[]> = {
  20: ['node', '/x/test/a.test.ts'],
  30: ['node', '/x/test/b.test.ts'],
  11: ['sh', '-c', 'node test/services/main.ts --only redis -- node test/a.test.ts test/b.test.ts'],
};

function after(...looks: (readonly [number, number, number, number])[][]): ProcessorTime {
  const time = new ProcessorTime(false);
  using _ = time;
  time.begin(seen([10, 1, 0, 0]), 'deno');
  for (const all of looks) time.look(all.map(seen), (pid) => WORDS[pid] ?? []);
  return time;
}

void t.test('a file is charged with what it starts, also after its parent is gone', async (t) => {
  const time = after(
    [
      [10, 1, 100, 0],
      [11, 10, 100, 0],
      [20, 11, 200, 0],
      [21, 20, 300, 0],
      [99, 1, 5_000, 0],
    ],
    [
      [10, 1, 100, 0],
      [11, 10, 100, 0],
      [20, 11, 200, 0],
      // A database whose launcher was killed belongs to nobody now.
      [21, 1, 900, 0],
    ],
  );
  t.same(time.largest(5), [{ file: 'a.test.ts (deno)', seconds: 11 }]);
  t.equal(time.secondsOf('deno'), 13);
  t.equal(time.secondsOf('node'), 0);
});

void t.test('what ended between two looks is in its parent, and what was seen is not counted twice', async (t) => {
  const time = after(
    [
      [10, 1, 0, 0],
      [11, 10, 0, 0],
      [20, 11, 100, 0],
      [21, 20, 300, 0],
      [30, 11, 50, 0],
    ],
    [
      [10, 1, 0, 0],
      [11, 10, 0, 0],
      // Its child had 300 when it was seen, 350 at its end; another one of 40 was never seen.
      [20, 11, 100, 390],
      [30, 11, 60, 0],
    ],
  );
  t.same(time.largest(5), [
    { file: 'a.test.ts (deno)', seconds: 4.9 },
    { file: 'b.test.ts (deno)', seconds: 0.6 },
  ]);
});

void t.test('a tree that ends between two looks is counted once', async (t) => {
  const time = after(
    [
      [10, 1, 0, 0],
      [20, 10, 100, 0],
      // A service that is killed with its launcher and the database that it started.
      [21, 20, 50, 0],
      [22, 21, 2_000, 0],
      [23, 22, 1_000, 0],
    ],
    [
      [10, 1, 0, 0],
      [20, 10, 100, 3_060],
    ],
  );
  t.equal(time.secondsOf('deno'), 31.6, 'ten ticks came after the last look');
});

void t.test('a process that is reaped while the others are looked at is counted once', async (t) => {
  const time = after(
    [
      [10, 1, 0, 0],
      [20, 10, 100, 0],
      [21, 20, 1_000, 0],
    ],
    [
      [10, 1, 0, 0],
      [20, 10, 100, 0],
    ],
    [
      [10, 1, 0, 0],
      [20, 10, 100, 1_000],
    ],
    [
      [10, 1, 0, 0],
      [20, 10, 100, 1_040],
    ],
  );
  t.equal(time.secondsOf('deno'), 11.4);
});

void t.test(
  'files that share a process say what they took; the largest come first, no more than asked',
  async (t) => {
    const time = after();
    time.add('small.test.ts', 1);
    time.add('large.test.ts', 3);
    time.add('small.test.ts', 1);
    t.same(time.largest(1), [{ file: 'large.test.ts', seconds: 3 }]);
    t.same(time.largest(2).at(1), { file: 'small.test.ts', seconds: 2 });
  },
);

void t.test('a real process is counted', async (t) => {
  if (process.platform !== 'linux') return t.equal(processOf(process.pid), undefined);
  const before = secondsSoFar();
  const busy = 'const end = Date.now() + 1_000; while (Date.now() < end);';
  const child = spawn(process.execPath, ['-e', busy], { stdio: 'ignore' });
  using time = new ProcessorTime();
  time.track(child.pid!, 'busy');
  await once(child, 'exit');
  t.ok(time.secondsOf('busy') > 0.05, `${time.secondsOf('busy')} s seen`);
  t.ok(secondsSoFar() - before > time.secondsOf('busy'), 'and its parent has all of it');
});
