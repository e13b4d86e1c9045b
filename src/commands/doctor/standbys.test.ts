import t, { type Test } from 'tap';

import { readableEnvironment } from '../../platform/config/config.ts';
import { DatabasePair } from '../../testing/fail-over/database-pair.ts';
import type { Examined } from './check.ts';
import { examineStandbys } from './standbys.ts';

const pair = await DatabasePair.open('synchronous');
t.teardown(() => pair[Symbol.asyncDispose]());

function examined(url = pair.url): Promise<Examined | undefined> {
  const source = { NODE_ENV: 'test', DATABASE_URL: url };
  return examineStandbys({ source, values: readableEnvironment(source), now: Date.now });
}

async function finds(test: Test, ...texts: RegExp[]): Promise<void> {
  const found = await examined();
  test.match(
    found?.troubles,
    texts.map((text) => ({ status: 'warning', text })),
  );
  test.equal(found?.troubles.length, texts.length);
}

async function sets(name: string, value: string): Promise<void> {
  await pair.primary.ask(`alter system set ${name} = '${value}'`);
  await pair.primary.ask('select pg_reload_conf()');
}

t.test('one host has no standby that could be looked at', async (test) => {
  test.equal(await examined(pair.primary.url), undefined);
});

t.test('a synchronous standby is fine, an asynchronous one loses bookings', async (test) => {
  test.same(await examined(), { fine: '1 answer, commits wait for *', troubles: [] });
  await sets('synchronous_commit', 'remote_write');
  await finds(test, /synchronous_commit is remote_write: a fail-over may lose/);
  await sets('synchronous_standby_names', '');
  await finds(test, /no standby is synchronous: a fail-over loses/);
  await sets('synchronous_commit', 'remote_apply');
  await sets('synchronous_standby_names', '*');
});

t.test('two servers that take writes are named, and one that does not answer', async (test) => {
  await pair.promote();
  await finds(test, /2 servers take writes: 127\.0\.0\.1:\d+\/innkeeper, 127/);
  const earlier = pair.other;
  await earlier.kill();
  const found = await examined();
  test.match(found?.troubles, [{ status: 'warning' }, { text: /no standby is synchronous/ }]);
  test.match(found?.troubles[0]?.text, earlier.place);
});
