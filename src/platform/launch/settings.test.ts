import t from 'tap';

import { logBounds } from './settings.mjs';

const MEGABYTE = 2 ** 20;

void t.test('the log of the database takes no more of a small disk than an eighth, and at least two files', (t) => {
  t.same(logBounds(200 * MEGABYTE), { min_wal_size: '32MB', max_wal_size: '32MB' });
  t.same(logBounds(4_000 * MEGABYTE), { min_wal_size: '80MB', max_wal_size: '500MB' });
  t.same(logBounds(1e12), { min_wal_size: '80MB', max_wal_size: '1024MB' });
  t.same(logBounds(Infinity), logBounds(1e12), 'a disk that cannot be looked at');
  t.end();
});
