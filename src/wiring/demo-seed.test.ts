import { test } from 'tap';

import { untilTime } from '../testing/fake-clock.ts';
import { DemoSeed } from './demo-seed.ts';

const lines: string[] = [];
const note = (_fields: unknown, line?: string): void => void lines.push(line ?? '');
const log = { debug: note, info: note, warn: note, error: note };

async function statusOf(seed: DemoSeed): Promise<string> {
  return (await seed.health.check()).status;
}

void test('demo data that cannot be put there stops no start, and comes when it can', async (t) => {
  await using seed = new DemoSeed(log, { firstPauseMs: 200 });
  let attempts = 0;
  let isDone = false;
  await seed.begin(async () => {
    attempts += 1;
    if (attempts < 3) throw new Error('no such table');
    isDone = true;
  });
  t.equal(await statusOf(seed), 'DOWN');
  await untilTime(() => isDone, 'the demo data');
  await new Promise(setImmediate);
  t.equal(await statusOf(seed), 'UP');
  t.match(lines[0], /could not be put there; the service goes on, it is tried again in 0.2 s/);
  t.match(lines.at(-1), /is there now/);
});

void test('it is tried so often and no more', async (t) => {
  await using seed = new DemoSeed(log, { firstPauseMs: 1, maxAttempts: 3 });
  const attempts: number[] = [];
  await seed.begin(async () => {
    attempts.push(attempts.length + 1);
    throw new Error('poison');
  });
  await untilTime(() => attempts.length >= 3, 'the third attempt');
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.same(attempts, [1, 2, 3]);
  t.match(await seed.health.check(), { status: 'DOWN', details: { attempts: 3, error: /poison/ } });
});

void test('demo data that hangs stops no start', async (t) => {
  await using seed = new DemoSeed(log, { startWaitsMs: 5 });
  await seed.begin(() => new Promise(() => {}));
  t.equal(await statusOf(seed), 'UNKNOWN');
});
