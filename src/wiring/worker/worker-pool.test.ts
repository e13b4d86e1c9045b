import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

import type { JournalRow } from '../../history/rules/journal-fold.ts';
import { property, roomType } from '../../testing/property-world.ts';
import { YIELD_TODAY, yieldNight, testYieldProblem } from '../../testing/yield.ts';
import { WorkerPool } from './worker-pool.ts';

const row = (seq: number, facts: unknown): JournalRow => ({
  seq,
  at: Date.parse('2026-06-01T12:00:00Z') + seq,
  type: 'SET_INVENTORY',
  subject: 's',
  entity: 'e',
  facts: JSON.stringify(facts),
});

/** A property with one type, and as many changes of one of its cells as given. */
function rowsOf(changes: number): JournalRow[] {
  const target = row(1, { setup: [{ kind: 'property', id: 'p', after: property() }] });
  const type = row(2, { setup: [{ kind: 'roomType', id: 'STD', after: roomType('STD', 3) }] });
  const day = Math.floor(target.at / 86_400_000) + 1;
  const cell = (n: number) => row(n + 3, { cells: [['STD', day, 3, n % 4, 0, 0, 3 - (n % 4), null]] });
  return [target, type, ...Array.from({ length: changes }, (_, n) => cell(n))];
}

/** The longest that the event loop stood while the work went on, as a part of all of it. */
async function longestStop(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  let before = began;
  let longest = 0;
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - before);
    before = performance.now();
  }, 1);
  await work();
  clearInterval(timer);
  return longest / (performance.now() - began);
}

void t.test('a fold of 60,000 rows leaves the event loop alone', async (t) => {
  await using pool = new WorkerPool();
  const rows = rowsOf(1_000);
  let { grid } = await pool.run('foldJournal', { rows });
  const [, , ...more] = rows;
  const fold = async (): Promise<void> => {
    for (let page = 0; page < 60; page++) grid = (await pool.run('foldJournal', { grid, rows: more })).grid;
  };
  // A part of what it took, and the best of some: other processes may keep the loop from a core, the fold may not.
  const stops: number[] = [];
  while (stops.length < 12 && !(Math.min(...stops) < 1 / 4)) stops.push(await longestStop(fold));
  t.equal(grid.roomTypes[0]?.roomType, 'STD');
  t.ok(Math.min(...stops) < 1 / 4, `the loop stood for ${stops.map((part) => Math.round(part * 100))} % at most`);
});

void t.test('a task that breaks gets an error, and the next one runs', async (t) => {
  await using pool = new WorkerPool();
  const broken = { ...row(1, {}), facts: '{' };
  await t.rejects(pool.run('foldJournal', { rows: [broken] }), /JSON/);
  t.match(await pool.run('foldJournal', { rows: rowsOf(1) }), { grid: { roomTypes: [{ roomType: 'STD' }] } });
});

void t.test('a long task reports its progress', async (t) => {
  await using pool = new WorkerPool();
  const nights = Array.from({ length: 40 }, (_, n) => yieldNight({ day: YIELD_TODAY + n, expected: 1 + (n % 7) }));
  const progress: number[] = [];
  const answer = await pool.run('optimizeYield', testYieldProblem(nights), (percent) => progress.push(percent));
  t.equal(answer.status, 'COMPLETED');
  t.ok(progress.length > 1, 'more than once');
  t.ok(
    progress.every((percent, n) => percent > (progress[n - 1] ?? 0) && percent <= 100),
    `${progress}`,
  );
});

void t.test('what waits when the pool ends is refused, and nothing more is taken', async (t) => {
  const pool = new WorkerPool();
  const works = Array.from({ length: 6 }, () => pool.run('foldJournal', { rows: rowsOf(2_000) }));
  const settled = Promise.allSettled(works);
  await pool[Symbol.asyncDispose]();
  t.ok((await settled).some(({ status }) => status === 'rejected'));
  await t.rejects(pool.run('foldJournal', { rows: [] }), { code: 'NOT_EXECUTED' });
});

void t.test('it works on Deno too, with the right to read the sources only', (t) => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const script = `
    import { WorkerPool } from ${JSON.stringify(new URL('./worker-pool.ts', import.meta.url).href)};
    const pool = new WorkerPool();
    const { grid } = await pool.run('foldJournal', { rows: ${JSON.stringify(rowsOf(3))} });
    console.log(grid.roomTypes[0].roomType);
    const { model } = await pool.run('bidPrices', { nights: ${JSON.stringify([yieldNight()])} });
    console.log(model);
    await pool[Symbol.asyncDispose]();`;
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/deno'),
    [
      'run',
      '--no-prompt',
      '--node-modules-dir=manual',
      '--no-lock',
      '--no-remote',
      '--allow-read=.',
      '--ext=ts',
      '-',
    ],
    { cwd: root, input: script, encoding: 'utf8', env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' } },
  );
  t.match({ status, stdout, stderr }, { status: 0, stdout: 'STD\nPROGRAM\n' });
  t.end();
});

void t.test('bid prices are solved by the program in a thread', async (t) => {
  await using pool = new WorkerPool();
  const nights = [yieldNight(), yieldNight({ day: YIELD_TODAY + 11, expected: 30 })];
  const { model, nights: bids } = await pool.run('bidPrices', { nights });
  t.equal(model, 'PROGRAM');
  t.ok(bids[1]!.amount > bids[0]!.amount);
  const block = { from: YIELD_TODAY + 10, to: YIELD_TODAY + 10, rooms: [{ roomType: 'STD', count: 5 }] };
  t.equal((await pool.run('groupDisplacement', { nights, block })).model, 'PROGRAM');
});
