import { createServer } from 'node:net';
import { test } from 'tap';

import * as ours from './free-ports.ts';

void test('two who look for ports at the same time are given none of each other', async (t) => {
  // Of the same process, so both begin to look at the same place.
  const again = './free-ports.ts?again';
  const other = (await import(again)) as typeof ours;
  const given = await Promise.all([ours, other].flatMap(({ freePorts }) => [freePorts(70), freePorts(70)]));
  t.equal(new Set(given.flat()).size, 280);
});

void test('a port where somebody listens is not given', async (t) => {
  const first = await ours.portsInARow(2);
  const server = createServer().listen(first + 2, '127.0.0.1');
  t.teardown(() => server.close());
  t.notOk((await ours.freePorts(3)).includes(first + 2));
  t.equal((await ours.portsInARow(30)) > 0, true);
});

void test('a process that asks for very many begins again with its first ones', async (t) => {
  const [first] = await ours.freePorts(1);
  const seen = await ours.freePorts(700);
  t.ok(seen.includes(first!));
  t.ok(new Set(seen).size < 300);
});
