import { test } from 'tap';

import { memoryCounters } from '../../src/platform/coordination/memory-counters.ts';
import { RateLimits } from '../http/admission/rate-limit.ts';
import { Authenticator } from './authenticator.ts';
import { FairLane } from './fair-lane.ts';
import { unauthenticated } from './identity.ts';
import { TokenGate } from './token-gate.ts';

const ADDRESS = '192.0.2.1';
/** No slot comes by itself: what a test does not wait for never passes. */
const SLOW = { perSecond: 100, perKey: 2, keys: 3 };

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token as it looks; whether it is valid is written in its last part. */
const token = (sub: string, end: string): string => `${encoded({ alg: 'EdDSA' })}.${encoded({ sub })}.${end}`;

function gateOf(lane = SLOW, address = 1) {
  const verified: string[] = [];
  const verify = async (given: string) => {
    verified.push(given);
    if (!given.endsWith('good')) throw unauthenticated('The access token is not valid.');
    const { sub } = JSON.parse(Buffer.from(given.split('.')[1]!, 'base64url').toString());
    return { issuer: 'i', subject: sub as string, scopes: [], expiresAt: Date.now() + 60_000 };
  };
  const limits = new RateLimits({ tenant: 0, subject: 0, address }, memoryCounters);
  const authenticator = new Authenticator(verify, { find: async () => undefined });
  return { gate: new TokenGate(authenticator, limits, lane), verified, limits };
}

async function flood(
  gate: TokenGate,
  name: (n: number) => string,
  count: number,
): Promise<PromiseSettledResult<unknown>[]> {
  return Promise.allSettled(
    Array.from({ length: count }, async (_, n) => gate.identify(token(name(n), `bad${n}`), ADDRESS)),
  );
}

void test('a valid token is verified however many forged ones came from its address', async (t) => {
  const { gate, limits } = gateOf();
  await flood(gate, () => 'mallory', 30);
  for (let n = 0; n < 1_000; n += 1) limits.countBadToken(ADDRESS);
  const attack = flood(gate, () => 'mallory', 500);
  t.match(await gate.identify(token('ada', 'good'), ADDRESS), { subject: 'ada' });
  const results = await attack;
  const refused = results.filter((one) => one.status === 'rejected' && one.reason.code === 'QUOTA_EXCEEDED');
  t.ok(refused.length > 400, `${refused.length} were not verified at all`);
  t.match(refused[0], { reason: { details: { retryAfterSeconds: 1 } } });
});

void test('who was here before gets in among strangers with a new name each', async (t) => {
  const { gate, limits } = gateOf();
  await gate.identify(token('ada', 'good'), ADDRESS);
  for (let n = 0; n < 1_000; n += 1) limits.countBadToken(ADDRESS);
  const attack = flood(gate, (n) => `mallory${n}`, 500);
  t.match(await gate.identify(token('ada', 'another good'), ADDRESS), { subject: 'ada' });
  await attack;
});

void test('a token that failed is not verified again at once, and one in memory is not counted', async (t) => {
  const { gate, verified } = gateOf();
  for (let n = 0; n < 3; n += 1)
    await t.rejects(async () => gate.identify(token('ada', 'bad'), ADDRESS), { code: 'UNAUTHENTICATED' });
  t.equal(verified.length, 1);
  await gate.identify(token('ada', 'good'), ADDRESS);
  for (let n = 0; n < 3; n += 1) t.match(gate.identify(token('ada', 'good'), ADDRESS), { subject: 'ada' });
  t.equal(verified.length, 2);
});

void test('slots are round-robin by key', async (t) => {
  const lane = new FairLane({ perSecond: 1_000, perKey: 3, keys: 2 });
  const order: string[] = [];
  const enter = async (key: string, preferred = false) => {
    await lane.enter(key, preferred);
    order.push(key);
  };
  const all = ['a', 'a', 'a', 'b'].map((key) => enter(key));
  all.push(enter('known', true));
  await t.rejects(enter('a'), { code: 'QUOTA_EXCEEDED' }, 'its queue is full');
  await t.rejects(enter('c'), { code: 'QUOTA_EXCEEDED' }, 'there are too many');
  await Promise.all(all);
  t.same(order, ['known', 'a', 'b', 'a', 'a']);
});
