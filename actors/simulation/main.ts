import { SingleBar, Presets } from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import { type Fault, FAULTS } from './faults.ts';
import { MUTANTS, playMutant } from './mutants.ts';
import { type Run, simulate } from './simulate.ts';

type Options = { seeds: number; first: number; stop: number; seed?: number; trace: boolean; mutants: boolean };

const number = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('a whole number');
  return Number(text);
};

const program = new Command('simulate')
  .description(
    'Plays seeded faults against actors, hosts and a database in one process, and checks what clients saw.',
  )
  .option('--seeds <count>', 'how many seeds', number, 300)
  .option('--first <seed>', 'the first of them', number, 1)
  .option('--seed <seed>', 'one seed, twice: both runs must be the same', number)
  .option('--stop <count>', 'stop after so many seeds with violations', number, 10)
  .option('--mutants', 'play builds that are broken on purpose until each is caught', false)
  .option('--trace', 'print what happened in the run of --seed', false);

program.parse();
const options = program.opts<Options>();
if (options.mutants) process.exitCode = await mutants(options);
else process.exitCode = options.seed === undefined ? await many(options) : await twice(options.seed, options.trace);

async function many({ seeds, first, stop }: Options): Promise<number> {
  const fired = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  const bad: Run[] = [];
  const began = performance.now();
  let [commands, committed] = [0, 0];
  const bar = new SingleBar({ format: 'seeds {bar} {value}/{total}, {eta_formatted} left' }, Presets.shades_classic);
  if (process.stderr.isTTY) bar.start(seeds, 0);
  for (let seed = first; seed < first + seeds; seed++) {
    const run = await simulate(seed);
    for (const fault of FAULTS) fired[fault] += run.fired[fault];
    commands += run.commands;
    committed += run.committed;
    if (run.violations.length > 0) bad.push(run);
    if (process.stderr.isTTY) bar.increment();
    if (bad.length === stop) break;
  }
  if (process.stderr.isTTY) bar.stop();
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${seeds} seeds in ${seconds.toFixed(1)} s: ${commands} commands answered, ${committed} rows committed`,
  );
  for (const fault of FAULTS) console.log(`  ${fault.padEnd(20)} ${fired[fault]}`);
  const idle = FAULTS.filter((fault) => fired[fault] === 0);
  if (idle.length > 0) console.log(`never fired: ${idle.join(', ')}`);
  for (const { seed, violations } of bad) console.log(`seed ${seed}\n  ${violations.slice(0, 4).join('\n  ')}`);
  console.log(`${bad.length} violations`);
  return bad.length > 0 || idle.length > 0 ? 1 : 0;
}

/** The mutation table: a broken build, the seed that caught it, and what that seed said. */
async function mutants({ seeds }: Options): Promise<number> {
  let missed = 0;
  for (const mutant of MUTANTS) {
    const { name, seeds: played, caughtBy } = await playMutant(mutant, seeds);
    missed += caughtBy === undefined ? 1 : 0;
    const said = caughtBy === undefined ? `NOT CAUGHT in ${played} seeds` : `seed ${played}: ${caughtBy}`;
    console.log(`${name.padEnd(54)} ${said}`);
  }
  console.log(`${MUTANTS.length - missed} of ${MUTANTS.length} broken builds caught`);
  return missed > 0 ? 1 : 0;
}

async function twice(seed: number, trace: boolean): Promise<number> {
  const [one, two] = [await simulate(seed), await simulate(seed)];
  if (trace) console.log(one.trace.join('\n'));
  for (const { violations, fingerprint } of [one, two])
    console.log(`seed ${seed}: ${fingerprint}, ${violations.length} violations`);
  for (const violation of one.violations) console.log(`  ${violation}`);
  const same = one.fingerprint === two.fingerprint;
  console.log(same ? 'both runs are the same' : 'the runs differ');
  return same && one.violations.length === 0 ? 0 : 1;
}
