import { Presets, SingleBar } from 'cli-progress';
import { InvalidArgumentError, program } from 'commander';

import { comparePolicies, LEAST_RUNS, POLICY_NAMES, type PolicyName } from './policy-comparison.ts';
import { fittedScenarios, MISBELIEFS } from './scenarios.ts';
import { table } from './table.ts';

type Options = {
  seed: number;
  runs: number;
  policies: PolicyName[];
  hotel?: string;
  misbeliefs: boolean;
  json: boolean;
};

const USUAL: PolicyName[] = ['FIXED', 'OCCUPANCY_LADDER', 'EMSR_B', 'BID_PRICE', 'LP_RESOLVED', 'INNKEEPER'];

const whole = (least: number) => (text: string) => {
  if (!/^\d+$/.test(text) || Number(text) < least) throw new InvalidArgumentError(`a whole number from ${least} on`);
  return Number(text);
};

const policyNames = (text: string): PolicyName[] =>
  text.split(',').map((one) => {
    const name = POLICY_NAMES.find((known) => known === one);
    if (name === undefined) throw new InvalidArgumentError(`some of ${POLICY_NAMES.join(',')}`);
    return name;
  });

program
  .name('yield:simulate')
  .description('Plays the same guests against simple rates, a bid price, a re-solved program and the live rates.')
  .option('--seed <number>', 'decides all guests', whole(0), 1)
  .option('--runs <count>', 'plays of each hotel', whole(LEAST_RUNS), 60)
  .option('--policies <list>', 'those that are played beside FIXED and BID_PRICE', policyNames, USUAL)
  .option('--hotel <name>', 'only this one')
  .option('--no-misbeliefs', 'without the rows in which policies believe something wrong')
  .option('--json', 'for a machine: amounts in minor units', false)
  .parse();

const { seed, runs, policies, hotel, misbeliefs, json } = program.opts<Options>();
const scenarios = fittedScenarios().filter(({ name }) => hotel === undefined || name === hotel);
const plays = scenarios.flatMap((scenario) =>
  [undefined, ...(misbeliefs ? MISBELIEFS : [])].map((misbelief) => ({ scenario, misbelief })),
);
/** A wrong belief is played half as often: it has to show a loss, not a tenth of a percent. */
const runsOf = (misbelief: unknown): number => (misbelief ? Math.max(LEAST_RUNS, Math.floor(runs / 2)) : runs);

const bar = new SingleBar({ format: 'runs {bar} {value}/{total}, {eta_formatted} left' }, Presets.shades_classic);
if (process.stderr.isTTY)
  bar.start(
    plays.reduce((sum, { misbelief }) => sum + runsOf(misbelief), 0),
    0,
  );
const onRun = (): void => void (process.stderr.isTTY && bar.increment());
const comparisons = plays.map(({ scenario, misbelief }) =>
  comparePolicies(scenario, {
    runs: runsOf(misbelief),
    seed,
    policies: misbelief ? policies.filter((name) => name === 'INNKEEPER') : policies,
    misbelief,
    onRun,
  }),
);
bar.stop();
if (json) console.log(JSON.stringify({ seed, comparisons }));
else console.log(comparisons.map(table).join('\n\n'));
