import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

import { newerPages } from './newer-pages.ts';

const PLACE = { file: '000000010000000200000003', offset: 8192 };

/** A page that was last changed by the record that ends at this position of the log. */
function page(high: number, low: number): Buffer {
  const bytes = Buffer.alloc(8192);
  bytes.writeUInt32LE(high, 0);
  bytes.writeUInt32LE(low, 4);
  return bytes;
}

void t.test('only pages of tables that were changed behind the place are counted', (t) => {
  const dataDir = t.testdir({ postgres: { base: {}, global: {} } });
  const folder = join(dataDir, 'postgres/base/5');
  mkdirSync(folder);
  const place = 3 * 2 ** 24 + 8192;
  writeFileSync(
    join(folder, '16385'),
    Buffer.concat([page(2, place), page(1, 2 ** 31), page(0, 0), page(2, place + 8)]),
  );
  writeFileSync(join(folder, '16385.1'), page(3, 0));
  writeFileSync(join(folder, '16385_vm'), page(2, place + 8));
  writeFileSync(join(folder, '16385_fsm'), page(3, 0));
  writeFileSync(join(folder, 't3_16400'), page(3, 0));
  writeFileSync(join(dataDir, 'postgres/global/pg_control'), page(3, 0));
  t.equal(newerPages(dataDir, PLACE), 3);
  t.end();
});
