import { test } from 'tap';

import { memoryCounters } from '../../../src/platform/coordination/memory-counters.ts';
import { QuotaExceeded, RateLimits } from './rate-limit.ts';

async function allowed(times: number, count: () => unknown): Promise<number> {
  let passed = 0;
  for (let i = 0; i < times; i++) {
    try {
      await count();
      passed += 1;
    } catch (refused) {
      if (!(refused instanceof QuotaExceeded)) throw refused;
    }
  }
  return passed;
}

void test('twice the rate passes at once, each subject and tenant for itself', async (t) => {
  const limits = new RateLimits({ tenant: 20, subject: 10, address: 5, costly: 2 }, memoryCounters);
  t.equal(await allowed(50, () => limits.countSubject('a')), 20);
  t.equal(await allowed(50, () => limits.countSubject('b')), 20);
  t.equal(await allowed(100, () => limits.countTenant('demo')), 40);
  t.equal(await allowed(50, () => limits.countUnauthenticated('192.0.2.1')), 5);
  t.equal(await allowed(50, () => limits.countCostly('demo')), 4);
  t.equal(await allowed(1, () => limits.countCostly('rival')), 1);
});

void test('a request that does the work of many counts as many', async (t) => {
  const limits = new RateLimits({ tenant: 0, subject: 100, address: 0 }, memoryCounters);
  t.equal(limits.countSubject('a', 70)?.remaining, 30);
  t.equal(limits.countSubject('a', 100)?.remaining, 0, '70 of the burst');
  t.throws(() => limits.countSubject('a', 31), { code: 'QUOTA_EXCEEDED' });
  t.equal(limits.countSubject('b')?.remaining, 99);
});

void test('what a tenant has used is read without counting', async (t) => {
  const limits = new RateLimits({ tenant: 20, subject: 0, address: 0 }, memoryCounters);
  t.same(limits.usedBy('demo'), { requests: 0 }, 'nothing is said of what has no limit');
  for (let i = 0; i < 3; i++) limits.countTenant('demo');
  const { requests = 0 } = limits.usedBy('demo');
  t.ok(requests <= 3, 'the second may have ended');
  t.ok((limits.usedBy('demo').requests ?? 0) <= requests);
  t.same(limits.usedBy('rival'), { requests: 0 });
});

void test('after ten times its share in bad tokens an address is known for them', async (t) => {
  const limits = new RateLimits({ tenant: 0, subject: 0, address: 5 }, memoryCounters);
  for (let i = 0; i < 49; i++) limits.countBadToken('192.0.2.1');
  t.equal(limits.hasManyBadTokens('192.0.2.1'), false);
  limits.countBadToken('192.0.2.1');
  t.equal(limits.hasManyBadTokens('192.0.2.1'), true);
  t.equal(limits.hasManyBadTokens('192.0.2.2'), false);
});

void test('a rate of 0 switches the limit off', async (t) => {
  const limits = new RateLimits({ tenant: 0, subject: 0, address: 0 }, memoryCounters);
  t.equal(await allowed(5_000, () => limits.countSubject('a')), 5_000);
  t.equal(await allowed(5_000, () => limits.countUnauthenticated('192.0.2.1')), 5_000);
});

void test('an error says when to retry', async (t) => {
  const limits = new RateLimits({ tenant: 0, subject: 0, address: 1 }, memoryCounters);
  await limits.countUnauthenticated('192.0.2.1');
  await t.rejects(limits.countUnauthenticated('192.0.2.1'), {
    code: 'QUOTA_EXCEEDED',
    quota: { limit: 1, remaining: 0, resetSeconds: 1 },
  });
});

void test('a counted request learns what is left of this second', async (t) => {
  const limits = new RateLimits({ tenant: 0, subject: 3, address: 2 }, memoryCounters);
  const left: unknown[] = [];
  for (let i = 0; i < 5; i++) left.push(limits.countSubject('a')?.remaining);
  t.same(left, [2, 1, 0, 0, 0], 'a burst has nothing left of it');
  t.same(await limits.countUnauthenticated('192.0.2.1'), { limit: 2, remaining: 1, resetSeconds: 1 });
  t.equal(limits.countTenant('demo'), undefined, 'no limit, nothing to report');
});
