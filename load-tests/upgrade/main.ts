import { Command, InvalidArgumentError, Option } from 'commander';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { recordProof } from '../../src/testing/proofs/record-proof.ts';
import { Checkout, hasCommit } from '../../test/releases/checkout.ts';
import { FIRST_RELEASE } from '../../test/releases/release-data.ts';
import { HttpClient } from '../client/http.ts';
import { ClusterWorld } from '../cluster/cluster-world.ts';
import { openProperties } from '../cluster/properties.ts';
import { startClients } from '../nemesis/clients.ts';
import { Dashboards } from '../nemesis/dashboards.ts';
import { History, type Kind } from '../nemesis/history.ts';
import { type Findings, judge } from '../nemesis/judge.ts';
import { countsOf, report } from '../nemesis/report.ts';
import { seeded } from '../nemesis/seeded.ts';
import { strike } from '../nemesis/strike.ts';
import { upgradeSteps } from './steps.ts';
import { StoredBefore } from './stored-before.ts';

type Options = {
  release: string;
  runtime: 'deno' | 'node';
  properties: number;
  seed: number;
  into: string;
};

const NODES = 3;
const ROOMS = { STD: 3, DLX: 2 };
const PRICED_NIGHTS = 120;
const RECOVERY_SECONDS = 5;
/** Properties with what the release stores before the upgrade: enough for each build to own some of them. */
const WATCHED = 3;
/** Of answers that say that the service is broken. */
const SHOWN = 5;
/** What the first release and this build both know. */
const KINDS: readonly Kind[] = [
  'book',
  'book-unpaid',
  'hold',
  'book-hold',
  'release',
  'pay',
  'confirm',
  'cancel',
  'modify',
  'read',
];

const number = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('a number');
  return Number(text);
};

/** The whole way there and back under load, with dashboards of this build, and then everything is checked. */
async function goThereAndBack({ release, runtime, properties: count, seed, into }: Options): Promise<Findings> {
  mkdirSync(into, { recursive: true });
  using checkout = new Checkout(release);
  const { checkout: sources = '' } = checkout.launchOptions;
  await using world = await ClusterWorld.open({ runtime, nodes: NODES, proxies: true, release: sources });
  try {
    const headers = { authorization: `Bearer ${world.token('ADMIN')}`, 'x-tenant-id': world.tenantId };
    using admin = new HttpClient({ sockets: 4, headers });
    const properties = await openProperties(world, admin, count, { rooms: ROOMS, nights: PRICED_NIGHTS });
    const watched = await openProperties(world, admin, WATCHED, { rooms: { STD: 9 }, nights: PRICED_NIGHTS });
    const before = await StoredBefore.open(world, admin, watched);
    using dashboards = new Dashboards(world, properties);
    await dashboards.live();
    await using history = new History(join(into, 'history.jsonl'));
    const clients = startClients(world, properties, history, seeded(seed), KINDS);
    const faults = before.watching(upgradeSteps(sources));
    const plan = { faults, seed, recoverySeconds: RECOVERY_SECONDS };
    const { struck, failures } = await strike({ world, properties, history, ...plan });
    await clients.stop();
    const findings = await judge({ world, properties, history, dashboards, struck, failures, admin });
    findings.lost.push(...before.lost);
    findings.strange.push(...brokenAnswers(history));
    return findings;
  } finally {
    world.keepLogs(into);
  }
}

/** Answers of 500: clients repeat them at another node, so a release that cannot read a row would only be slow. */
function brokenAnswers({ operations }: History): string[] {
  const broken = operations.flatMap(({ kind, id, tries }) =>
    tries
      .filter(({ status }) => status === 500)
      .map(({ node, code }) => `${kind} ${id}: ${node} answered 500 ${code}`),
  );
  if (broken.length > SHOWN) broken.splice(SHOWN, Infinity, `and ${broken.length - SHOWN} more answers of 500`);
  return broken;
}

/** `npm run upgrade:check`. Ends with 0 when nothing was lost, sold twice or shown wrongly on the way. */
const program = new Command('upgrade:check')
  .description(
    'A cluster goes to this build node by node, back to a release, and here again, under load and crashes.',
  )
  .option('--release <commit>', 'the release', FIRST_RELEASE.commit)
  .addOption(new Option('--runtime <name>', 'of nodes of this build').choices(['deno', 'node']).default('deno'))
  .option('--properties <count>', 'small properties, two clients and two dashboards each', number, 8)
  .option('--seed <n>', 'of what clients want', number, 1)
  .option('--record', 'append the totals to docs/measurements/proof-totals.json')
  .option('--into <folder>', 'where history and logs are left; a temporary folder without it')
  .action(
    async ({ record, into: given, ...options }: Omit<Options, 'into'> & { record?: boolean; into?: string }) => {
      if (!hasCommit(options.release))
        throw new Error(`${options.release} is not in this clone: git fetch --unshallow, then again`);
      const into = given ?? mkdtempSync(join(tmpdir(), 'innkeeper-upgrade-'));
      console.log(`${options.release} and this build on ${options.runtime}; history and logs in ${into}`);
      const findings = await goThereAndBack({ ...options, into });
      const { allHeld } = report(findings);
      if (record) recordProof({ proof: 'upgrade:check', held: allHeld, counts: countsOf(findings) });
      console.log(allHeld ? 'there and back: all promises held' : 'PROMISES WERE BROKEN');
      process.exitCode = allHeld ? 0 : 1;
    },
  );

await program.parseAsync();
// Connections to ended processes still wait.
process.exit();
