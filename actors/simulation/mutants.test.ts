import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

import { ROOT } from '../../test/loop/needs.ts';
import { inCiOrNightly } from '../../test/loop/nightly.ts';
import { MUTANTS, BrokenBuilds } from './mutants.ts';

/** Each broken build is searched for a seed that shows it. */
t.setTimeout(900_000);

/** Far more than any of the broken builds has needed. */
const SEEDS_OF_A_MUTANT = 300;
/** CI plays every sixteenth, so that a simulation which no longer sees anything is noticed. */
const PLAYED = MUTANTS.filter((_, n) => n % inCiOrNightly(16, 1) === 0);

void t.test('each build that is broken on purpose is caught', { timeout: 900_000 }, async (t) => {
  using builds = new BrokenBuilds();
  for (const mutant of PLAYED) {
    const { name, seeds, caughtBy } = await builds.play(mutant, SEEDS_OF_A_MUTANT);
    t.ok(caughtBy, `${name}: seed ${seeds}: ${caughtBy}`);
  }
});

void t.test('each of them can be broken: its text is in the sources once', async (t) => {
  for (const { name, also = [], ...edit } of MUTANTS)
    for (const { file, text } of [edit, ...also])
      t.equal(readFileSync(join(ROOT, file), 'utf8').split(text).length, 2, `${name}: ${file}`);
});
