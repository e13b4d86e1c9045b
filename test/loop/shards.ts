import { globSync } from 'node:fs';
import { totalmem } from 'node:os';

import { type Part, PARTS } from '../services/parts.ts';
import {
  loadedBy,
  needsBrowserOnly,
  needsDatabaseOnly,
  partsOf,
  reaches,
  ROOT,
  testFiles,
  wayToPrograms,
} from './needs.ts';
import { withParts } from './tap.ts';

/** Some of what CI runs, which can run on a machine of its own. */
export type Shard = {
  name: string;
  command: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Prints TAP; what does not is one test that passes or fails as a whole. */
  isTap: boolean;
};

/** Holds a stop to the 10 s of the contract: nothing runs beside it. */
export const ALONE = ['survival'];

/**
 * Black-box files that CI leaves to the night: each takes half a minute of a processor or more, and repeats on more
 * nodes, for longer, with another release or with more troubles what another file checks in CI, or tries a program that
 * measures
 * (docs/guide/testing.md#what-the-night-runs).
 */
export const OF_THE_NIGHT = [
  'analytics-push',
  'backup',
  'chart',
  'client-python',
  'competitor-feed',
  'database-outage',
  'exhausted',
  'fail-over',
  'growth',
  'invoice-kills',
  'live-bad-input',
  'outsiders',
  'redis',
  'release-before',
  'restore-drill',
  'rolling',
  'two-redis',
];

/** Other files that CI leaves to the night: what a second browser does with pages that CI tests in Chromium. */
export const FILES_OF_THE_NIGHT = ['gateways/live/page-firefox.test.ts'];

/**
 * Black-box files that are run on Node too, in CI: start and stop (`survival`), and the edge of HTTP and of sockets,
 * where the runtimes differ most. The rest, such as rules, who is let in and a proxy, is the same code on both runtimes
 * and tested on Deno; it is run on Node each night.
 */
export const RUNTIME_MATTERS = ['survival', 'edge'];

/**
 * Black-box files of pages that share a service and a browser with the other files of their process
 * (test/blackbox/shared-pages.ts), in this order: the clock, which only goes forward, is moved by the last ones.
 */
export const SHARED_SERVICE = [
  'day-in-the-life',
  'admin-page',
  'advice-pages',
  'booking-pages',
  'groups-page',
  'first-hotel',
  'reports-page',
  'offline-page',
  'client-package',
  'admin-language',
  'half-filled',
  'sandbox',
  'payment-link',
  'guest-booking-links',
  'my-stay',
];

/** Sees whether a page holds still, which five programs beside it disturb. */
export const HOLDS_STILL = 'gateways/live/page-steady.test.ts';

/** Seconds for a file, more than at a desk (.taprc): machines of CI are shared, and a slow one is no failure. */
const FILE_SECONDS = 300;

/** How a test asks how long it is to be, and whether it is night. */
const NIGHTLY = 'test/loop/nightly.ts';

/**
 * Files that take longest: they begin, so that none of them is what is left at the end of their shard. Those that wait
 * most of their time, for leases, restarts and partners that say nothing to run out, are among those that compute.
 */
export const LONG = [
  'gateways/http/strangers.test.ts',
  'gateways/nodes/nodes.test.ts',
  'gateways/nodes/request-forwarder.test.ts',
  'load-tests/forecast/evaluation.test.ts',
  'src/events/jobs/relay.test.ts',
  'src/platform/coordination/node-lease.test.ts',
  'src/platform/backup/backup.test.ts',
  'src/platform/launch/process/restarts.test.ts',
  'gateways/live/page-time-travel.test.ts',
  'actors/simulation/mutants.test.ts',
  'src/platform/jobs/redis-rounds.test.ts',
  'gateways/live/page-operations.test.ts',
  'src/platform/coordination/cluster-placement.test.ts',
  'actors/simulation/simulation.test.ts',
  'gateways/live/page.test.ts',
  'src/platform/coordination/two-redis.test.ts',
  'gateways/live/page-honest.test.ts',
  'src/platform/launch/start.test.ts',
  'gateways/live/page-workspace.test.ts',
  'test/services/kafkajs.test.ts',
  'src/platform/jobs/redis-backend.test.ts',
  'src/platform/telemetry/log-output.test.ts',
  'src/platform/jobs/job-queues.test.ts',
  'test/blackbox/all.test.ts',
  'test/blackbox/clock.test.ts',
  'test/blackbox/kafka.test.ts',
  'test/blackbox/outages.test.ts',
  'test/blackbox/database-fail-over.test.ts',
  'test/blackbox/cluster.test.ts',
  'test/blackbox/browser-pages.test.ts',
  'test/blackbox/live-restarts.test.ts',
  'test/blackbox/security.test.ts',
  'test/blackbox/consumers.test.ts',
];

const DENO = { INNKEEPER_SCRIPT: 'start' };
const NODE = { INNKEEPER_SCRIPT: 'start:node' };
const FULL_LENGTH = { INNKEEPER_NIGHTLY: '1' };
/** What the linter takes with all types of 3,300 files, where no garbage is collected: 4.4 GiB. */
const LINT_GIB = 6;
/**
 * The linter reads all types once and ends: collecting garbage before memory is short is 40 % of what it takes. It
 * collects from a half of the memory of the machine on.
 */
const LINT = { GOGC: 'off', GOMEMLIMIT: `${Math.min(LINT_GIB, Math.max(1, Math.floor(totalmem() / 2 ** 31)))}GiB` };

const nameOf = (file: string): string => /([^/]+)\.test\.ts$/.exec(file)![1]!;

const isAlone = (file: string): boolean => ALONE.includes(nameOf(file));

function blackBox(): string[] {
  return globSync('test/blackbox/*.test.ts', { cwd: ROOT }).toSorted();
}

function partsOfAll(files: readonly string[]): Part[] {
  const asked = new Set(files.flatMap((file) => partsOf(file)));
  return PARTS.filter((part) => asked.has(part));
}

/** Many files in one process: what starts no program, or a database of its own, shares only what it imports. */
function together(name: string, files: readonly string[], jobs: number, ...flags: string[]): Shard {
  const node = [process.execPath, '--import', './src/platform/launch/strip-types.mjs', 'test/loop/together.ts'];
  const ordered = [...LONG.filter((file) => files.includes(file)), ...files.filter((file) => !LONG.includes(file))];
  const command = [...node, `--jobs=${jobs}`, `--timeout=${FILE_SECONDS}`, ...flags, ...ordered];
  return { name, command: withParts(command, partsOfAll(files)), isTap: true };
}

/** Pages of the black box, whose files share what each process of them has started. */
function sharing(jobs: number): Shard {
  const files = SHARED_SERVICE.map((name) => `test/blackbox/${name}.test.ts`);
  return { ...together('pages', files, jobs), env: DENO };
}

/** Each file in a process of its own. */
function tests(name: string, files: readonly string[], jobs: number, env?: Shard['env']): Shard {
  return { ...together(name, files, jobs, '--apart'), env };
}

/** What CI runs: lanes beside each other, the shards of a lane one after the other, and then what is to be alone. */
export async function shardsOfCi(): Promise<{ lanes: Shard[][]; alone: Shard[] }> {
  const files = testFiles().filter((file) => !FILES_OF_THE_NIGHT.includes(file));
  const loaded = await loadedBy(files);
  const isFast = (file: string): boolean => wayToPrograms(loaded, file) === undefined;
  const isDatabase = (file: string): boolean => !isFast(file) && needsDatabaseOnly(loaded, file);
  const apart = (file: string): boolean => ![...ALONE, ...OF_THE_NIGHT, ...SHARED_SERVICE].includes(nameOf(file));
  const onDeno = blackBox().filter(apart);
  const onNode = onDeno.filter((file) => RUNTIME_MATTERS.includes(nameOf(file)));
  const alone = blackBox().filter(isAlone);
  const isWindow = (file: string): boolean => needsBrowserOnly(loaded, file) && file !== HOLDS_STILL;
  const ofPrograms = files.filter(
    (file) => !isFast(file) && !isDatabase(file) && !isWindow(file) && file !== HOLDS_STILL,
  );
  return {
    lanes: [
      [{ name: 'lint', command: ['npm', 'run', '-s', 'lint'], env: LINT, isTap: false }],
      [
        // Half of its time is waiting.
        together('fast', files.filter(isFast), 3),
        // Most of the time a database of its own is being made for the next test.
        together('databases', files.filter(isDatabase), 5),
        together('windows', files.filter(isWindow), 3),
        tests('programs', ofPrograms, 5),
        // Not beside each other: with five services on two processors commands wait for longer than their second.
        tests('deno', onDeno, 3, DENO),
        sharing(2),
        tests('node', onNode, 2, NODE),
      ],
    ],
    alone: [
      tests('still', [HOLDS_STILL], 1),
      tests('deno-alone', alone, 1, DENO),
      tests('node-alone', alone, 1, NODE),
    ],
  };
}

/**
 * What CI leaves to the night: the whole black box on both runtimes, each service watched, and simulations and random
 * runs; all in full length.
 */
export async function shardsOfTheNight(): Promise<{ lanes: Shard[][]; alone: Shard[] }> {
  const loaded = await loadedBy(testFiles());
  const long = testFiles().filter((file) => reaches(loaded, file, NIGHTLY) || FILES_OF_THE_NIGHT.includes(file));
  const alone = blackBox().filter(isAlone);
  const rest = blackBox().filter((file) => !isAlone(file));
  const [deno, node] = [
    { ...DENO, ...FULL_LENGTH },
    { ...NODE, ...FULL_LENGTH },
  ];
  return {
    lanes: [
      [tests('long', long, 1, FULL_LENGTH), tests('deno-night', rest, 2, deno), tests('node-night', rest, 2, node)],
    ],
    alone: [tests('deno-night-alone', alone, 1, deno), tests('node-night-alone', alone, 1, node)],
  };
}
