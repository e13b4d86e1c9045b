import { Command, Option } from 'commander';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { recordProof } from '../../src/testing/proofs/record-proof.ts';
import { numberOption } from '../options.ts';
import { Porcupine } from '../porcupine/checker.ts';
import { countsOf, report } from './report.ts';
import { NEUTRAL_FILE, type NemesisOptions, runNemesis } from './run.ts';

const SHOWN = 5;

/** Options as commander parses them, by long names. */
type Given = Pick<NemesisOptions, 'minutes' | 'runtime' | 'seed' | 'nodes' | 'properties' | 'only'> & {
  withoutFence?: boolean;
  recovery: number;
  poison?: boolean;
  into?: string;
  record?: boolean;
};

/**
 * Three real nodes, a real Redis and a real PostgreSQL under a mixed load, with a sequence of faults; then the whole
 * history is checked. Ends with 0 when all promises held; with `--without-fence`, when the checker has found
 * violations.
 */
const program = new Command('nemesis')
  .description('Kill, pause, cut, wipe and restart a cluster under load; nobody may notice more than a pause.')
  .option('--minutes <count>', 'how long', numberOption, 20)
  .addOption(new Option('--runtime <name>', 'of the nodes').choices(['deno', 'node']).default('deno'))
  .option('--without-fence', 'on a database without the fence, which must be found out')
  .option('--seed <n>', 'of the order of faults and of what clients want', numberOption, Date.now() % 1_000_000)
  .option('--nodes <count>', 'how many', numberOption, 3)
  .option('--properties <count>', 'small properties, two clients and two dashboards each', numberOption, 12)
  .option('--recovery <seconds>', 'after each fault', numberOption, 20)
  .option('--only <words>', 'only faults whose name has these words', '')
  .option('--poison', 'also rows that cannot be read: a journal row, a time zone, a job')
  .option('--record', 'append the totals to docs/measurements/proof-totals.json')
  .option('--into <folder>', 'where history and logs are left; a temporary folder without it')
  .action(async (given: Given) => {
    const { withoutFence, record, recovery: recoverySeconds, poison = false, ...others } = given;
    const into = given.into ?? mkdtempSync(join(tmpdir(), 'innkeeper-nemesis-'));
    const options: NemesisOptions = { ...others, fence: !withoutFence, recoverySeconds, poison, into };
    const { minutes, runtime, seed } = options;
    console.log(`${runtime}, ${minutes} minutes, seed ${seed}; history and logs in ${into}`);
    const findings = await runNemesis(options);
    const { allHeld: isSound, inBudget } = report(findings);
    const isExplained = porcupineText(join(into, NEUTRAL_FILE));
    if (withoutFence) {
      const areFound = !isSound && isExplained !== true;
      console.log(
        areFound
          ? 'without the fence the promises are broken, as they must be'
          : 'WITHOUT THE FENCE A CHECKER HAS FOUND NOTHING',
      );
      process.exitCode = areFound ? 0 : 1;
      return;
    }
    const allHeld = isSound && isExplained !== false;
    if (record) recordProof({ proof: 'nemesis', held: allHeld, counts: countsOf(findings) });
    const how = allHeld ? 'all promises held' : 'PROMISES WERE BROKEN';
    console.log(`${how}; error budget ${inBudget ? 'met' : 'MISSED'}`);
    process.exitCode = allHeld && inBudget ? 0 : 1;
  });

/** Has Porcupine judge the history. @returns whether an order of the operations explains it; undefined without Go */
function porcupineText(file: string): boolean | undefined {
  using porcupine = Porcupine.build();
  if (porcupine === undefined) {
    console.log('Porcupine: NOT RUN, it is built with Go, which is not on the PATH');
    return undefined;
  }
  const { illegal, undecided, cells, cellOperations, keys, keyOperations } = porcupine.check(file);
  console.log(`Porcupine: ${cellOperations} operations on ${cells} cells, ${keyOperations} on ${keys} keys`);
  console.log(`  not linearizable ${illegal.length}, undecided ${undecided.length}`);
  for (const one of [...illegal, ...undecided].slice(0, SHOWN)) console.log(`  ${one}`);
  return illegal.length + undecided.length === 0;
}

await program.parseAsync();
// Connections to ended processes still wait.
process.exit();
