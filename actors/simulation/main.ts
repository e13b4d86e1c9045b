import { SingleBar, Presets } from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';

import { recordProof } from '../../src/testing/proofs/record-proof.ts';
import { KINDS, type ClientKind, type Played } from './kinds.ts';
import { MUTANTS, BrokenBuilds } from './mutants.ts';
import { readFaults, readInterventions, type Scenario, scenarioOf } from './scenario/scenario.ts';

type Options = {
  seeds: number;
  first: number;
  stop: number;
  seed?: number;
  trace: boolean;
  mutants: boolean;
  actors: boolean;
  liveness: boolean;
  lives: boolean;
  record: boolean;
  faults?: Scenario['faults'];
  do?: Scenario['interventions'];
  withoutFence?: boolean;
};

const number = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('a whole number');
  return Number(text);
};

const read =
  <T>(reader: (text: string) => T) =>
  (text: string): T => {
    try {
      return reader(text);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };

const program = new Command('simulate')
  .description(
    'Plays seeded faults in one process and in simulated time: against actors, hosts and a database, checking what ' +
      'clients saw; against leases, connections and rounds, checking that all of it comes back; and random lives of ' +
      'reservations against sums made by plain counting.',
  )
  .option('--seeds <count>', 'how many seeds', number, 300)
  .option('--first <seed>', 'the first of them', number, 1)
  .option('--seed <seed>', 'one seed, twice: both runs must be the same', number)
  .option('--stop <count>', 'stop after so many seeds with violations', number, 10)
  .option('--actors', 'only actors, hosts and what clients saw', false)
  .option('--liveness', 'only leases, connections and rounds', false)
  .option('--lives', 'only lives of reservations, their rooms and their money', false)
  .option('--mutants', 'play builds that are broken on purpose until each is caught', false)
  .option('--record', 'append the totals to docs/measurements/proof-totals.json', false)
  .option(
    '--faults <names>',
    'with --actors: faults that the seed may draw; all, none, or names with commas',
    read(readFaults),
  )
  .option(
    '--do <list>',
    'with --actors: what to do at which millisecond, as kill:1@2000,jump@3000',
    read(readInterventions),
  )
  .option('--without-fence', 'with --actors: on a database without the fence, which must be found out')
  .option('--trace', 'print what happened in the run of --seed', false);

program.parse();
const options = program.opts<Options>();
const areAll = KINDS.every(({ name }) => !options[name]);
const kinds = KINDS.filter(({ name }) => areAll || options[name]);
const scenario = scenarioFrom(options);
process.exitCode = await run(options);

async function run({ seed, trace, ...rest }: Options): Promise<number> {
  if (rest.mutants) return mutants(rest);
  let code = 0;
  for (const kind of kinds)
    code = Math.max(code, seed === undefined ? await many(kind, rest) : await twice(kind, seed, trace));
  // As for a mutant: a checker that finds nothing without the fence finds nothing.
  return rest.withoutFence ? 1 - code : code;
}

/** What the seeds play; undefined for what they play by themselves. */
function scenarioFrom({
  faults,
  do: interventions,
  withoutFence,
  record,
}: Options): Omit<Scenario, 'seed'> | undefined {
  if (!faults && !interventions && !withoutFence) return undefined;
  if (kinds.length !== 1 || kinds[0]!.name !== 'actors')
    program.error('--faults, --do and --without-fence need --actors');
  if (record) program.error('--record is for what seeds play by themselves');
  const usual = scenarioOf(0);
  return { faults: faults ?? usual.faults, interventions: interventions ?? [], fence: !withoutFence };
}

async function many(
  kind: ClientKind,
  { seeds, first, stop, record }: Pick<Options, 'seeds' | 'first' | 'stop' | 'record'>,
): Promise<number> {
  const fired = Object.fromEntries(kind.faults.map((fault) => [fault, 0]));
  const sums: Record<string, number> = {};
  const bad: Played[] = [];
  const began = performance.now();
  const bar = new SingleBar({ format: 'seeds {bar} {value}/{total}, {eta_formatted} left' }, Presets.shades_classic);
  if (process.stderr.isTTY) bar.start(seeds, 0);
  for (let seed = first; seed < first + seeds; seed++) {
    const one = await kind.play(seed, scenario);
    for (const fault of kind.faults) fired[fault]! += one.fired[fault] ?? 0;
    for (const [name, count] of Object.entries(one.sums)) sums[name] = (sums[name] ?? 0) + count;
    if (one.violations.length > 0) bad.push(one);
    if (process.stderr.isTTY) bar.increment();
    if (bad.length === stop) break;
  }
  if (process.stderr.isTTY) bar.stop();
  const seconds = (performance.now() - began) / 1000;
  const all = Object.entries(sums).map(([name, count]) => `${Math.round(count)} ${name}`);
  console.log(`${seeds} seeds in ${seconds.toFixed(1)} s: ${all.join(', ')}`);
  for (const fault of kind.faults) console.log(`  ${fault.padEnd(28)} ${fired[fault]}`);
  const allowed = kind.faults.filter((fault) => scenario?.faults.includes(fault as never) ?? true);
  const idle = allowed.filter((fault) => fired[fault] === 0);
  if (idle.length > 0) console.log(`never fired: ${idle.join(', ')}`);
  for (const { seed, violations } of bad) console.log(`seed ${seed}\n  ${violations.slice(0, 4).join('\n  ')}`);
  console.log(`${bad.length} violations`);
  if (record) {
    const faults = Object.values(fired).reduce((sum, count) => sum + count, 0);
    const counts = { seeds, faults, ...sums, 'seeds with violations': bad.length };
    const whole = Object.entries(counts).map(([name, count]) => [name, Math.round(count)]);
    recordProof({ proof: `simulate ${kind.name}`, held: bad.length === 0, counts: Object.fromEntries(whole) });
  }
  return bad.length > 0 || idle.length > 0 ? 1 : 0;
}

/** The mutation table: a broken build, the seed that detected it, and that seed's message. */
async function mutants({ seeds }: Pick<Options, 'seeds'>): Promise<number> {
  const played = MUTANTS.filter(({ kind = 'actors' }) => kinds.some(({ name }) => name === kind));
  using builds = new BrokenBuilds();
  let missed = 0;
  for (const mutant of played) {
    const { name, seeds: last, caughtBy } = await builds.play(mutant, seeds);
    missed += caughtBy === undefined ? 1 : 0;
    const said = caughtBy === undefined ? `NOT CAUGHT in ${last} seeds` : `seed ${last}: ${caughtBy}`;
    console.log(`${name.padEnd(62)} ${said}`);
  }
  console.log(`${played.length - missed} of ${played.length} broken builds caught`);
  return missed > 0 ? 1 : 0;
}

async function twice(kind: ClientKind, seed: number, trace: boolean): Promise<number> {
  const one = await kind.play(seed, scenario);
  const two = await kind.play(seed, scenario);
  if (trace) console.log(one.trace.join('\n'));
  for (const { violations, fingerprint } of [one, two])
    console.log(`${kind.name}, seed ${seed}: ${fingerprint}, ${violations.length} violations`);
  for (const violation of one.violations) console.log(`  ${violation}`);
  const same = one.fingerprint === two.fingerprint;
  console.log(same ? 'both runs are the same' : 'the runs differ');
  return same && one.violations.length === 0 ? 0 : 1;
}
