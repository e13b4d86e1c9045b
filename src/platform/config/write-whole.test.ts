import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

import { TemporaryDisk } from '../../../test/blackbox/temporary-disk.ts';
import { isDiskFullError, writeWhole } from './write-whole.ts';

void t.test('a file appears with its folder, for its owner only', (t) => {
  const file = join(t.testdir(), 'below', 'key');
  writeWhole(file, 'text\n');
  t.equal(readFileSync(file, 'utf8'), 'text\n');
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.same(readdirSync(join(file, '..')), ['key']);
  t.end();
});

void t.test('on a full disk nothing appears', (t) => {
  using disk = TemporaryDisk.mount(64 * 1024);
  if (!disk) return void t.end();
  disk.fill();
  const file = join(disk.folder, 'key');
  const found = t.throws(() => writeWhole(file, 'text\n'), { code: 'ENOSPC' });
  t.ok(isDiskFullError(found));
  t.notOk(existsSync(file), 'a file without content would stop every later start');
  t.same(
    readdirSync(disk.folder).filter((name) => name.startsWith('key')),
    [],
  );
  t.end();
});
