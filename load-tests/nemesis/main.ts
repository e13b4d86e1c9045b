import { Command, InvalidArgumentError, Option } from 'commander';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { report } from './report.ts';
import { type NemesisOptions, runNemesis } from './run.ts';

/** Options as commander parses them, by long names. */
type Given = Pick<NemesisOptions, 'minutes' | 'runtime' | 'seed' | 'nodes' | 'properties' | 'only'> & {
  withoutFence?: boolean;
  recovery: number;
  poison?: boolean;
  into?: string;
};

const number = (text: string): number => {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('a number');
  return Number(text);
};

/**
 * Three real nodes, a real Redis and a real PostgreSQL under a mixed load, with a sequence of faults; then the whole
 * history is checked. Ends with 0 when all promises held; with `--without-fence`, when the checker has found
 * violations.
 */
const program = new Command('nemesis')
  .description('Kill, pause, cut, wipe and restart a cluster under load; nobody may notice more than a pause.')
  .option('--minutes <count>', 'how long', number, 20)
  .addOption(new Option('--runtime <name>', 'of the nodes').choices(['deno', 'node']).default('deno'))
  .option('--without-fence', 'on a database without the fence, which must be found out')
  .option('--seed <n>', 'of the order of faults and of what clients want', number, Date.now() % 1_000_000)
  .option('--nodes <count>', 'how many', number, 3)
  .option('--properties <count>', 'small properties, two clients and two dashboards each', number, 12)
  .option('--recovery <seconds>', 'after each fault', number, 20)
  .option('--only <words>', 'only faults whose name has these words', '')
  .option('--poison', 'also rows that cannot be read: a journal row, a time zone, a job')
  .option('--into <folder>', 'where history and logs are left; a temporary folder without it')
  .action(async (given: Given) => {
    const { withoutFence, recovery: recoverySeconds, poison = false, ...others } = given;
    const into = given.into ?? mkdtempSync(join(tmpdir(), 'innkeeper-nemesis-'));
    const options: NemesisOptions = { ...others, fence: !withoutFence, recoverySeconds, poison, into };
    const { minutes, runtime, seed } = options;
    console.log(`${runtime}, ${minutes} minutes, seed ${seed}; history and logs in ${into}`);
    const { allHeld, inBudget } = report(await runNemesis(options));
    if (withoutFence) {
      console.log(
        allHeld
          ? 'WITHOUT THE FENCE NOTHING WAS FOUND'
          : 'without the fence the promises are broken, as they must be',
      );
      process.exitCode = allHeld ? 1 : 0;
      return;
    }
    const how = allHeld ? 'all promises held' : 'PROMISES WERE BROKEN';
    console.log(`${how}; error budget ${inBudget ? 'met' : 'MISSED'}`);
    process.exitCode = allHeld && inBudget ? 0 : 1;
  });

await program.parseAsync();
// Connections to ended processes still wait.
process.exit();
