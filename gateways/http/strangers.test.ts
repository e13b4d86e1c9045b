import 'reflect-metadata';
import { Controller, Get } from '@nestjs/common';
import { test } from 'tap';

import { memoryCounters } from '../../src/platform/coordination/memory-counters.ts';
import { untilTime } from '../../src/testing/fake-clock.ts';
import { startHttpWorld } from '../../src/testing/http-world.ts';
import { RateLimits } from './admission/rate-limit.ts';
import { trustedBy } from './admission/trusted-proxies.ts';
import { Needs, OpenRoute } from './route.ts';

@Controller()
class Things {
  @Get('open')
  @OpenRoute()
  open() {
    return { open: true };
  }

  @Get('api/v1/things')
  @Needs('rate.read')
  list() {
    return { items: [] };
  }
}

const things = { controllers: [Things] };

void test('what everybody may see is counted by address too', async (t) => {
  const limits = new RateLimits({ tenant: 0, subject: 0, address: 0, open: 3 }, memoryCounters);
  await using world = await startHttpWorld(things, { limits });
  const all = async (path: string) => {
    const answers = Array.from({ length: 40 }, () => world.call(path, { as: null, tenant: null }));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  const seen = await all('/open');
  t.ok(seen.filter((status) => status === 200).length >= 6, 'twice the rate passes at once');
  t.ok(seen.includes(429));
  t.ok((await all('/nope')).includes(429), 'and what is not there');
  t.equal((await world.call('/api/v1/things')).status, 200, 'who has a token is not touched');
});

void test('an address that goes on after many errors gets the next ones delayed', async (t) => {
  const limits = new RateLimits({ tenant: 0, subject: 0, address: 0, open: 2 }, memoryCounters);
  await using world = await startHttpWorld(things, { limits });
  // One after the other on one connection: those beyond twice the share take what is left of the second.
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) statuses.push((await world.call('/open', { as: null, tenant: null })).status);
  t.ok(statuses.filter((status) => status === 200).length >= 4, 'a later second has come meanwhile');
});

void test('behind a proxy that is trusted, limits count clients, and nobody can say that he is another', async (t) => {
  type World = Awaited<ReturnType<typeof startHttpWorld>>;
  const limits = () => new RateLimits({ tenant: 0, subject: 0, address: 2 }, memoryCounters);
  const from = async (world: World, address: string): Promise<number> =>
    (await world.call('/api/v1/things', { as: 'bad', headers: { 'x-forwarded-for': address } })).status;
  // A busy machine may let the second pass in which the share was used up: then it is used up once more.
  const TRIES = 50;
  const shares = async (world: World, used: string, other: string): Promise<boolean> => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      await untilTime(async () => (await from(world, used)) === 429, 'the end of a share');
      if ((await from(world, other)) === 429) return true;
    }
    return false;
  };
  await using trusting = await startHttpWorld(things, { limits: limits(), trustProxy: trustedBy(['127.0.0.0/8']) });
  t.equal(await from(trusting, '198.51.100.1'), 401);
  t.ok(await shares(trusting, '198.51.100.1', '198.51.100.1'));
  t.equal(await from(trusting, '198.51.100.2'), 401, 'another client has its own share');
  const one = '198.51.100.9, 198.51.100.3';
  const two = '203.0.113.5, 198.51.100.3';
  t.ok(await shares(trusting, one, two), 'what a client adds counts for nothing');
  t.ok(await shares(trusting, '2001:db8::1', '2001:db8::2'), 'a network is one client');
  await using plain = await startHttpWorld(things, { limits: limits() });
  t.ok(
    await shares(plain, '198.51.100.1', '198.51.100.2'),
    'without a setting the peer of the connection is the client',
  );
});
