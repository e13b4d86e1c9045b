import { test } from 'tap';

import { servicesOrSkip } from '../../../test/services/needed.ts';
import { Line } from '../../testing/cluster/line.ts';
import { recordedLog } from '../../testing/cluster/placed-node.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { Redis } from './redis.ts';

void test('a connection whose path is lost is given up for a new one, also while it is written to', async (t) => {
  const url = servicesOrSkip(t, ['redis'])?.redis;
  if (url === undefined) return;
  const { line, url: through } = await Line.to(url);
  const { said, log } = recordedLog();
  const redis = await Redis.open(through, log);
  t.teardown(async () => {
    await redis[Symbol.asyncDispose]();
    await line[Symbol.asyncDispose]();
  });
  const heard: string[] = [];
  const listen = () =>
    redis.client.subscribe('test:lost-path', (message) => heard.push(message)).catch(() => undefined);
  redis.client.on('ready', () => void listen());
  await listen();
  t.equal(await redis.client.ping(), 'PONG');
  // What is sent is lost, and so is its answer: the rest of the connection is good for nothing.
  line.isStuck = true;
  const writing = setInterval(() => void redis.client.set('test:lost-path', 'x').catch(() => undefined), 500);
  t.teardown(async () => clearInterval(writing));
  await untilTime(() => said.some((one) => one.includes('Redis is away')));
  line.isStuck = false;
  await untilTime(() => said.filter((one) => one === 'Redis is there').length === 2);
  t.equal(await redis.client.ping(), 'PONG');
  await untilTime(async () => {
    await redis.client.publish('test:lost-path', 'again');
    return heard.includes('again');
  });
  t.equal(said.filter((one) => one.includes('Redis is away')).length, 1, 'said once');
});
