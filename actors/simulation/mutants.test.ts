import t from 'tap';

import { MUTANTS, BrokenBuilds } from './mutants.ts';

/** Each broken build is searched for a seed that shows it. */
t.setTimeout(900_000);

/** Far more than any of the broken builds has needed. */
const SEEDS_OF_A_MUTANT = 300;

void t.test('each build that is broken on purpose is caught', { timeout: 900_000 }, async (t) => {
  using builds = new BrokenBuilds();
  for (const mutant of MUTANTS) {
    const { name, seeds, caughtBy } = await builds.play(mutant, SEEDS_OF_A_MUTANT);
    t.ok(caughtBy, `${name}: seed ${seeds}: ${caughtBy}`);
  }
});
