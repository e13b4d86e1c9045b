import t from 'tap';

import { Latency } from './latency.ts';

t.test('quantiles are within an eighth of what was recorded, and are forgotten once taken', async (t) => {
  const latency = new Latency();
  t.equal(latency.take([0.5]), undefined, 'nothing is known of nothing');
  for (let ms = 1; ms <= 1_000; ms++) latency.record(ms);
  const [median = 0, p95 = 0, p99 = 0] = latency.take([0.5, 0.95, 0.99]) ?? [];
  for (const [found, exact] of [
    [median, 500],
    [p95, 950],
    [p99, 990],
  ] as const)
    t.ok(Math.abs(found - exact) / exact <= 0.125, `${found} for ${exact}`);
  t.equal(latency.take([0.5]), undefined);
  latency.record(0);
  t.same(latency.take([0.99]), [0.1]);
  latency.record(10_000_000);
  t.ok(latency.take([0.5])![0]! > 100_000, 'an endless one is in the last bucket');
});
