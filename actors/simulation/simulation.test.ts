import { resolve } from 'node:path';
import t from 'tap';

import { inCiOrNightly } from '../../test/loop/nightly.ts';
import { FAULTS } from './faults.ts';
import { runSimulate } from './program.ts';
import { simulate } from './simulate.ts';

/** Many seeds. */
t.setTimeout(900_000);

const SEEDS = inCiOrNightly(50, 1_000);
const ROOT = resolve(import.meta.dirname, '../..');

void t.test(
  `${SEEDS} seeds of faults, and clients see what a naive model allows`,
  { timeout: 900_000 },
  async (t) => {
    const { output, code } = await runSimulate(ROOT, ['--actors', '--seeds', String(SEEDS)]);
    t.equal(code, 0, output);
    t.match(output, new RegExp(`^${SEEDS} seeds in `), 'all were played');
    t.match(output, /^0 violations$/m);
    for (const fault of FAULTS) t.match(output, new RegExp(`^ {2}${fault} +[1-9]\\d*$`, 'm'), `${fault} fired`);
  },
);

void t.test('a seed determines its run', async (t) => {
  for (const seed of [3, 7]) t.same((await simulate(seed)).trace, (await simulate(seed)).trace);
  t.not((await simulate(1)).fingerprint, (await simulate(2)).fingerprint);
});
