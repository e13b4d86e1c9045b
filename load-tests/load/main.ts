import { Option, program } from 'commander';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';

import { SCRIPT } from '../../test/blackbox/launched.ts';
import { Service } from '../../test/blackbox/service.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { K6, requireGoProgram } from '../go-programs/go-program.ts';
import { type K6Target, targetOf, targetOfService } from '../k6/target.ts';
import { fillDatabase } from './data.ts';
import type { PeerFigures, RunFigures, ScenarioFigures } from './figures-of-run.ts';
import { busyCores, loadOfMachine } from './machine.ts';
import { busyNote } from './outcome.ts';
import { reportPage } from './page.ts';
import { measurePeers } from './peers.ts';
import { commitNow, machineFacts, mustBeWritable } from './run-head.ts';
import { runScenario } from './run-scenario.ts';
import { EVERY_SCENARIO, type Scenario, SCENARIOS, scenariosNamed } from './scenarios.ts';
import { tokenProblem } from './tokens.ts';

const LOOK_MS = 1_500;
/** Set-up, ramps and tear-down of a scenario, with some margin. */
const AROUND_SECONDS = 30;
const MAX_ROWS = 10_000_000;
const LONGEST_SECONDS = 24 * 3_600;
const MAX_FACTOR = 1_000;

type Options = {
  scenario: string[];
  seconds: number;
  factor: number;
  warmUp: number;
  properties: number;
  reservations: number;
  peers: boolean;
  out: string;
  baseUrl?: string;
  token?: string;
  tenant: string;
};

program
  .name('load')
  .description('Open-model load on every part of the service, its peers in the same run, and a report of both.')
  .addOption(
    new Option(
      '--scenario <names...>',
      `${EVERY_SCENARIO}, or some of ${SCENARIOS.map(({ name }) => name).join(', ')}`,
    )
      .default([EVERY_SCENARIO], EVERY_SCENARIO)
      .argParser((text, before: string[]) => [
        ...(before.includes(EVERY_SCENARIO) && text !== EVERY_SCENARIO ? [] : before),
        ...text.split(','),
      ]),
  )
  .addOption(
    new Option('--seconds <n>', 'of a scenario; the soak takes three times as long')
      .default(25)
      .argParser((text) => count(text, 1)),
  )
  .addOption(new Option('--factor <n>', 'multiplies the arrivals of every scenario').default(1).argParser(positive))
  .addOption(
    new Option('--warm-up <seconds>', 'of bookings and quotes before the first scenario')
      .default(8)
      .argParser((text) => count(text)),
  )
  .addOption(
    new Option('--properties <n>', 'with prices, loaded before the run, for searches').default(0).argParser(rows),
  )
  .addOption(new Option('--reservations <n>', 'loaded before the run by COPY').default(0).argParser(rows))
  .addOption(new Option('--no-peers', 'without row locks, the empty route and raw commits'))
  .addOption(new Option('--out <folder>', 'of report.html and report.json').default('.data/load'))
  .addOption(new Option('--base-url <url>', 'a service that is there already; without peers').env('BASE_URL'))
  .addOption(new Option('--token <tokens>', 'access tokens for it, with commas; the first of an ADMIN').env('TOKEN'))
  .addOption(new Option('--tenant <id>', 'whose hotels').env('TENANT').default('demo'))
  .action(main);

try {
  await program.parseAsync();
} catch (error) {
  console.error(`load: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function main(options: Options): Promise<void> {
  // Everything that can be wrong is found before anything starts.
  if (options.baseUrl !== undefined && options.properties + options.reservations > 0)
    throw new Error(
      '--properties and --reservations fill the database of a service of its own, not that of --base-url',
    );
  const scenarios = scenariosNamed(options.scenario);
  const k6 = requireGoProgram(K6);
  const there = targetOf(options);
  mustBeWritable(options.out);
  const began = { startedAt: new Date().toISOString(), commit: commitNow() };
  const [load, others] = [loadOfMachine(), await busyCores(LOOK_MS)];
  const warnings = busyNote(others, cpus().length) ?? [];
  const problem = there && tokenProblem(there.token, Date.now(), endOf(scenarios, options));
  if (problem?.startsWith('a token expired')) throw new Error(problem);
  if (problem !== undefined) warnings.push(`Tokens: ${problem}.`);
  for (const warning of warnings) console.log(warning);
  const service = there ? undefined : await Service.start(NO_LIMITS);
  try {
    const target = there ?? targetOfService(service!, options.tenant);
    const loaded = service ? await fillDatabase(service, options.tenant, options) : [];
    const figures: ScenarioFigures[] = [];
    const peers: PeerFigures[] = [];
    try {
      await runAll(k6, scenarios, { target, service }, { ...options, figures });
      if (service && options.peers) peers.push(...(await peersOf(service, options)));
    } catch (error) {
      warnings.push(`The run ended early: ${error instanceof Error ? error.message : String(error)}.`);
      throw error;
    } finally {
      const head = headOf(options, { ...began, load, k6, loaded, isOurs: service !== undefined });
      write(options.out, { ...head, warnings, scenarios: figures, peers });
    }
    const failed = figures.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
    if (failed.length > 0) throw new Error(`${failed.join(', ')}: failed; the report says why`);
  } finally {
    await service?.remove();
  }
}

async function runAll(
  k6: string,
  scenarios: readonly Scenario[],
  { target, service }: { target: K6Target; service: Service | undefined },
  { seconds, factor, warmUp, figures: all }: Options & { figures: ScenarioFigures[] },
): Promise<void> {
  for (const scenario of warmUp > 0 ? scenariosNamed(['read-rates', 'book-a-stay']) : [])
    await runScenario(k6, scenario, { target, perSecond: scenario.perSecond, seconds: warmUp, service: undefined });
  for (const scenario of scenarios) {
    const perSecond = Math.max(1, Math.round(scenario.perSecond * factor));
    const length = seconds * (scenario.times ?? 1);
    const figures = await runScenario(k6, scenario, { target, perSecond, seconds: length, service });
    const p99 = figures.endpoints.map((one) => `${one.endpoint} ${one.p99}`).join(', ');
    console.log(`${figures.name.padEnd(20)} ${figures.outcome.padEnd(13)} p99 ms: ${p99}`);
    for (const note of figures.notes) console.log(`  ${note}`);
    all.push(figures);
  }
}

async function peersOf(service: Service, { seconds }: Options): Promise<PeerFigures[]> {
  const peers = await measurePeers(service, seconds);
  for (const { group, name, perSecond } of peers) console.log(`${group}: ${name.padEnd(44)} ${perSecond} a second`);
  return peers;
}

function headOf(
  { seconds, factor }: Options,
  {
    load,
    k6,
    loaded,
    isOurs,
    ...began
  }: Pick<RunFigures, 'startedAt' | 'commit'> & {
    load: number[];
    k6: string;
    loaded: readonly string[];
    isOurs: boolean;
  },
): Omit<RunFigures, 'warnings' | 'scenarios' | 'peers'> {
  return {
    format: 1,
    ...began,
    command: `npm run load -- ${process.argv.slice(2).filter(isPublic).join(' ')}`.trim(),
    endedAt: new Date().toISOString(),
    runtime: isOurs ? (SCRIPT === 'start' ? 'Deno' : 'Node') : 'a service that was there',
    k6: execFileSync(k6, ['version'], { encoding: 'utf8' }).trim(),
    machine: { ...machineFacts(), load },
    data: [
      ...loaded,
      `hotels that each scenario creates for itself; ${seconds} s a scenario, arrivals times ${factor}`,
    ].join(', '),
  };
}

function write(folder: string, run: RunFigures): void {
  const to = resolve(folder);
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, 'report.json'), `${JSON.stringify(run, null, 1)}\n`);
  writeFileSync(join(to, 'report.html'), reportPage(run));
  console.log(`${join(folder, 'report.html')} and report.json`);
}

function endOf(scenarios: readonly Scenario[], { seconds, warmUp }: Options): number {
  const length = scenarios.reduce((sum, { times = 1 }) => sum + seconds * times + AROUND_SECONDS, 2 * warmUp);
  return Date.now() + length * 1_000;
}

/** Tokens stay out of the report. */
function isPublic(argument: string, n: number, all: readonly string[]): boolean {
  return !argument.startsWith('--token') && all[n - 1] !== '--token';
}

function count(text: string, least = 0): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > LONGEST_SECONDS)
    throw new Error(`${text} are no whole seconds from ${least} to ${LONGEST_SECONDS}`);
  return value;
}

function rows(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > MAX_ROWS)
    throw new Error(`${text} is no number up to ${MAX_ROWS}`);
  return value;
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= MAX_FACTOR)) throw new Error(`${text} is no number above 0 and up to ${MAX_FACTOR}`);
  return value;
}
