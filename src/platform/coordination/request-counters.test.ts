import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { type Test, test } from 'tap';

import { servicesOrSkip } from '../../../test/services/needed.ts';
import { Line } from '../../testing/cluster/line.ts';
import { MemoryCounter, memoryCounters } from './memory-counters.ts';
import type { RequestCounter, RequestCounters } from './ports.ts';
import { redisCounters } from './redis-counters.ts';
import { Redis } from './redis.ts';

const log = pino({ level: 'silent' });
const SOON_MS = 20_000;

/** Conformance of every counter. */
async function counts(t: Test, counters: RequestCounters): Promise<void> {
  const name = `test-${randomUUID()}`;
  await t.test('counts each key for itself, from one', async (t) => {
    const counter = counters(name, 10);
    for (const used of [1, 2, 3]) t.equal(counter.count('a').used, used);
    t.equal(counter.count('b').used, 1);
    t.equal(counter.count('b', 5).used, 6);
    t.equal(counter.standing('a').used, 3, 'looking does not count');
    t.equal(counter.standing('a').used, 3);
    t.same(counter.standing('nobody'), { used: 0, resetMs: 0 });
  });
  await t.test('begins anew when the window of the key is over', async (t) => {
    const counter = counters(`${name}-short`, 1);
    const first = counter.count('a');
    t.ok(first.resetMs > 500 && first.resetMs <= 1_000, `${first.resetMs} ms`);
    for (let more = 0; more < 4; more += 1) counter.count('a');
    await pause(1_200);
    t.equal(counter.count('a').used, 1);
  });
}

/** Waits until a counter has heard of so many. */
async function heard(counter: RequestCounter, key: string, used: number): Promise<number> {
  const end = performance.now() + SOON_MS;
  let seen = 0;
  while (performance.now() < end && seen !== used) {
    await pause(10);
    seen = counter.standing(key).used;
  }
  return seen;
}

void test('counted in memory', (t) => counts(t, memoryCounters));

void test('windows that are over take no memory for long', async (t) => {
  const counter = new MemoryCounter(1);
  for (let n = 0; n < 1_000; n += 1) counter.count(`key ${n}`);
  t.equal(counter.size, 1_000);
  await pause(2_200);
  counter.count('another');
  t.equal(counter.size, 1);
});

void test('counted in Redis', async (t) => {
  const url = servicesOrSkip(t, ['redis'])?.redis;
  if (url === undefined) return;
  const { line, url: viaLine } = await Line.to(url);
  t.teardown(() => line[Symbol.asyncDispose]());
  const here = await Redis.open(viaLine, log);
  const there = await Redis.open(url, log);
  t.teardown(() => Promise.all([here[Symbol.asyncDispose](), there[Symbol.asyncDispose]()]));
  const installation = `test-${randomUUID()}`;
  const node = redisCounters(here.client, installation);
  const other = redisCounters(there.client, installation);

  await t.test('counters without other nodes behave as those in memory', (t) => counts(t, node));
  await t.test('what one node counts, the others know', async (t) => {
    const name = `test-${randomUUID()}`;
    const a = node(name, 30);
    const b = other(name, 30);
    for (let n = 0; n < 40; n += 1) a.count('k');
    await pause(100);
    b.count('k');
    t.equal(await heard(b, 'k', 41), 41);
    a.count('k');
    t.equal(await heard(a, 'k', 42), 42);
    const { resetMs } = b.standing('k');
    t.ok(resetMs > 20_000 && resetMs <= 30_000, 'in one window');
  });
  await t.test('counts of different names are different counts', async (t) => {
    const name = `test-${randomUUID()}`;
    node(name, 30).count('k');
    await pause(100);
    t.equal(other(`${name}-x`, 30).count('k').used, 1);
  });
  await t.test('installations that share a Redis do not count each other', async (t) => {
    const name = `test-${randomUUID()}`;
    const a = node(name, 30);
    const b = redisCounters(there.client, `${installation}-x`)(name, 30);
    for (let n = 0; n < 40; n += 1) a.count('k');
    // Counts are sent in a round, and so is the answer of Redis.
    for (let n = 0; n < 5; n += 1) {
      b.count('k');
      await pause(100);
    }
    t.equal(b.standing('k').used, 5);
    a.count('k');
    t.equal(await heard(a, 'k', 41), 41);
  });
  await t.test('nobody waits for a Redis that does not answer, and its health says so', async (t) => {
    const counter = node(`test-${randomUUID()}`, 30);
    counter.count('k');
    line.isStuck = true;
    const began = performance.now();
    for (let n = 0; n < 10_000; n += 1) counter.count('k');
    const each = (performance.now() - began) / 10_000;
    t.ok(each < 0.1, `${(each * 1000).toFixed(1)} us each`);
    t.equal(counter.standing('k').used, 10_001, 'it is counted here');
    await t.rejects(Promise.race([here.health.check(), pause(SOON_MS).then(() => 'still waiting')]));
    line.isStuck = false;
  });
  await t.test('while Redis is away each node counts for itself, and together when it is back', async (t) => {
    line.cut();
    const name = `test-${randomUUID()}`;
    const counter = node(name, 60);
    for (let n = 0; n < 30; n += 1) counter.count('k');
    t.equal(counter.standing('k').used, 30);
    await t.rejects(here.health.check());
    line.mend();
    const end = performance.now() + SOON_MS;
    while (!here.client.isReady && performance.now() < end) await pause(20);
    t.match(await here.health.check(), { status: 'UP' });
    other(name, 60).count('k');
    // A round that failed is followed by a rest.
    await pause(1_500);
    counter.count('k');
    t.equal(await heard(counter, 'k', 2), 2, 'what Redis has counted counts');
  });
});

void test('a Redis that is not there keeps no start waiting', async (t) => {
  const began = performance.now();
  const redis = await Redis.open('redis://127.0.0.1:1', log);
  t.teardown(() => redis[Symbol.asyncDispose]());
  t.ok(performance.now() - began < SOON_MS);
  const counter = redisCounters(redis.client, 'test')('test', 10);
  t.equal(counter.count('k').used, 1);
  await t.rejects(redis.health.check());
});
