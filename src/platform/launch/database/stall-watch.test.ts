import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

import { StallWatch } from './stall-watch.mjs';

const LINUX = process.platform === 'linux';

void t.test(
  'a server without recovery and without a writer of its log has stalled after 10 s',
  { skip: !LINUX },
  (t) => {
    const cluster = t.testdir();
    const watch = new StallWatch();
    // This process has no such child, as a postmaster has none that waits for ever.
    const isStalled = (now: number): boolean => watch.isStalled(process.pid, cluster, now);
    t.notOk(isStalled(0));
    t.notOk(isStalled(9_999));
    t.ok(isStalled(11_000));
    writeFileSync(join(cluster, 'postmaster.pid'), `${process.pid}\n\n\n5432\n\n\n\nstopping\n`);
    t.notOk(isStalled(12_000), 'one that stops may take its time');
    writeFileSync(join(cluster, 'postmaster.pid'), `${process.pid}\n\n\n5432\n\n\n\nready\n`);
    t.notOk(isStalled(13_000));
    t.ok(isStalled(23_000));
    t.end();
  },
);

void t.test('a process that is gone has not stalled', (t) => {
  const watch = new StallWatch();
  t.notOk(watch.isStalled(2 ** 22 + 1, t.testdir(), 0));
  t.notOk(watch.isStalled(2 ** 22 + 1, t.testdir(), 60_000));
  t.end();
});
