import { spawn } from 'node:child_process';
import { relative } from 'node:path';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';

import { ROOT } from './needs.ts';
import { Tally } from './tally.ts';

const FILES = {
  'right.test.ts': `import t from 'tap';
t.teardown(() => t.comment('cleared up'));
void t.test('it is right', async (t) => t.pass('so'));
void t.test('and this', async (t) => t.pass('so'));`,
  'wrong.test.ts': `import { test } from 'tap';
void test('it is wrong', async (t) => {
  t.equal(1, 2);
});`,
  'broken.test.ts': `throw new Error('never loaded');`,
  'gone.test.ts': `process.exit(0);`,
  'stuck.test.ts': `for (;;);`,
  'untidy.test.ts': `import t from 'tap';
process.env['LEFT_BEHIND'] = '1';
void t.test('it is right', async (t) => t.pass('so'));`,
  'patient.test.ts': `import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
t.setTimeout(20_000);
void t.test('it takes longer than others may', async (t) => {
  await pause(4_500);
  t.pass('so');
});`,
  'left-open.test.ts': `import t from 'tap';
setInterval(() => {}, 1_000);
void t.test('it is right', async (t) => t.pass('so'));`,
  'other.test.ts': `import t from 'tap';
t.pass('a file without a test');`,
};

async function play(
  t: Test,
  names: readonly (keyof typeof FILES)[],
  ...flags: string[]
): Promise<{ said: string; tally: Tally }> {
  const folder = relative(ROOT, t.testdir(FILES));
  const child = spawn(
    process.execPath,
    [
      '--import',
      './src/platform/launch/strip-types.mjs',
      'test/loop/together.ts',
      '--timeout=1',
      ...flags,
      ...names.map((name) => `${folder}/${name}`),
    ],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const code = new Promise<number>((done) => child.once('close', (found) => done(found ?? 1)));
  const said = (await text(child.stdout)).replaceAll(`${folder}/`, '');
  const tally = new Tally();
  for (const line of said.split('\n')) tally.add(line);
  tally.close(await code, true);
  return { said, tally };
}

void t.test('files in one process are counted as files of their own', async (t) => {
  const { said, tally } = await play(t, ['right.test.ts', 'other.test.ts']);
  t.same(tally.counts, { files: 2, passed: 3, failed: 0, skipped: 0 });
  t.equal(tally.planned, 2);
  t.match(said, '# cleared up');
});

void t.test('a failure names its file, its test and its line, and the next file is played', async (t) => {
  const { said, tally } = await play(t, ['wrong.test.ts', 'broken.test.ts', 'right.test.ts']);
  t.match(tally.failures, ['wrong.test.ts: it is wrong', /^broken.test.ts/]);
  t.match(said, /fileName: wrong\.test\.ts\n +lineNumber: 3/);
  t.match(said, 'never loaded');
  t.equal(tally.counts.passed, 2);
});

void t.test('a file that ends its process, or never ends, fails, and the next file is played', async (t) => {
  const { tally } = await play(t, ['gone.test.ts', 'stuck.test.ts', 'right.test.ts']);
  t.match(tally.failures, [/^gone.test.ts/, 'stuck.test.ts: its process ended: SIGKILL']);
  t.equal(tally.counts.passed, 2);
});

void t.test('a file that changes what the next one begins with fails', async (t) => {
  const { tally } = await play(t, ['untidy.test.ts', 'right.test.ts']);
  t.match(tally.failures, ['untidy.test.ts: it changed env LEFT_BEHIND for the next file']);
});

void t.test('apart, each file has a process of its own, and they begin in the order that is given', async (t) => {
  const { said, tally } = await play(
    t,
    ['untidy.test.ts', 'gone.test.ts', 'right.test.ts', 'wrong.test.ts'],
    '--apart',
  );
  t.match(tally.failures, [/^gone.test.ts/, 'wrong.test.ts: it is wrong']);
  t.same(tally.counts, { files: 4, passed: 3, failed: 2, skipped: 0 });
  const order = [...said.matchAll(/^(?:not )?ok \d+ - ([\w-]+)\.test/gm)].map(([, name]) => name);
  t.same(order, ['untidy', 'gone', 'right', 'wrong']);
});

void t.test('a file may ask for more time than others have, and what it leaves open fails the run', async (t) => {
  const [patient, leftOpen] = await Promise.all([
    play(t, ['patient.test.ts'], '--apart'),
    play(t, ['left-open.test.ts'], '--apart'),
  ]);
  t.same(patient.tally.counts, { files: 1, passed: 1, failed: 0, skipped: 0 });
  t.match(leftOpen.tally.failures, ['left-open.test.ts: its process ended late: SIGKILL']);
});
