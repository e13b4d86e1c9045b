import { Presets, SingleBar } from 'cli-progress';
import { InvalidArgumentError, program } from 'commander';

import { comparePolicies, LEAST_RUNS } from './policy-comparison.ts';
import { SCENARIOS } from './scenarios.ts';
import { table } from './table.ts';

type Options = { seed: number; runs: number; json: boolean };

const whole = (least: number) => (text: string) => {
  if (!/^\d+$/.test(text) || Number(text) < least) throw new InvalidArgumentError(`a whole number from ${least} on`);
  return Number(text);
};

program
  .name('yield:simulate')
  .description('Plays the same guests against a fixed price, an occupancy ladder, a bid price and the optimizer.')
  .option('--seed <number>', 'decides all guests', whole(0), 1)
  .option('--runs <count>', 'plays of each scenario', whole(LEAST_RUNS), 200)
  .option('--json', 'for a machine: amounts in minor units', false)
  .parse();

const { seed, runs, json } = program.opts<Options>();
const bar = new SingleBar({ format: 'runs {bar} {value}/{total}, {eta_formatted} left' }, Presets.shades_classic);
if (process.stderr.isTTY) bar.start(SCENARIOS.length * runs, 0);
const onRun = (): void => void (process.stderr.isTTY && bar.increment());
const comparisons = SCENARIOS.map((scenario) => comparePolicies(scenario, { runs, seed, onRun }));
if (process.stderr.isTTY) bar.stop();
if (json) console.log(JSON.stringify({ seed, runs, comparisons }));
else console.log(comparisons.map(table).join('\n\n'));
