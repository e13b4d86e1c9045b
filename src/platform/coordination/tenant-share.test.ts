import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';

import type { TenantPlace } from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { TenantShare } from './tenant-share.ts';

const demo = 'demo' as TenantId;
const rival = 'rival' as TenantId;
const MOST = 3;

/** Requests of a tenant, as many as begin at once; the others wait. */
function sent(
  share: TenantShare,
  tenant: typeof demo,
  count: number,
): { begun: TenantPlace[]; waiting: TenantPlace[] } {
  const places = Array.from({ length: count }, () => share.enter(tenant));
  return { begun: places.filter(({ begun }) => !begun), waiting: places.filter(({ begun }) => begun !== undefined) };
}

void test('a tenant that is alone has no bound', async (t) => {
  t.equal(sent(new TenantShare(MOST, MOST), demo, 200).begun.length, 200);
});

void test('beside another tenant, requests beyond the share wait, and those of the other begin at once', async (t) => {
  const share = new TenantShare(MOST, MOST);
  share.enter(rival);
  const { begun, waiting } = sent(share, demo, 10);
  t.equal(begun.length, MOST);
  t.equal(waiting.length, 7);
  t.equal(sent(share, rival, 3).begun.length, 3, 'the one with fewer requests is not bounded');
  begun[0]!.end();
  await waiting[0]!.begun;
  let isNext = false;
  void waiting[1]!.begun!.then(() => (isNext = true));
  await new Promise((done) => setImmediate(done));
  t.notOk(isNext, 'one ended, and so one began');
  // Else it is refused in ten seconds, in the midst of another test.
  for (const one of waiting) one.end();
});

void test('who goes away while it waits gives its place to the next', async (t) => {
  const share = new TenantShare(MOST, MOST);
  share.enter(rival);
  const { begun, waiting } = sent(share, demo, MOST + 2);
  waiting[0]!.end();
  begun[0]!.end();
  await waiting[1]!.begun;
  t.pass('the second began');
});

void test('who waits for too long is refused, also while none of those in progress ends', async (t) => {
  const share = new TenantShare(MOST, MOST, 20);
  share.enter(rival);
  const { waiting } = sent(share, demo, MOST + 1);
  const refused: unknown = waiting[0]!.begun!.catch((error: unknown) => error);
  t.match(await Promise.race([refused, pause(2_000, 'waits')]), { code: 'QUOTA_EXCEEDED' });
  waiting[0]!.end();
});

void test('who waits for a partner, such as a payment provider, takes no place of others of its tenant', async (t) => {
  const share = new TenantShare(MOST, MOST);
  share.enter(rival);
  const { waiting } = sent(share, demo, MOST + 2);
  const answer = Promise.withResolvers<string>();
  const paid = [0, 1].map(() => share.away(demo, () => answer.promise));
  for (const { begun } of waiting) await begun;
  answer.resolve('paid');
  t.same(await Promise.all(paid), ['paid', 'paid']);
  t.ok(share.enter(demo).begun, 'back again, they count');
});

void test('a tenant cannot have more than so many requests waiting', async (t) => {
  const share = new TenantShare(MOST, MOST);
  share.enter(rival);
  t.throws(() => sent(share, demo, 6_000), { code: 'QUOTA_EXCEEDED' });
  t.equal(share.enter(rival).begun, undefined, 'which is no matter of the other');
});

void test('work behind answers rests while the event loop is late and others are there, and not otherwise', async (t) => {
  const share = new TenantShare(MOST, MOST);
  share.enter(rival);
  await share.rest(demo, 100);
  const end = performance.now() + 400;
  while (performance.now() < end) {
    const slice = performance.now() + 30;
    while (performance.now() < slice);
    await new Promise((done) => setTimeout(done, 1));
  }
  const began = performance.now();
  await share.rest(demo, 100);
  t.ok(performance.now() - began > 50, 'it rested');
  const alone = new TenantShare(MOST, MOST);
  alone.enter(demo);
  const soon = new Promise((done) => setImmediate(done, 'it rests'));
  t.equal(await Promise.race([alone.rest(demo, 10_000).then(() => 'it goes on'), soon]), 'it goes on');
});

void test('0 is no bound', async (t) => {
  const share = new TenantShare(0);
  share.enter(rival);
  t.equal(sent(share, demo, 100).begun.length, 100);
});
