import t from 'tap';

import { BatchLog } from './batch-log.ts';
import type { InFlightBatch } from './in-flight-batch.ts';

const batch = (began: number, putAt: (number | undefined)[], wrote = true): InFlightBatch =>
  ({
    batch: putAt.map((at) => ({ ...(at !== undefined && { putAt: at }) })),
    began,
    sent: began + 2,
    wrote,
  }) as never;

t.test('an actor remembers its newest batches, and how long their commands have waited', async (t) => {
  const log = new BatchLog();
  t.same(log.newest(), []);
  const now = performance.now();
  for (let at = 1; at <= 60; at++) log.put(batch(now, [now - at, undefined]), at);
  const newest = log.newest();
  t.equal(newest.length, 50);
  t.match(newest[0], { at: 60, commands: 2, waitMs: 60, decideMs: 2 });
  t.equal(newest.at(-1)!.at, 11);
  t.equal(log.put(batch(now, [now], false), 61).commitMs, 0, 'nothing was written');
});
