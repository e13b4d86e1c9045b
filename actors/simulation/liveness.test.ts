import { resolve } from 'node:path';
import t from 'tap';

import { LIVENESS_FAULTS } from '../../src/testing/liveness/faults.ts';
import { simulateLiveness } from '../../src/testing/liveness/simulate-liveness.ts';
import { inCiOrNightly } from '../../test/loop/nightly.ts';
import { runSimulate } from './program.ts';

/** Many seeds. */
t.setTimeout(600_000);

const SEEDS = inCiOrNightly(25, 500);
const ROOT = resolve(import.meta.dirname, '../..');

void t.test(
  `${SEEDS} seeds of outages, and every node holds its lease, commits and does its rounds again`,
  { timeout: 600_000 },
  async (t) => {
    const { output, code } = await runSimulate(ROOT, ['--liveness', '--seeds', String(SEEDS)]);
    t.equal(code, 0, output);
    t.match(output, new RegExp(`^${SEEDS} seeds in `), 'all were played');
    t.match(output, /^0 violations$/m);
    for (const fault of LIVENESS_FAULTS)
      t.match(output, new RegExp(`^ {2}${fault} +[1-9]\\d*$`, 'm'), `${fault} fired`);
  },
);

void t.test('a lease thread that hangs while its node starts is replaced, and the node is back', async (t) => {
  const { violations, trace } = await simulateLiveness(7_272);
  t.same(violations, []);
  t.match(trace.join('\n'), /the thread of the lease does not answer; another one takes the lease/);
});

void t.test('a seed determines its run', async (t) => {
  for (const seed of [4, 7]) t.same((await simulateLiveness(seed)).trace, (await simulateLiveness(seed)).trace);
  t.not((await simulateLiveness(1)).fingerprint, (await simulateLiveness(2)).fingerprint);
});
