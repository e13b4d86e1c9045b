import { Argument, Command, Option } from 'commander';
import { cpus } from 'node:os';

import { benchDrained } from './drained.ts';
import { benchFailOver } from './fail-over.ts';
import { benchForwarded } from './forwarded.ts';
import { type Goal, clusterGoalsText } from './goals.ts';
import { projectionText } from './projection.ts';
import { benchScale } from './scale.ts';
import { benchTakeOver } from './take-over.ts';

type Runtime = 'deno' | 'node';

const PARTS: Record<string, (runtime: Runtime) => Promise<Goal[]>> = {
  forwarded: benchForwarded,
  scale: async (runtime) => {
    const { goals, costs } = await benchScale(runtime);
    projectionText(costs);
    return goals;
  },
  'fail-over': benchFailOver,
  drained: benchDrained,
  'take-over': benchTakeOver,
};

/** `npm run bench:cluster`. It prints figures and asserts nothing. */
await new Command('bench:cluster')
  .description('Figures of a cluster on this machine, against their goals.')
  .addArgument(new Argument('[parts...]', 'all when none is named').choices(Object.keys(PARTS)))
  .addOption(new Option('--runtime <name>', 'of the nodes').choices(['deno', 'node']).default('deno'))
  .action(async (named: string[], { runtime }: { runtime: Runtime }) => {
    console.log(`${runtime}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}`);
    const goals: Goal[] = [];
    for (const [part, bench] of Object.entries(PARTS)) {
      if (named.length > 0 && !named.includes(part)) continue;
      console.log(part);
      goals.push(...(await bench(runtime)));
    }
    console.log('goals');
    clusterGoalsText(goals);
  })
  .parseAsync();
// Connections to ended processes still wait.
process.exit();
