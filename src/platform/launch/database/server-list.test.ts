import { test } from 'tap';

import { serversOf } from './server-list.mjs';

void test('an address with several hosts is one of each, with its own port, login and parameters', async (t) => {
  t.same(serversOf('postgres://me:secret@a:1,b:2/db?x=1,2'), [
    'postgres://me:secret@a:1/db?x=1,2',
    'postgres://me:secret@b:2/db?x=1,2',
  ]);
  t.same(serversOf('postgresql://[::1]:5432,[fe80::2],c/db'), [
    'postgresql://[::1]:5432/db',
    'postgresql://[fe80::2]/db',
    'postgresql://c/db',
  ]);
  t.same(serversOf('postgres://me:secret@a/db'), ['postgres://me:secret@a/db']);
});

void test('whatever is in a password is no host', async (t) => {
  for (const password of ['a,b', 'a%2Cb%40c', 'a@b', 'a@b,c@d', ':'])
    t.same(serversOf(`postgres://me:${password}@a,b/db`), [
      `postgres://me:${password}@a/db`,
      `postgres://me:${password}@b/db`,
    ]);
  t.same(serversOf('postgres://me:a,b@c/db'), ['postgres://me:a,b@c/db']);
});
